/** The sandbox for hosts that start commands themselves: resolve, wrap, describe (guide 8.4). */

import { ZqError } from "../shared/errors";
import { buildBwrapArgs } from "./bwrapArgs";
import { buildMacProfile } from "./macProfile";
import { buildPlan, type SandboxOptions, type SandboxPlan } from "./plan";
import { knownProbe, probeNow } from "./probe";

/**
 * Chooses how the commands of a workspace are confined. Starts nothing, except with `required`, which tries the sandbox
 * and throws a ZqError (`sandbox_unavailable`) where none can be had. Other wrong options throw `invalid_option`.
 */
export function resolveSandbox(options: SandboxOptions | undefined, workspace: string): SandboxPlan {
  const plan = buildPlan(options ?? {}, workspace);
  if (plan.mode !== "required") return plan;
  const found = probeNow(plan);
  if ("plan" in found) return plan;
  throw new ZqError(
    "sandbox_unavailable",
    `The sandbox is required, but there is none: ${found.reason}. Install or permit it, or choose another mode.`,
  );
}

/** The argument list that runs `argv` confined; unchanged where the sandbox is off or does not work. */
export function wrapWithSandbox(plan: SandboxPlan, argv: readonly string[]): string[] {
  const found = probeNow(plan);
  return "plan" in found ? confine({ ...plan, forbidNesting: found.plan.forbidNesting }, argv) : [...argv];
}

/** One line that says what holds: for a person, and for the model. */
export function describeSandbox(plan: SandboxPlan): string {
  if (plan.mode === "off") return "off; commands run unconfined";
  const found = knownProbe(plan);
  if (found !== undefined && "reason" in found) return `none (${found.reason}); commands run unconfined`;
  const doubt = found === undefined ? " if it works here, which the first command will show" : "";
  const places = ["the workspace", "the temporary folder", ...plan.extraWritable];
  const closed = plan.method === "bwrap" ? "; no way to container engines and service managers" : "";
  return `${plan.method}${doubt}; commands can write only in ${places.join(", ")}; network ${plan.network ? "on" : "off"}${closed}`;
}

function confine(plan: SandboxPlan, argv: readonly string[]): string[] {
  if (plan.method === "bwrap") return [plan.program, ...buildBwrapArgs(plan), "--", ...argv];
  return [plan.program, "-p", buildMacProfile(plan), ...argv];
}

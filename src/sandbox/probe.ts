/** Finds out by a real run whether the sandbox works here; asked once per process and plan, and only when it matters. */

import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { buildChildEnvironment } from "../shared/childEnvironment";
import { buildBwrapArgs } from "./bwrapArgs";
import { buildMacProfile } from "./macProfile";
import type { SandboxPlan } from "./plan";

/** A plan that works as it is, or why none does. */
export type ProbeResult = { plan: SandboxPlan } | { reason: string };

type Run = Pick<SpawnSyncReturns<string>, "status" | "stderr"> & { error?: Error };

const TIME_MS = 10_000;
const results = new Map<string, ProbeResult>();

/** What is known already; undefined when nobody has asked yet. */
export function knownProbe(plan: SandboxPlan): ProbeResult | undefined {
  return plan.method === "none" ? { reason: plan.obstacle ?? "there is none" } : results.get(keyOf(plan));
}

/** Asks and waits: for callers that cannot. About 15 ms the first time. */
export function probeNow(plan: SandboxPlan): ProbeResult {
  const known = knownProbe(plan);
  if (known) return known;
  for (const candidate of candidatesOf(plan)) {
    const [program = "", ...args] = probeCommand(candidate);
    const run = spawnSync(program, args, { encoding: "utf8", env: probeEnvironment(), cwd: "/", timeout: TIME_MS });
    const result = judge(candidate, run);
    if (result) return remember(plan, result);
  }
  return { reason: "it could not be tried" };
}

/** The same without holding up anybody. Never rejects. */
export async function probe(plan: SandboxPlan): Promise<ProbeResult> {
  const known = knownProbe(plan);
  if (known) return known;
  for (const candidate of candidatesOf(plan)) {
    const result = judge(candidate, await runQuietly(probeCommand(candidate)));
    if (result) return remember(plan, result);
  }
  return { reason: "it could not be tried" };
}

/** As it should be, and as older versions of bwrap can have it. */
function candidatesOf(plan: SandboxPlan): SandboxPlan[] {
  return plan.method === "bwrap" ? [plan, { ...plan, forbidNesting: false }] : [plan];
}

/** Undefined: the next candidate is worth a try. */
function judge(plan: SandboxPlan, { status, stderr, error }: Run): ProbeResult | undefined {
  if (status === 0) return { plan };
  if (status === NOT_WRITABLE && stderr === "") {
    if (!mayWrite(plan.workspace)) return { plan };
    return { reason: "inside it the workspace could not be written, because its files belong to another user" };
  }
  if (plan.forbidNesting && plan.method === "bwrap" && error === undefined) return undefined;
  const said = stderr.trim().split("\n")[0] || error?.message || `it ended with ${status ?? "a signal"}`;
  return { reason: `${plan.method} does not work here (${said})` };
}

const NOT_WRITABLE = 77;

/** A command like any other, that looks whether the workspace can be written. */
function probeCommand(plan: SandboxPlan): string[] {
  const look = ["/bin/sh", "-c", `[ -w "$1" ] || exit ${NOT_WRITABLE}`, "sh", plan.workspace];
  if (plan.method === "bwrap") return [plan.program, ...buildBwrapArgs({ ...plan, sessionTemp: null }), "--", ...look];
  return [plan.program, "-p", buildMacProfile(plan), ...look];
}

function probeEnvironment(): NodeJS.ProcessEnv {
  return { ...buildChildEnvironment(), LC_ALL: "C" };
}

function runQuietly([program = "", ...args]: string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: probeEnvironment(),
      cwd: "/",
      timeout: TIME_MS,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", (error) => resolve({ status: null, stderr, error }));
    child.on("close", (status) => resolve({ status, stderr }));
  });
}

/** A workspace that is not there says nothing about the machine. */
function remember(plan: SandboxPlan, result: ProbeResult): ProbeResult {
  if (existsSync(plan.workspace)) results.set(keyOf(plan), result);
  return result;
}

function keyOf(plan: SandboxPlan): string {
  return JSON.stringify([plan.program, plan.workspace, plan.network]);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

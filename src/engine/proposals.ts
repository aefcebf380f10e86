/** Tool calls as the model made them, on their way to a decision: name, arguments, and what is wrong with them. */

import type { Decision, ToolMetadata, ToolSpec } from "../shared/contracts";
import type { ToolCall } from "../shared/messages";
import { cutOffSentence } from "../tools/arguments";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { callKey } from "./loopGuard";

/** One call of a reply. With `fault` it is not run; the model reads the fault. */
export interface Proposal {
  index: number;
  call: ToolCall;
  /** The registered name, or what the model wrote where no tool has it. */
  name: string;
  args: Record<string, unknown>;
  spec?: ToolSpec;
  fault?: string;
  isCutOff: boolean;
  /** The same for the same call whatever the order of its arguments; null where repeating is no sign of a loop. */
  key: string | null;
}

/** `isReplyCut`: the reply ended at the output limit, so that none of its calls can be believed to be whole. */
export function buildProposals(calls: readonly ToolCall[], registry: ToolRegistry, isReplyCut: boolean): Proposal[] {
  return calls.map((call, index) => buildProposal({ call, index, registry, isReplyCut }));
}

interface Source {
  call: ToolCall;
  index: number;
  registry: ToolRegistry;
  isReplyCut: boolean;
}

function buildProposal({ call, index, registry, isReplyCut }: Source): Proposal {
  const written = call.function.name;
  const raw = call.function.arguments;
  const name = registry.resolveName(written) ?? written;
  const spec = registry.get(name);
  const usable = spec?.enabled ? spec : undefined;
  const base = { index, call, name, ...(usable && { spec: usable }) };
  if (isReplyCut) {
    return { ...base, args: {}, fault: cutOffSentence(lengthOf(raw)), isCutOff: true, key: callKey(name, raw) };
  }
  const parsed = registry.parseArguments(name, raw);
  if ("fault" in parsed) {
    const isCutOff = "cutOff" in parsed && parsed.cutOff === true;
    return { ...base, args: {}, fault: parsed.fault, isCutOff, key: callKey(name, raw) };
  }
  return { ...base, args: parsed.args, isCutOff: false, key: keyOf(name, parsed.args) };
}

/** Waiting for a background task again and again is no loop. */
function keyOf(name: string, args: Record<string, unknown>): string | null {
  return name === "shell_task_output" && args["wait_ms"] ? null : callKey(name, args);
}

function lengthOf(raw: unknown): number {
  return typeof raw === "string" ? raw.length : (JSON.stringify(raw)?.length ?? 0);
}

/** Categories whose tools ask a person or keep a state: one at a time, in order. */
const serial = new Set(["interactive", "task"]);
/** Categories that only reach out of the machine: side by side when nobody has to be asked. */
const reachingOut = new Set(["network", "media"]);

/** Whether a call may run beside its neighbours (guide 12.6). */
export function mayRunBeside(metadata: ToolMetadata, decision: Decision): boolean {
  if (!decision.allowed || decision.needsUser) return false;
  if (reachingOut.has(metadata.category)) return true;
  return metadata.riskLevel === "low" && !metadata.requiresApproval && !serial.has(metadata.category);
}

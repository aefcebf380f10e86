/** Which old tool results a conversation can do without, and what stands in their place. Pure. */

import { RiskClass, riskClassOf } from "../permissions/riskClass";
import type { Message } from "../shared/messages";
import { typedText } from "../shared/reminders";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { estimateMessage } from "./estimator";
import { callKey } from "./loopGuard";
import { type AnsweredCall, answeredCalls } from "./sessionFacts";
import { pathsWritten } from "./toolRun";

/** A message that can be shorter. `saves`: the text that goes, to be kept on disk first. */
export interface Elision {
  index: number;
  message: Message;
  gain: number;
  saves?: { callId: string; text: string };
}

/** Results up to this length stay: what they say costs less than to ask again. */
const SHORT = 1_500;
const LINES_KEPT = 3;
const LONGEST_LINE = 300;
/** User turns at the end whose results stay. */
const TURNS_KEPT = 2;

/** Answers of a person and reports that cannot be had again. */
const neverElided = new Set(["ask_user", "propose_plan", "request_directory", "explore"]);

export interface ElisionView {
  messages: readonly Message[];
  registry: ToolRegistry;
  /** Tokens of the newest tool results that stay as they are. */
  protect: number;
}

/** Older copies of what was read again, and reads of files that were edited since. */
export function duplicates({ messages, registry, protect }: ElisionView): Elision[] {
  const calls = answeredCalls(messages);
  const newest = startOfNewest(messages, protect);
  const laterReads: AnsweredCall[] = [];
  const laterKeys = new Set<string>();
  const laterEdits = new Set<string>();
  const found: Elision[] = [];
  for (const made of [...calls].reverse()) {
    const spec = registry.get(made.call.function.name);
    const isRead = made.call.function.name === "read_file";
    const path = String(made.args["path"] ?? "");
    const key = `${callKey(made.call.function.name, made.args)} ${made.result}`;
    const isFree = spec !== undefined && riskClassOf(spec.metadata) === RiskClass.READ && !isKept(made, laterKeys);
    if (isRead && laterReads.some((later) => overlaps(made, later))) {
      push(found, messages, made, "[same file read again later: see below]");
    } else if (isFree && laterKeys.has(key)) push(found, messages, made, "[same result again later: see below]");
    else if (isRead && laterEdits.has(path) && made.resultAt < newest) {
      push(found, messages, made, `[stale: ${path} was edited later]`);
    }
    laterKeys.add(key);
    // What failed shows nothing newer and has changed nothing.
    if (made.hasFailed) continue;
    if (isRead) laterReads.push(made);
    for (const written of spec ? pathsWritten({ spec, args: made.args }) : []) laterEdits.add(written);
  }
  return found.reverse();
}

/** Long results and long arguments of writes, outside the newest ones and the last turns; oldest first. */
export function oldResults({ messages, registry, protect }: ElisionView): Elision[] {
  const end = Math.min(startOfNewest(messages, protect), startOfLastTurns(messages));
  const calls = answeredCalls(messages);
  const lastTodo = calls.findLast((made) => made.call.function.name === "todo_write");
  const found: Elision[] = [];
  for (const made of calls) {
    if (made.resultAt >= end) break;
    if (made === lastTodo || neverElided.has(made.call.function.name) || made.result.length <= SHORT) continue;
    push(found, messages, made, shortResult(made.result), { callId: made.call.id, text: made.result });
  }
  return [...found, ...longArguments(messages, registry, end)].sort((a, b) => a.index - b.index);
}

/** The line that says where an elided result lies. */
export function elisionNotice(length: number, savedAs: string | null): string {
  const size = `${length.toLocaleString("en-US")} characters`;
  return savedAs === null ? `[result elided, ${size}]` : `[result elided, ${size}; saved as ${savedAs}]`;
}

/** Stands in a shortened result until the file's name is known. */
export const NOTICE_PLACE = "[result elided]";

function shortResult(text: string): string {
  const lines = text.split("\n").map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  if (lines.length <= 2 * LINES_KEPT) return [lines[0] ?? "", NOTICE_PLACE].join("\n");
  return [...lines.slice(0, LINES_KEPT), NOTICE_PLACE, ...lines.slice(-LINES_KEPT)].join("\n");
}

/** Texts inside the arguments of old writes; what stays is valid JSON. */
function longArguments(messages: readonly Message[], registry: ToolRegistry, end: number): Elision[] {
  return messages.slice(0, end).flatMap((message, index) => {
    const calls = message.tool_calls?.map((call) => {
      const args = registry.get(call.function.name)?.metadata.writes ? shorterArguments(call.function.arguments) : null;
      return args === null ? call : { ...call, function: { ...call.function, arguments: args } };
    });
    if (!calls?.some((call, at) => call !== message.tool_calls?.[at])) return [];
    return [elisionOf(message, index, { ...message, tool_calls: calls })];
  });
}

function shorterArguments(text: string): string | null {
  if (text.length <= SHORT) return null;
  try {
    let isShorter = false;
    const shorter = JSON.stringify(JSON.parse(text), (_key, value: unknown) => {
      if (typeof value !== "string" || value.length <= SHORT) return value;
      isShorter = true;
      return `${value.slice(0, LONGEST_LINE)}\n[… ${value.length - LONGEST_LINE} characters elided]`;
    });
    return isShorter ? shorter : null;
  } catch {
    return null;
  }
}

function isKept({ call }: AnsweredCall, laterKeys: ReadonlySet<string>): boolean {
  const { name } = call.function;
  return neverElided.has(name) || (name === "todo_write" && laterKeys.size === 0);
}

function push(
  found: Elision[],
  messages: readonly Message[],
  { resultAt }: AnsweredCall,
  content: string,
  saves?: { callId: string; text: string },
): void {
  const message = messages[resultAt];
  if (!message || String(message.content).length <= content.length) return;
  found.push({ ...elisionOf(message, resultAt, { ...message, content }), ...(saves && { saves }) });
}

function elisionOf(before: Message, index: number, message: Message): Elision {
  return { index, message, gain: estimateMessage(before) - estimateMessage(message) };
}

/** Where the newest tool results of this many tokens begin. */
function startOfNewest(messages: readonly Message[], protect: number): number {
  let kept = 0;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== "tool") continue;
    kept += estimateMessage(message);
    if (kept > protect) return at + 1;
  }
  return 0;
}

function startOfLastTurns(messages: readonly Message[]): number {
  let turns = 0;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== "user" || typedText(message) === "") continue;
    turns += 1;
    if (turns === TURNS_KEPT) return at;
  }
  return 0;
}

/** Two reads of one file that have lines in common. */
function overlaps(one: AnsweredCall, other: AnsweredCall): boolean {
  if (one.args["path"] !== other.args["path"]) return false;
  const [a, b] = [rangeOf(one), rangeOf(other)];
  return a.from < b.to && b.from < a.to;
}

function rangeOf({ args }: AnsweredCall): { from: number; to: number } {
  const offset = typeof args["offset"] === "number" ? args["offset"] : 1;
  const limit = typeof args["limit"] === "number" ? args["limit"] : 2_000;
  // From the end: only the same request is surely the same lines.
  if (offset < 0) return { from: offset, to: offset + 0.5 };
  return { from: Math.max(1, offset), to: Math.max(1, offset) + limit };
}

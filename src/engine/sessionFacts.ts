/** Facts of a conversation that are worked out, not asked of a model: files touched, the todo list, what is open. */

import type { PermissionEngine } from "../permissions/PermissionEngine";
import type { Message, ToolCall } from "../shared/messages";
import { textOf } from "../shared/messages";
import { environmentBlock } from "../shared/reminders";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { type Kept, keptOf } from "./compaction";
import { pathsWritten } from "./toolRun";

/** Paths of a list that are kept; the newest win. */
const MOST_PATHS = 60;

/** A call of the history with the text of its result. */
export interface AnsweredCall {
  call: ToolCall;
  args: Record<string, unknown>;
  result: string;
  /** Nothing came of it. */
  hasFailed: boolean;
  /** Places in the history. */
  callAt: number;
  resultAt: number;
}

/** All answered calls in order. */
export function answeredCalls(messages: readonly Message[]): AnsweredCall[] {
  const open = new Map<string, { call: ToolCall; callAt: number }>();
  const answered: AnsweredCall[] = [];
  for (const [at, message] of messages.entries()) {
    for (const call of message.tool_calls ?? []) open.set(call.id, { call, callAt: at });
    if (message.role !== "tool") continue;
    const made = open.get(message.tool_call_id ?? "");
    if (!made) continue;
    const args = argumentsOf(made.call);
    const hasFailed = message.failed === true;
    answered.push({ ...made, args, hasFailed, result: textOf(message.content), resultAt: at });
  }
  return answered;
}

const parsed = new WeakMap<ToolCall, Record<string, unknown>>();

/** The arguments as an object; empty where they are none. */
export function argumentsOf(call: ToolCall): Record<string, unknown> {
  const known = parsed.get(call);
  if (known) return known;
  const args = parseObject(call.function.arguments);
  parsed.set(call, args);
  return args;
}

function parseObject(text: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * What a summarised part says of files, todo list and surroundings, joined with what an earlier compaction kept. A todo
 * list that was written again in the part that stays needs no keeping.
 */
export function keepFacts(
  { head, tail }: { head: readonly Message[]; tail: readonly Message[] },
  registry: ToolRegistry,
): Omit<Kept, "prompts"> {
  const earlier = head.map(keptOf).filter((kept) => kept !== undefined);
  const read = new Set(earlier.flatMap((kept) => kept.read));
  const changed = new Set(earlier.flatMap((kept) => kept.changed));
  let todo = earlier.at(-1)?.todo;
  for (const { call, args, result, hasFailed } of answeredCalls(head)) {
    if (hasFailed) continue;
    const spec = registry.get(call.function.name);
    for (const path of pathsWritten({ args, ...(spec && { spec }) })) renew(changed, path);
    if (call.function.name === "read_file" && typeof args["path"] === "string") renew(read, args["path"]);
    if (call.function.name === "todo_write") todo = result;
  }
  if (tail.some((message) => message.tool_calls?.some((call) => call.function.name === "todo_write"))) todo = undefined;
  const environment = head.map(environmentBlock).find((block) => block !== "");
  return {
    read: [...read].slice(-MOST_PATHS),
    changed: [...changed].slice(-MOST_PATHS),
    ...(todo && { todo }),
    ...(environment && { environment }),
  };
}

function renew(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
}

/** What holds now: folders granted, background tasks that run. */
export async function stateLines(permissions: PermissionEngine, registry: ToolRegistry): Promise<string[]> {
  const granted = permissions.roots.directories.map(({ path, writable }) => `${path}${writable ? " (writable)" : ""}`);
  const tasks = registry.get("shell_task_output") ? await registry.call("shell_task_output", {}) : undefined;
  const running = tasks?.status === "ok" && /\brunning\b/.test(tasks.content) ? tasks.content : "";
  return [
    granted.length > 0 ? `Granted folders: ${granted.join(", ")}` : "",
    running ? `Background tasks:\n${running}` : "",
  ].filter((line) => line !== "");
}

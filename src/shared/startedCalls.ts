/** Which calls of a saved history had begun to run: what came of them nobody knows, so they must not be run again unasked. */

import type { Message } from "./messages";

/** The calls of the last reply that have no result yet, where nothing but results came after it. */
export function pendingIn(messages: readonly Message[]): { at: number; calls: NonNullable<Message["tool_calls"]> } {
  const answered = new Set<string>();
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role === "tool") answered.add(message.tool_call_id ?? "");
    else return { at, calls: message?.tool_calls?.filter((call) => !answered.has(call.id)) ?? [] };
  }
  return { at: -1, calls: [] };
}

/** The history with a mark on its last reply that names the calls of `begun` without a result; the same array where there are none. */
export function markStarted(messages: Message[], begun: ReadonlySet<string>): Message[] {
  if (begun.size === 0) return messages;
  const { at, calls } = pendingIn(messages);
  const started = calls.map(({ id }) => id).filter((id) => begun.has(id));
  const reply = messages[at];
  return reply && started.length > 0 ? messages.with(at, { ...reply, started }) : messages;
}

/** The history without the marks, and the ids that they named. */
export function takeStarted(messages: readonly Message[]): { messages: Message[]; begun: Set<string> } {
  const begun = new Set<string>();
  const clean = messages.map((message) => {
    if (!message.started) return message;
    const { started, ...rest } = message;
    if (Array.isArray(started)) for (const id of started) begun.add(String(id));
    return rest;
  });
  return { messages: clean, begun };
}

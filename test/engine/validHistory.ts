/** The law of a history, written down a second time: what a strict server checks. */
import type { Message } from "../../src/shared/messages";

/** What is wrong with a history; empty when it is valid. */
export function faultsOf(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let due: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      if (message.tool_call_id !== due[0]) faults.push(`${at}: result of ${message.tool_call_id}, due was ${due[0]}`);
      due = due.slice(1);
      continue;
    }
    if (due.length > 0) faults.push(`${at}: ${message.role} while ${due.join(", ")} have no result`);
    due = [];
    if (message.role !== "assistant") continue;
    if (!message.content && !message.tool_calls?.length) faults.push(`${at}: empty assistant message`);
    for (const call of message.tool_calls ?? []) {
      if (!call.id || seen.has(call.id)) faults.push(`${at}: id ${JSON.stringify(call.id)} is empty or used before`);
      seen.add(call.id);
      due.push(call.id);
    }
  }
  if (due.length > 0) faults.push(`end: ${due.join(", ")} have no result`);
  return faults;
}

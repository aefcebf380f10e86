/** An earlier conversation as printed items: what a person said, what was answered, and what was done. */

import { type Message, type ToolCall, textOf } from "../shared/messages";
import { typedText } from "../shared/reminders";
import type { Card } from "./state/cards";
import type { Item } from "./state/items";

/** Bookkeeping of the engine's own is left out; a summary is said to be there, but not shown. */
export function replayItems(messages: readonly Message[]): Item[] {
  const results = new Map(
    messages.filter((message) => message.role === "tool").map((message) => [message.tool_call_id, message]),
  );
  return messages.flatMap((message) => itemsOf(message, results));
}

/** What stands folded in a conversation, whole: each result, and what was thought beyond a few words. */
export function wholeItems(messages: readonly Message[]): Item[] {
  return replayItems(messages).flatMap((item): Item[] => {
    if (item.kind === "card") return [{ kind: "result", card: item.card, text: item.card.preview }];
    return item.kind === "thought" && isFolded(item.text) ? [{ ...item, isWhole: true }] : [];
  });
}

/** Fewer characters than this fit into the row that is shown anyway. */
const SHORT_THOUGHT = 40;

function isFolded(text: string): boolean {
  return text.trim().length > SHORT_THOUGHT || text.trim().includes("\n");
}

function itemsOf(message: Message, results: ReadonlyMap<string | undefined, Message>): Item[] {
  const text = textOf(message.content);
  if (message.origin === "summary") return [{ kind: "notice", tone: "plain", text: "sessionCompacted" }];
  if (message.origin !== undefined) return [];
  if (message.role === "user") {
    // Without the blocks that the engine put in front: the person never typed them.
    const typed = typedText(message);
    return typed.trim() === "" ? [] : [{ kind: "user", text: typed }];
  }
  if (message.role !== "assistant") return [];
  const said: Item[] = text.trim() === "" ? [] : [{ kind: "markdown", text }];
  const calls = message.tool_calls ?? [];
  const { reasoning = "" } = message;
  const thought: Item[] = reasoning.trim() === "" ? [] : [{ kind: "thought", text: reasoning }];
  return [
    ...thought,
    ...said,
    ...calls.map((call): Item => ({ kind: "card", card: cardOf(call, results.get(call.id)) })),
  ];
}

function cardOf(call: ToolCall, result: Message | undefined): Card {
  const preview = result ? textOf(result.content) : "";
  return {
    id: call.id,
    name: call.function.name,
    args: parseArguments(call.function.arguments),
    state: stateOf(result, preview),
    output: "",
    preview,
  };
}

/** A call without a result was cut off. Beyond that the text tells only some of what happened. */
function stateOf(result: Message | undefined, text: string): Card["state"] {
  if (!result) return "interrupted";
  if (/^Denied\b/.test(text)) return "denied";
  return /^\s*\{\s*"error"/.test(text) ? "error" : "past";
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The one normaliser of a history before it goes out: valid for strict endpoints, and the same bytes for the same input. */

import { type ContentPart, type Message, type ToolCall, textOf } from "../shared/messages";
import { isPlainId, newCallId, nineCharacterId } from "./callIds";

/** What every call without a result is answered with (the engine's own repair says the same). */
export const UNFINISHED = "Interrupted: the tool did not finish. Its effects are unknown; check before you repeat it.";

/**
 * One leading system message; every call answered right behind it and nothing else answered; neighbours of one role
 * joined; no empty assistant message; ids unique, in the form that the endpoint takes.
 */
export function wireHistory(messages: Message[], ids: "plain" | "nine" = "plain"): Message[] {
  const { system, rest } = partSystem(messages);
  const paired = pairCalls(rest, new IdMap(ids));
  const filled = paired.filter((message) => message.role !== "assistant" || isSaying(message));
  return joinNeighbours([...system, ...filled]);
}

/** Later system messages become user text: few endpoints take them in the middle. */
function partSystem(messages: Message[]): { system: Message[]; rest: Message[] } {
  const first = messages.findIndex((message) => message.role !== "system");
  const count = first < 0 ? messages.length : first;
  const texts = messages
    .slice(0, count)
    .map((message) => textOf(message.content))
    .filter((text) => text.trim() !== "");
  const rest = messages.slice(count).map((message) => (message.role === "system" ? asReminder(message) : message));
  return { system: texts.length > 0 ? [{ role: "system", content: texts.join("\n\n") }] : [], rest };
}

function asReminder(message: Message): Message {
  return { role: "user", content: `<system-reminder>\n${textOf(message.content)}\n</system-reminder>` };
}

function isSaying(message: Message): boolean {
  if ((message.tool_calls ?? []).length > 0) return true;
  return typeof message.content === "string" ? message.content.trim() !== "" : (message.content ?? []).length > 0;
}

function pairCalls(messages: Message[], ids: IdMap): Message[] {
  const out: Message[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (!message || message.role === "tool") continue;
    if (message.role !== "assistant" || (message.tool_calls ?? []).length === 0) out.push(withoutCalls(message));
    else out.push(...answered(message, resultsBehind(messages, index), ids));
  }
  return out;
}

/** An empty list of calls is no list of calls. */
function withoutCalls(message: Message): Message {
  if (!("tool_calls" in message)) return message;
  const { tool_calls: _none, ...rest } = message;
  return rest;
}

/** Results up to the next assistant message; what a user said in between comes after them. */
function resultsBehind(messages: Message[], index: number): Message[] {
  const results: Message[] = [];
  for (const message of messages.slice(index + 1, nextReply(messages, index)))
    if (message.role === "tool") results.push(message);
  return results;
}

/** A loop, for this is asked once a reply and histories are long. */
function nextReply(messages: Message[], index: number): number {
  let at = index + 1;
  while (at < messages.length && messages[at]?.role !== "assistant") at += 1;
  return at;
}

function answered(message: Message, results: Message[], ids: IdMap): Message[] {
  const waiting = [...results];
  const given = message.tool_calls ?? [];
  const calls = given.map((call) => wireCall(call, ids.next(call.id)));
  const answers = calls.map((call, index) => {
    const at = waiting.findIndex((result) => (result.tool_call_id ?? "") === (given[index]?.id ?? ""));
    return answerOf(at < 0 ? undefined : waiting.splice(at, 1)[0], call.id);
  });
  const isSame = calls.every((call, index) => call === given[index]);
  return [isSame ? message : { ...message, tool_calls: calls }, ...answers.map(textAnswer), ...shownImages(answers)];
}

/** Arguments are text that parses: strict servers refuse the whole history for ever otherwise. */
function wireCall(call: ToolCall, id: string): ToolCall {
  const args = validArguments(call.function.arguments);
  // Every request walks the whole history: what needs no change is not copied.
  if (call.id === id && call.function.arguments === args) return call;
  return { ...call, id, function: { ...call.function, arguments: args } };
}

function answerOf(result: Message | undefined, id: string): Message {
  if (result?.tool_call_id === id && !("name" in result)) return result;
  const { name: _name, ...rest } = result ?? { role: "tool", content: UNFINISHED };
  return { ...rest, tool_call_id: id };
}

function validArguments(args: unknown): string {
  if (typeof args === "object" && args !== null) return JSON.stringify(args);
  if (typeof args !== "string" || args.trim() === "") return "{}";
  try {
    JSON.parse(args);
    return args;
  } catch {
    return "{}";
  }
}

function textAnswer(answer: Message): Message {
  return typeof answer.content === "string" ? answer : { ...answer, content: textOf(answer.content) };
}

/** Tool messages carry text only: their images follow in one user message behind all results of the reply. */
function shownImages(answers: Message[]): Message[] {
  const parts = answers.flatMap((answer): ContentPart[] => {
    const media = Array.isArray(answer.content) ? answer.content.filter((part) => part.type !== "text") : [];
    return media.length > 0 ? [{ type: "text", text: `From the tool result ${answer.tool_call_id}:` }, ...media] : [];
  });
  return parts.length > 0 ? [{ role: "user", content: parts }] : [];
}

/** Joins neighbours of one role; results and messages with calls stay by themselves. */
export function joinNeighbours(messages: Message[]): Message[] {
  const out: Message[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last && canJoin(last, message)) out[out.length - 1] = joined(last, message);
    else out.push(message);
  }
  return out;
}

function canJoin(first: Message, second: Message): boolean {
  if (first.role !== second.role || first.role === "tool") return false;
  return first.role !== "assistant" || (first.tool_calls ?? []).length === 0;
}

function joined(first: Message, second: Message): Message {
  return { ...first, ...second, content: joinedContent(first.content, second.content) };
}

function joinedContent(first: Message["content"], second: Message["content"]): Message["content"] {
  if (Array.isArray(first) || Array.isArray(second)) return [...partsOf(first), ...partsOf(second)];
  return [first, second].filter(Boolean).join("\n\n");
}

function partsOf(content: Message["content"]): ContentPart[] {
  if (Array.isArray(content)) return content;
  return content ? [{ type: "text", text: content }] : [];
}

/** Gives each call an id of its own. The same history gives the same ids. */
class IdMap {
  readonly #form: "plain" | "nine";
  readonly #taken = new Set<string>();

  constructor(form: "plain" | "nine") {
    this.#form = form;
  }

  next(id: string | undefined): string {
    const kept = id && (this.#form === "nine" || !isPlainId(id)) ? nineCharacterId(id) : (id ?? "");
    const own = kept === "" || this.#taken.has(kept) ? newCallId(this.#taken) : kept;
    this.#taken.add(own);
    return own;
  }
}

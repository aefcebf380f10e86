/** Decodes Chat Completions replies, streamed or whole. Every field may be missing, empty or of another shape. */

import type { StreamChunk, TokenUsage } from "../shared/messages";
import { CallCollector } from "./callCollector";
import { isErrorBody } from "./errorBody";
import { isEndMark, parseEventData } from "./eventData";
import { mergeReasoningDetails } from "./reasoningDetails";
import { lastChunkOf, type ReplyContext, type ReplyDecoder, type ReplyPiece, refusedBy } from "./reply";
import { ReplyText, restOf } from "./replyText";
import type { SseEvent } from "./sse";
import { usageFrom } from "./usage";

type Json = Record<string, unknown>;

/** From this length on, a delta that begins with all that came before it repeats it. */
const REPEAT_FROM = 64;

export class ChatDecoder implements ReplyDecoder {
  readonly #context: ReplyContext;
  readonly #calls: CallCollector;
  readonly #text: ReplyText;
  readonly #details: unknown[] = [];
  #usage: TokenUsage | null = null;
  #label = "";
  #isDone = false;
  #hasBegun = false;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#calls = new CallCollector(context.isTool);
    this.#text = new ReplyText(context);
  }

  event(event: SseEvent): ReplyPiece[] {
    if (isEndMark(event)) {
      this.#isDone = true;
      this.#hasBegun = true;
      return [];
    }
    const data = parseEventData(event);
    if (data === undefined) return [];
    if (event.name === "error" || isErrorBody(data)) throw refusedBy(data);
    return this.#chunk(record(data));
  }

  whole(data: unknown): ReplyPiece[] {
    if (isErrorBody(data)) throw refusedBy(data);
    this.#isDone = true;
    return [data].flat().flatMap((chunk) => this.#chunk(record(chunk)));
  }

  end(): { pieces: ReplyPiece[]; last: StreamChunk } {
    const { pieces, calls } = this.#text.end();
    for (const call of calls) this.#calls.add(call);
    const last = lastChunkOf({
      label: this.#label,
      isComplete: this.#isDone || this.#label !== "",
      hasBegun: this.#hasBegun,
      hasText: this.#text.hasText,
      hasReasoning: this.#text.hasReasoning,
      calls: this.#calls.finish(this.#context.takenIds),
      usage: this.#usage,
      reasoningDetails: this.#details,
    });
    return { pieces, last };
  }

  #chunk(chunk: Json): ReplyPiece[] {
    this.#hasBegun = true;
    const extensions = extensionsOf(chunk);
    this.#usage = usageFrom(chunk.usage ?? extensions.find((part) => part.usage)?.usage, this.#usage);
    const choices = Array.isArray(chunk.choices) ? chunk.choices : [];
    const choice = record(choices.find((entry) => (record(entry).index ?? 0) === 0));
    const failed = choice.error ? choice : extensions.find((part) => part.error);
    if (failed) throw refusedBy(failed);
    this.#usage = usageFrom(choice.usage, this.#usage);
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") this.#label = choice.finish_reason;
    const pieces = this.#delta(typeof choice.text === "string" ? { content: choice.text } : record(choice.delta));
    const late = record(choice.message);
    return Object.keys(late).length > 0 ? [...pieces, ...this.#message(late)] : pieces;
  }

  #delta(delta: Json): ReplyPiece[] {
    this.#addCalls(delta);
    mergeReasoningDetails(this.#details, delta.reasoning_details);
    const parts = partsOf(delta.content);
    const reasoning = newPart(this.#text.reasoning, reasoningOf(delta) + parts.reasoning);
    return this.#text.push(newPart(this.#text.content, parts.content + text(delta.refusal)), reasoning);
  }

  /** A whole message replaces what was streamed: only what is new of it is told. */
  #message(message: Json): ReplyPiece[] {
    if (Array.isArray(message.tool_calls)) this.#calls.replace(message.tool_calls);
    else this.#addCalls(message);
    if (this.#details.length === 0) mergeReasoningDetails(this.#details, message.reasoning_details);
    const parts = partsOf(message.content);
    const reasoning = restOf(this.#text.reasoning, reasoningOf(message) + parts.reasoning);
    return this.#text.push(restOf(this.#text.content, parts.content + text(message.refusal)), reasoning);
  }

  #addCalls(delta: Json): void {
    if (delta.tool_calls) for (const fragment of [delta.tool_calls].flat()) this.#calls.add(fragment);
    // The form before tool_calls: one call, without an id.
    if (delta.function_call && Object.keys(record(delta.function_call)).length > 0)
      this.#calls.add({ index: 0, function: delta.function_call });
  }
}

const NONE: readonly Json[] = [];

/** What servers add to a chunk under names of their own. */
function extensionsOf(chunk: Json): readonly Json[] {
  // Every chunk comes by here, and next to none has any: nothing is built for those.
  let found = NONE;
  for (const key in chunk) if (key.startsWith("x_")) found = [...found, record(chunk[key])];
  return found;
}

function newPart(before: string, piece: string): string {
  return piece.length >= REPEAT_FROM && before !== "" && piece.startsWith(before) ? piece.slice(before.length) : piece;
}

const THOUGHTS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"];

/** Thinking has several names; where a server fills two, they say the same. */
function reasoningOf(delta: Json): string {
  const name = THOUGHTS.find((key) => text(delta[key]) !== "");
  const plain = name === undefined ? "" : text(delta[name]);
  if (plain !== "" || !Array.isArray(delta.reasoning_details)) return plain;
  return delta.reasoning_details.map((detail) => text(record(detail).text) || text(record(detail).summary)).join("");
}

/** Content is text, or a list of typed parts of which only text and thinking are ours. */
function partsOf(content: unknown): { content: string; reasoning: string } {
  if (typeof content === "string" || !content) return { content: text(content), reasoning: "" };
  const parts = [content].flat().map(record);
  const ofType = (...types: string[]) => parts.filter((part) => types.includes(text(part.type)));
  return {
    content: ofType("text", "output_text")
      .map((part) => text(part.text))
      .join(""),
    reasoning: ofType("thinking", "reasoning").map(thinkingOf).join(""),
  };
}

function thinkingOf(part: Json): string {
  if (Array.isArray(part.thinking)) return partsOf(part.thinking).content;
  return text(part.thinking) || text(part.text);
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Decodes Responses API replies. Deltas are told as they come; the final output only adds what they left out. */

import type { StreamChunk, TokenUsage } from "../shared/messages";
import { isErrorBody } from "./errorBody";
import { isEndMark, parseEventData } from "./eventData";
import { lastChunkOf, type ReplyContext, type ReplyDecoder, type ReplyPiece, refusedAs, refusedBy } from "./reply";
import { ReplyText, restOf } from "./replyText";
import { ResponseCalls } from "./responseCalls";
import type { SseEvent } from "./sse";
import { usageFrom } from "./usage";

type Json = Record<string, unknown>;

export class ResponsesDecoder implements ReplyDecoder {
  readonly #context: ReplyContext;
  readonly #calls: ResponseCalls;
  readonly #text: ReplyText;
  /** Finished items by id or position, as far as the stream told of them. */
  readonly #items = new Map<string, Json>();
  #usage: TokenUsage | null = null;
  #label = "";
  #isComplete = false;
  #hasBegun = false;
  #summaryPart = "";
  /** The text since the last done event. */
  #part = "";

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#calls = new ResponseCalls(context.isTool);
    this.#text = new ReplyText(context);
  }

  event(received: SseEvent): ReplyPiece[] {
    if (isEndMark(received)) return [];
    const data = parseEventData(received);
    if (data === undefined) return [];
    this.#hasBegun = true;
    const event = record(data);
    refuseChat(event);
    const type = text(event.type) || received.name;
    // An event type of our own protocol carries its error further inside; everything else with an error is one.
    if (type === "error" || type === "response.error" || (!type.startsWith("response.") && isErrorBody(data)))
      throw refusedBy(data);
    return this.#typed(type, event);
  }

  whole(data: unknown): ReplyPiece[] {
    const response = record(data);
    if (response.object !== "response" && isErrorBody(data)) throw refusedBy(data);
    refuseChat(response);
    this.#hasBegun = true;
    return this.#terminal(response);
  }

  end(): { pieces: ReplyPiece[]; last: StreamChunk } {
    const { pieces, calls } = this.#text.end();
    for (const call of calls) this.#calls.addFromText(call);
    const last = lastChunkOf({
      label: this.#label,
      isComplete: this.#isComplete,
      hasBegun: this.#hasBegun,
      hasText: this.#text.hasText,
      hasReasoning: this.#text.hasReasoning,
      calls: this.#calls.finish(this.#context.takenIds),
      usage: this.#usage,
      reasoningDetails: [...this.#items.values()].filter((item) => item.type === "reasoning"),
    });
    return { pieces, last };
  }

  #typed(type: string, event: Json): ReplyPiece[] {
    if (/^response\.(output_text|refusal|text)\.delta$/.test(type)) return this.#say(text(event.delta));
    if (/^response\.(output_text|refusal|content_part)\.done$/.test(type))
      return this.#text.push(this.#untold(event), "");
    if (/^response\.reasoning(_summary|_text|_summary_text)?\.(delta|done)$/.test(type))
      return this.#text.push("", this.#thought(event));
    if (type.startsWith("response.function_call_arguments.")) this.#calls.arguments(event, type.endsWith(".done"));
    if (type === "response.output_item.added") this.#calls.item(record(event.item), event, false);
    if (type === "response.output_item.done") this.#item(record(event.item), event);
    if (/^response\.(completed|incomplete|failed|done|cancelled)$/.test(type))
      return this.#terminal(record(event.response));
    return [];
  }

  #say(delta: string): ReplyPiece[] {
    this.#part += delta;
    return this.#text.push(delta, "");
  }

  /** What a done event says of its part beyond the deltas; the end of the text so far is what was told. */
  #untold(event: Json): string {
    const whole = text(event.text) || text(event.refusal) || textOfItem({ content: [event.part] });
    const rest = this.#text.content.endsWith(whole) ? "" : restOf(this.#part, whole);
    this.#part = "";
    return rest;
  }

  /** Summaries come in parts; a blank line goes between two. A done event counts where no delta told its part. */
  #thought(event: Json): string {
    const whole = text(event.text);
    if (whole !== "" && this.#text.reasoning.endsWith(whole)) return "";
    const part = `${text(event.item_id)}/${String(event.summary_index ?? event.content_index ?? 0)}`;
    const gap = this.#summaryPart !== "" && this.#summaryPart !== part ? "\n\n" : "";
    this.#summaryPart = part;
    return gap + (whole || text(event.delta));
  }

  #item(item: Json, event: Json): void {
    this.#calls.item(item, event, true);
    const key = text(item.id) || String(event.output_index ?? this.#items.size);
    this.#items.set(key, item);
  }

  /** The last event holds the whole response: its output counts, without telling anything twice. */
  #terminal(response: Json): ReplyPiece[] {
    this.#usage = usageFrom(response.usage, this.#usage);
    if (response.status === "failed" || (response.error !== null && response.error !== undefined))
      throw refusedBy(response);
    if (response.status === "cancelled") throw refusedAs("stream_incomplete", true, "The endpoint cancelled the reply");
    this.#isComplete = true;
    this.#label = labelOf(response);
    for (const [index, item] of list(response.output).entries()) this.#item(item, { output_index: index });
    const messages = [...this.#items.values()].filter((item) => item.type === "message");
    const content = restOf(this.#text.content, messages.map(textOfItem).join(""));
    return this.#text.push(content, this.#text.reasoning === "" ? this.#finalThoughts() : "");
  }

  #finalThoughts(): string {
    const items = [...this.#items.values()].filter((item) => item.type === "reasoning");
    const parts = items.flatMap((item) => [
      ...list(item.summary),
      ...(list(item.summary).length > 0 ? [] : list(item.content)),
    ]);
    return parts
      .map((part) => text(part.text))
      .filter(Boolean)
      .join("\n\n");
  }
}

/** Some front ends answer every path with Chat Completions. */
function refuseChat(answer: Json): void {
  if (!Array.isArray(answer.choices)) return;
  throw refusedAs("endpoint_unsupported", false, "It answered with Chat Completions in place of a response");
}

function labelOf(response: Json): string {
  if (response.status !== "incomplete") return "stop";
  const reason = text(record(response.incomplete_details).reason);
  return /filter|policy|safety/i.test(reason) ? "content_filter" : "length";
}

function textOfItem(item: Json): string {
  return list(item.content)
    .map((part) => text(part.text) || text(part.refusal))
    .join("");
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

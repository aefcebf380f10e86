/** Writes a reply as the Responses API does: typed events with sequence numbers, or one response object. */

import type { TokenUsage } from "../../shared/messages";
import { callsOf, type ModelRequest, piecesOf, type Reply, usageOf } from "./script";

type Json = Record<string, unknown>;

/** One output item in the making: how it opens, the events of its content, and how it ends. */
interface Item {
  opened: Json;
  events: (place: Json) => Json[];
  done: Json;
}

/** The events of a streamed reply, one string each; the last is `response.completed`, `.incomplete` or `.failed`. */
export function responsesEvents(reply: Reply, request: ModelRequest, serial: number): string[] {
  const items = itemsOf(reply, serial);
  const started = { ...shell(request, serial), status: "in_progress", output: [] };
  const events: Json[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...items.flatMap((item, index) => itemEvents(item, index)),
    ending(reply, request, serial),
  ];
  return events.map((event, index) => {
    const data = { type: event.type, sequence_number: index, ...event };
    return `event: ${String(event.type)}\ndata: ${JSON.stringify(data)}\n\n`;
  });
}

/** The same reply as one response object. */
export function responseObject(reply: Reply, request: ModelRequest, serial: number): Json {
  const usage = usageOf(reply, request);
  return {
    ...shell(request, serial),
    ...outcome(reply),
    output: itemsOf(reply, serial).map((item) => item.done),
    usage: usage && responsesUsage(usage),
  };
}

function ending(reply: Reply, request: ModelRequest, serial: number): Json {
  const response = responseObject(reply, request, serial);
  return { type: `response.${String(response.status)}`, response };
}

function outcome(reply: Reply): Json {
  if (reply.finish === "length") return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  if (reply.finish === "content_filter")
    return { status: "incomplete", incomplete_details: { reason: "content_filter" } };
  if (reply.finish === "error") {
    return { status: "failed", error: { code: "server_error", message: "The model failed while it was writing." } };
  }
  return { status: "completed", incomplete_details: null, error: null };
}

function shell(request: ModelRequest, serial: number): Json {
  return { id: `resp_${serial}`, object: "response", created_at: 1, model: request.model };
}

function itemEvents(item: Item, index: number): Json[] {
  const place = { item_id: item.done.id, output_index: index };
  return [
    { type: "response.output_item.added", output_index: index, item: item.opened },
    ...item.events(place),
    { type: "response.output_item.done", output_index: index, item: item.done },
  ];
}

function itemsOf(reply: Reply, serial: number): Item[] {
  return [
    ...(reply.reasoning ? [reasoningItem(reply, reply.reasoning, serial)] : []),
    ...(reply.text ? [messageItem(reply, reply.text, serial)] : []),
    ...callsOf(reply, serial).map((call, index) => callItem(reply, call, `fc_${serial}_${index + 1}`)),
  ];
}

function reasoningItem(reply: Reply, text: string, serial: number): Item {
  const base = { id: `rs_${serial}`, type: "reasoning" };
  const part = { type: "summary_text", text };
  return {
    opened: { ...base, summary: [] },
    done: { ...base, summary: [part], encrypted_content: Buffer.from(text).toString("base64") },
    events: (place) => {
      const at = { ...place, summary_index: 0 };
      return [
        { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
        ...piecesOf(text, reply.chunk).map((delta) => ({
          type: "response.reasoning_summary_text.delta",
          ...at,
          delta,
        })),
        { type: "response.reasoning_summary_text.done", ...at, text },
        { type: "response.reasoning_summary_part.done", ...at, part },
      ];
    },
  };
}

function messageItem(reply: Reply, text: string, serial: number): Item {
  const base = { id: `msg_${serial}`, type: "message", role: "assistant" };
  const part = { type: "output_text", text, annotations: [] };
  return {
    opened: { ...base, status: "in_progress", content: [] },
    done: { ...base, status: "completed", content: [part] },
    events: (place) => {
      const at = { ...place, content_index: 0 };
      return [
        { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
        ...piecesOf(text, reply.chunk).map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
        { type: "response.output_text.done", ...at, text },
        { type: "response.content_part.done", ...at, part },
      ];
    },
  };
}

function callItem(reply: Reply, call: { id: string; name: string; args: string }, id: string): Item {
  const base = { id, type: "function_call", call_id: call.id, name: call.name };
  return {
    opened: { ...base, arguments: "", status: "in_progress" },
    done: { ...base, arguments: call.args, status: reply.finish === "length" ? "incomplete" : "completed" },
    events: (place) => [
      ...piecesOf(call.args, reply.chunk).map((delta) => ({
        type: "response.function_call_arguments.delta",
        ...place,
        delta,
      })),
      { type: "response.function_call_arguments.done", ...place, arguments: call.args },
    ],
  };
}

function responsesUsage(usage: TokenUsage): Json {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    input_tokens_details: { cached_tokens: usage.cached ?? 0 },
    output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

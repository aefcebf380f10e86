/** Short ways to write a dialect case: Chat and Responses streams, refusals, and refusals that a changed request mends. */
import type { CaseResponse, DialectCase, Json, Piece, Predicate } from "../dialectCase";

type Expect = DialectCase["expect"];

const SSE = { "content-type": "text/event-stream; charset=utf-8" };
const JSON_TYPE = { "content-type": "application/json" };

export const DONE = "data: [DONE]\n\n";

/** One server-sent event. */
export const sse = (data: unknown, name = ""): string =>
  `${name === "" ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** A Chat chunk around a delta. */
export const chunk = (delta: Json, finish: unknown = null, more: Json = {}): Json => ({
  ...{ id: "c-1", object: "chat.completion.chunk", created: 1, model: "m-1" },
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});

/** A fragment of a call; what is undefined is not sent. */
export const fragment = (index: unknown, id: unknown, name?: unknown, args?: unknown): Json => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id, type: "function" }),
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});

export const calls = (...fragments: Json[]): Json => chunk({ tool_calls: fragments });
export const wanted = (name: string, args: Json, id = "*") => ({ id, name, arguments: args });

/** A Chat stream: each event is one write. Strings are written as they are. */
export function stream(events: unknown[], more: Partial<CaseResponse> = {}): CaseResponse {
  const chunks = events.map((event): Piece => {
    if (typeof event === "string") return event;
    const isPiece = typeof event === "object" && event !== null && ("hex" in event || "delayMs" in event);
    return isPiece ? (event as Piece) : sse(event);
  });
  return { status: 200, headers: SSE, chunks, ...more };
}

export const GOOD = stream([
  chunk({ role: "assistant", content: "" }),
  chunk({ content: "Done." }),
  chunk({}, "stop"),
  chunk({}, null, { choices: [], usage: { prompt_tokens: 20, completion_tokens: 2 } }),
  DONE,
]);

export function chat(id: string, events: unknown[] | CaseResponse, expect: Expect, more: Json = {}): DialectCase {
  return {
    id,
    kind: kindOf(id),
    api: "chat",
    response: Array.isArray(events) ? stream(events) : events,
    expect,
    ...more,
  };
}

/** What comes of a Chat stream of calls that ends as it should. */
export function chatCalls(id: string, events: Json[], toolCalls: Expect["toolCalls"], finish: unknown = "tool_calls") {
  const all = [
    chunk({ role: "assistant", content: "" }),
    ...events,
    ...(finish === undefined ? [] : [chunk({}, finish)]),
    DONE,
  ];
  return chat(id, all, { text: "", finish: "tool_calls", ...(toolCalls ? { toolCalls } : {}) });
}

export const retriable = (name: string, retryAfterMs?: number) => ({
  error: { class: name, retriable: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
});
export const final = (name: string) => ({ error: { class: name, retriable: false } });

const body = (text: unknown) => [typeof text === "string" ? text : JSON.stringify(text)];
const typeOf = (text: unknown) =>
  typeof text === "string" && text.startsWith("<") ? { "content-type": "text/html" } : JSON_TYPE;

/** A refusal that stands, whatever is tried; it is not waited for. */
export function refused(id: string, status: number, text: unknown, expect: Expect, headers: Json = {}): DialectCase {
  const response = { status, headers: { ...typeOf(text), ...headers }, chunks: body(text) };
  return { id, kind: kindOf(id), api: "chat", setup: { env: { OPENAI_MAX_RETRIES: "0" } }, response, expect };
}

export const openai = (message: string, more: Json = {}) => ({
  error: { message, type: "invalid_request_error", ...more },
});

interface Mend {
  when: Predicate;
  status: number;
  body: unknown;
  as: string;
  setup?: Json;
  max?: number;
  api?: "chat" | "responses";
  fallback?: false | string;
  good?: CaseResponse;
  /** What the last request must still hold. */
  keeps?: Predicate;
}

/** A refusal for as long as `when` holds, then a good reply: the request must have changed. */
export function mended(
  id: string,
  { when, status, body: text, as, setup, max = 3, api = "chat", ...more }: Mend,
): DialectCase {
  const { fallback = false, good = api === "chat" ? GOOD : GOOD_RESPONSE, keeps } = more;
  const lastNot = keeps ? { any: [when, { not: keeps }] } : when;
  return {
    ...{ id, kind: kindOf(id), api, setup: setup ?? {} },
    response: [
      { when, status, headers: typeOf(text), chunks: body(text) },
      { when: { path: "responses" }, ...GOOD_RESPONSE },
      good,
    ].filter((_, index) => index !== 1 || api === "responses"),
    expect: {
      ...{ text: "Done.", finish: "stop", requests: { max, lastNot } },
      recovers: { class: as, retriable: false, fallback },
    },
  };
}

/** A Responses event. */
export const event = (type: string, more: Json = {}): string => sse({ type, ...more }, type);
export const message = (text: string, id = "msg_1") => ({
  ...{ id, type: "message", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, annotations: [] }],
});
export const completed = (output: Json[], more: Json = {}): string =>
  event("response.completed", {
    response: {
      id: "resp_1",
      object: "response",
      status: "completed",
      output,
      usage: { input_tokens: 20, output_tokens: 2 },
      ...more,
    },
  });
export const callItem = (id: string | undefined, callId: string | undefined, name: string, args: unknown) => ({
  ...(id === undefined ? {} : { id }),
  ...(callId === undefined ? {} : { call_id: callId }),
  ...{ type: "function_call", name, arguments: args },
});

export const GOOD_RESPONSE = stream([
  event("response.created", { response: { id: "resp_1", object: "response", status: "in_progress", output: [] } }),
  event("response.output_text.delta", { item_id: "msg_1", output_index: 0, delta: "Done." }),
  completed([message("Done.")]),
]);

export function responses(id: string, events: unknown[] | CaseResponse, expect: Expect, more: Json = {}): DialectCase {
  return { ...chat(id, events, expect, more), api: "responses" };
}

/** The kind stands in front of the id: `tool-index/name`. */
function kindOf(id: string): string {
  return id.split("/")[0] ?? id;
}

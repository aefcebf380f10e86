/** Names the ways of an endpoint that one of its answers shows (docs/endpoints.md): the kind, and what showed it. */

import { classify, maskKeys } from "../classify";
import { type ErrorWords, errorWordsOf, isErrorBody, parseErrorBody } from "../errorBody";
import { PER_TIME, STATE } from "../errorPatterns";
import type { ObservedAnswer } from "../observing";
import { SseParser } from "../sse";
import { chatTraits } from "./chatTraits";
import { responsesTraits } from "./responsesTraits";
import { type Json, type Tell, type Trait, TraitList } from "./TraitList";

/** Every trait once, in the order in which it showed. Never throws. */
export function traitsOf(answer: ObservedAnswer): Trait[] {
  const list = new TraitList();
  const tell = list.tell;
  if (answer.broke !== undefined) tell("transport", answer.broke);
  if (answer.status >= 400) tellRefusal(parseErrorBody(answer.text), answer, tell);
  else if (answer.status > 0) tellReply(answer, tell);
  return list.traits;
}

const KINDS: Record<string, string> = {
  rate_limit: "rate-limit",
  quota: "quota",
  auth: "auth",
  forbidden: "auth",
  model_not_found: "model-not-found",
  endpoint_unsupported: "responses-fallback",
  capability: "capability",
  context_overflow: "context-overflow",
  payload_too_large: "unsendable-bytes",
  content_filter: "finish-mismatch",
  output_rejected: "output-rejected",
  overloaded: "server-transient",
  server: "server-transient",
  tool_schema: "tool-schema",
  malformed_response: "not-a-stream",
};

function tellRefusal(words: ErrorWords, answer: Partial<ObservedAnswer>, tell: Tell): void {
  const { errorType } = classify({ status: answer.status, headers: answer.headers ?? {}, words });
  const kind = KINDS[errorType] ?? refusalKind(words, errorType);
  tell(kind, [answer.status ? String(answer.status) : "", words.message || words.code || words.type].join(" ").trim());
  if (kind !== "rate-limit" && (answer.status === 429 || PER_TIME.test(words.message)) && kind !== "quota")
    tell("rate-limit", words.message);
  if (words.isHtml) tell("not-a-stream", "a web page");
}

/** Which part of the request was refused, by what the refusal speaks of. */
function refusalKind({ message, code, param }: ErrorWords, errorType: string): string {
  const text = `${message} ${code} ${param}`;
  if (errorType === "unsupported_param") {
    if (/\b(role|developer|system)\b/i.test(text)) return "roles-order";
    return /reasoning.{0,20}(item|summary|type)|input\[\d+\]/i.test(text) ? "responses-fallback" : "param-refused";
  }
  if (/reasoning_content|reasoning_details|thought_signature|thinking|signature/i.test(text)) return "reasoning-echo";
  if (STATE.test(text)) return "responses-state";
  if (/(call|tool)[_ -]?(use)?_?ids?\b.{0,60}(length|pattern|match|character|alphanumeric|a-z|invalid)/i.test(text))
    return "call-ids";
  return /content|arguments/i.test(text) && !/\b(role|system|follow|preced|alternat)/i.test(text)
    ? "message-content"
    : "roles-order";
}

function tellReply(answer: ObservedAnswer, tell: Tell): void {
  const text = answer.text.replace(/^\uFEFF/, "").trimStart();
  if (answer.hasSplitCharacters) tell("sse-framing", "characters cut in two by the border of two pieces");
  if (/^[{[]/.test(text)) tellWhole(text, answer, tell);
  else if (text.startsWith("<")) tell("not-a-stream", "a web page with a friendly status");
  else if (text === "") tell("stream-end", "an empty body");
  else tellEvents(answer, tell);
}

function tellEvents(answer: ObservedAnswer, tell: Tell): void {
  tellFraming(answer, tell);
  const events = dataOf(answer.text);
  for (const { name, data } of events.parsed) {
    if (isErrorBody(data) || name === "error" || data.type === "response.failed") tellInBand(data, tell);
  }
  const payloads = events.parsed.map(({ data }) => data);
  // What came says which protocol it is, whatever the path: some front ends answer every path alike.
  if (payloads.some(({ type }) => /^response\./.test(String(type)))) responsesTraits(payloads, tell);
  else chatTraits({ chunks: payloads, isMarked: events.isMarked, tell });
}

/** One JSON object where a stream was asked for; a completion is judged like a stream of one chunk. */
function tellWhole(text: string, answer: ObservedAnswer, tell: Tell): void {
  if (answer.path.endsWith("/models")) return;
  const data = parse(text.replace(/\s*data:\s*\[DONE\]\s*$/, ""));
  const isStreamWanted = (parse(answer.request) as Json | undefined)?.stream === true;
  if (isStreamWanted) tell("not-a-stream", `one JSON body as ${String(answer.headers["content-type"] ?? "no type")}`);
  if (data === undefined) return;
  if (isErrorBody(data)) tellInBand(data, tell);
  else if (answer.path.endsWith("/chat/completions")) chatTraits({ chunks: [data as Json], isMarked: true, tell });
}

function tellInBand(data: unknown, tell: Tell): void {
  const response = (data as Json).response as Json | undefined;
  const words = errorWordsOf(response?.error ? response : data);
  tell("in-band-error", maskKeys(words.message || words.code || words.type));
  tellRefusal(words, {}, tell);
}

function tellFraming({ text, headers, path }: ObservedAnswer, tell: Tell): void {
  const about = (evidence: string) => tell("sse-framing", evidence);
  if (text.startsWith("\uFEFF")) about("a byte order mark");
  if (/\r/.test(text)) about("lines end with CR");
  if (/^data:[^ \r\n]/m.test(text)) about("no space after data:");
  if (/^:/m.test(text)) about("comments");
  if (/^data: ?:?[^\S\n]*$/m.test(text) || /^data: :/m.test(text)) about("empty payloads");
  if (/^data:.*\r?\ndata:/m.test(text)) about("payloads of several lines");
  if (/^(id|retry):/m.test(text) || (/^event:/m.test(text) && path.endsWith("/chat/completions")))
    about("extra fields");
  const type = String(headers["content-type"] ?? "");
  if (!type.includes("event-stream")) tell("not-a-stream", `events that call themselves ${type || "nothing"}`);
}

function dataOf(text: string): { parsed: { name: string; data: Json }[]; isMarked: boolean } {
  const parser = new SseParser();
  const events = [...parser.push(Buffer.from(text)), ...parser.end()];
  const parsed = events.flatMap(({ name, data }) => {
    const value = parse(data);
    return typeof value === "object" && value !== null ? [{ name, data: value as Json }] : [];
  });
  return { parsed, isMarked: events.some(({ data }) => data.trim() === "[DONE]") };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

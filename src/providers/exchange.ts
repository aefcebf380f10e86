/** One request and its reply: sends the body, sniffs what came back, and streams the decoded pieces. */

import type { StreamChunk } from "../shared/messages";
import { ChatDecoder } from "./chatDecoder";
import { classify } from "./classify";
import { parseErrorBody } from "./errorBody";
import { lastEvents, separateEvents } from "./eventData";
import type { HttpAnswer } from "./http";
import type { ApiMode } from "./modelCall";
import type { ClientCall } from "./openaiClient";
import { EMPTY_CHUNK, Refused, type ReplyContext, type ReplyDecoder, type ReplyPiece, refusedAs } from "./reply";
import { ResponsesDecoder } from "./responsesDecoder";
import { type SseEvent, SseParser } from "./sse";

export interface Exchange {
  call: ClientCall;
  api: ApiMode;
  /** The body as JSON. */
  raw: string;
  signal: AbortSignal;
  context: ReplyContext;
  /** Told once, when the headers are there. */
  onAnswer?: (answer: HttpAnswer) => void;
}

export const PATHS: Record<ApiMode, string> = { responses: "/responses", chat: "/chat/completions" };

/** How much of an error body is read, and how much of a reply that is no stream. */
const MAX_ERROR_BYTES = 256 * 1024;
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

/** Throws `Refused`, `ModelError` (network, idle) or the signal's reason. The last chunk carries the end of the reply. */
export async function* exchange({ call, api, raw, signal, context, onAnswer }: Exchange): AsyncGenerator<StreamChunk> {
  const answer = await call(PATHS[api], { body: raw, signal });
  onAnswer?.(answer);
  if (answer.status >= 300) throw await refusalOf(answer);
  const decoder = api === "chat" ? new ChatDecoder(context) : new ResponsesDecoder(context);
  // Plain loops: handing an array on with yield* costs a promise a piece.
  for await (const pieces of decoded(answer, decoder)) for (const piece of pieces) yield chunkOf(piece);
  const { pieces, last } = decoder.end();
  for (const piece of pieces) yield chunkOf(piece);
  yield last;
}

async function refusalOf(answer: HttpAnswer): Promise<Refused> {
  const body = await readText(answer, MAX_ERROR_BYTES);
  return new Refused(classify({ status: answer.status, headers: answer.headers, words: parseErrorBody(body) }));
}

/** The first byte says what came, whatever the header says: an object, a page, or events. */
async function* decoded(answer: HttpAnswer, decoder: ReplyDecoder): AsyncGenerator<ReplyPiece[]> {
  const parser = new SseParser();
  let head: Buffer = Buffer.alloc(0);
  let isStream = false;
  let hasEvents = false;
  for await (const bytes of answer.body) {
    if (!isStream) {
      head = withoutSpace(head.length === 0 ? bytes : Buffer.concat([head, bytes]));
      if (head.length > MAX_WHOLE_BYTES) throw tooLong();
      const first = firstCharacter(head);
      if (first === undefined || /[{[<]/.test(first)) continue;
    }
    const events = separateEvents(parser.push(isStream ? bytes : head));
    isStream = true;
    hasEvents ||= events.length > 0;
    yield* together(events, decoder);
  }
  if (!isStream) return yield decodeWhole(head, answer, decoder);
  const events = lastEvents(parser.end());
  yield* together(events, decoder);
  if (!hasEvents && events.length === 0) refusePlainText(head, answer);
}

/** The pieces of events that came in one go, as one list; what came before a failure is given before it is thrown. */
function* together(events: SseEvent[], decoder: ReplyDecoder): Generator<ReplyPiece[]> {
  const all: ReplyPiece[] = [];
  try {
    for (const event of events) all.push(...decoder.event(event));
  } catch (error) {
    if (all.length > 0) yield all;
    throw error;
  }
  if (all.length > 0) yield all;
}

/** Comments alone are an empty reply; a sentence is a proxy's excuse under a friendly status. */
function refusePlainText(head: Buffer, { url }: HttpAnswer): void {
  const text = head.toString("utf8").trim();
  if (text === "" || text.startsWith(":") || /^(event|id|retry|data):?/.test(text)) return;
  throw refusedAs(
    "malformed_response",
    true,
    `${url} answered with text instead of a model's reply: ${text.slice(0, 200)}`,
  );
}

/** Some servers send line breaks for as long as the model takes to begin; they are not kept. */
function withoutSpace(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
  return start < 0 ? bytes.subarray(bytes.length) : bytes.subarray(start);
}

function firstCharacter(bytes: Buffer): string | undefined {
  const text = bytes
    .toString("utf8", 0, 512)
    .replace(/^\uFEFF/, "")
    .trimStart();
  // A byte order mark may itself be cut in two.
  return text === "" || (bytes.length < 3 && bytes[0] === 0xef) ? undefined : text[0];
}

function decodeWhole(bytes: Buffer, answer: HttpAnswer, decoder: ReplyDecoder): ReplyPiece[] {
  const text = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  if (text === "") return [];
  if (text.startsWith("<")) throw webPage(text, answer);
  const data = parseJson(text.replace(/\s*data:\s*\[DONE\]\s*$/, ""));
  if (data === undefined) {
    const lines = jsonLines(bytes);
    if (lines.length > 1) return [...together(lines, decoder)].flat();
    throw refusedAs(
      "malformed_response",
      false,
      `${answer.url} answered with something that is neither a stream nor JSON: ${text.slice(0, 80)}`,
    );
  }
  return decoder.whole(data);
}

/** One object a line, without a frame around it: what a stream is called where nobody frames events. */
function jsonLines(bytes: Buffer): SseEvent[] {
  const parser = new SseParser();
  return separateEvents([...parser.push(bytes), ...parser.end()]);
}

function webPage(text: string, { url, headers }: HttpAnswer): Refused {
  const title = /<title[^>]*>([^<]*)</i.exec(text)?.[1]?.trim();
  const type = String(headers["content-type"] ?? "text/html").split(";")[0];
  const page = title ? `a web page (${type}, "${title.slice(0, 80)}")` : `a web page (${type})`;
  const refused = refusedAs(
    "malformed_response",
    false,
    `${url} answered with ${page} instead of a model's reply. Check the base URL: it usually ends in /v1`,
  );
  refused.verdict.words.isHtml = true;
  return refused;
}

function tooLong(): Refused {
  return refusedAs("malformed_response", false, "The endpoint sent a reply of more than 32 MB");
}

export async function readText(answer: HttpAnswer, limit: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const bytes of answer.body) {
    parts.push(bytes);
    length += bytes.length;
    if (length >= limit) break;
  }
  return Buffer.concat(parts).toString("utf8", 0, limit);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function chunkOf(piece: ReplyPiece): StreamChunk {
  const { content = null, reasoning = null, reclassify } = piece;
  return { ...EMPTY_CHUNK, content, reasoning, ...(reclassify ? { reclassify } : {}) };
}

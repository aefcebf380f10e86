/** How many tokens a text will cost, without a tokenizer: weights per kind of character (docs/guide.md, "Context"). */

import type { ToolSchema } from "../shared/contracts";
import type { ContentPart, Message } from "../shared/messages";

/** Tokens per character, measured against o200k on fifteen kinds of text. */
const LETTER = 0.21;
const DIGIT = 1;
const SPACE = 0.1;
const NEWLINE = 0.4;
const OTHER_ASCII = 0.62;
const HAN_OR_KANA = 0.82;
const HANGUL = 0.6;
const WIDE_PUNCTUATION = 0.75;
const OTHER = 0.5;

/** Unbroken runs of this length with an upper-case letter or a digit are keys, hashes, base64: no words. */
const OPAQUE_RUN = 24;
const OPAQUE = 0.62;

const PER_MESSAGE = 4;
const PER_CALL = 10;
const PER_IMAGE = 1_200;
const BYTES_PER_MEDIA_TOKEN = 1_000;

/**
 * Estimated tokens of a text. A bare loop over numbers: it runs over the whole first request before anything is compiled,
 * where each object or call in it would cost the start tens of milliseconds.
 */
export function estimateText(text: string): number {
  const end = text.length;
  let total = 0;
  let runLength = 0;
  let runCost = 0;
  let isOpaque = 0;
  for (let at = 0; at <= end; at += 1) {
    const code = at < end ? text.charCodeAt(at) : 0;
    const weight = at === end ? 0 : code < 128 ? (ascii[code] ?? OTHER_ASCII) : weightBeyondAscii(code);
    if (at < end && code < 128 && inRun[code] === 1) {
      runLength += 1;
      runCost += weight;
      isOpaque |= marksOpaque[code] ?? 0;
      continue;
    }
    total += weight + (isOpaque === 1 && runLength >= OPAQUE_RUN ? runLength * OPAQUE : runCost);
    runLength = 0;
    runCost = 0;
    isOpaque = 0;
  }
  return total;
}

const ascii = Float64Array.from({ length: 128 }, (_, code) => asciiWeight(code));
const inRun = Uint8Array.from({ length: 128 }, (_, code) => Number(/[A-Za-z0-9+/=]/.test(String.fromCharCode(code))));
const marksOpaque = Uint8Array.from({ length: 128 }, (_, code) => Number(/[A-Z0-9]/.test(String.fromCharCode(code))));

function asciiWeight(code: number): number {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return LETTER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (character === "\n") return NEWLINE;
  return character === " " || character === "\t" || character === "\r" ? SPACE : OTHER_ASCII;
}

function weightBeyondAscii(code: number): number {
  if (code >= 0x3040 && code <= 0x30ff) return HAN_OR_KANA;
  if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff)) return HAN_OR_KANA;
  if ((code >= 0xac00 && code <= 0xd7a3) || (code >= 0x1100 && code <= 0x11ff)) return HANGUL;
  if ((code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xffef)) return WIDE_PUNCTUATION;
  return OTHER;
}

const messageCosts = new WeakMap<Message, number>();

/** Estimated tokens of a message, worked out once per message object. */
export function estimateMessage(message: Message): number {
  const known = messageCosts.get(message);
  if (known !== undefined) return known;
  let cost = PER_MESSAGE + estimateContent(message.content) + estimateText(message.reasoning ?? "");
  for (const call of message.tool_calls ?? []) {
    cost += PER_CALL + estimateText(call.function.name) + estimateText(String(call.function.arguments ?? ""));
  }
  messageCosts.set(message, cost);
  return cost;
}

function estimateContent(content: Message["content"]): number {
  if (typeof content === "string") return estimateText(content);
  return (content ?? []).reduce((sum, part) => sum + estimatePart(part), 0);
}

/** Estimated tokens of a piece of content; pictures cost the same whatever they show. */
export function estimatePart(part: ContentPart): number {
  if (part.type === "text") return estimateText(part.text);
  if (part.type === "image_url") return PER_IMAGE;
  return (part.dataUrl.length * 3) / 4 / BYTES_PER_MEDIA_TOKEN;
}

const schemaCosts = new WeakMap<ToolSchema, number>();

/** Estimated tokens of the tools that a request carries. */
export function estimateTools(schemas: readonly ToolSchema[]): number {
  let total = 0;
  for (const schema of schemas) {
    const cost = schemaCosts.get(schema) ?? estimateText(JSON.stringify(schema.function)) + PER_CALL;
    schemaCosts.set(schema, cost);
    total += cost;
  }
  return total;
}

/** Estimated tokens of messages. */
export function estimateMessages(messages: readonly Message[], from = 0): number {
  let total = 0;
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at];
    if (message) total += estimateMessage(message);
  }
  return total;
}

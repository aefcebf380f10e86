/** Whatever a tool returns or throws, as the one shape that the loop knows (docs/tools.md, "What a tool returns"). */

import type { ToolResult } from "../shared/contracts";
import { isZqError, messageOf } from "../shared/errors";
import type { MessageAttachment } from "../shared/messages";
import { plainData } from "../shared/plainData";

/**
 * A string and an object with a string `content` are taken as they are, an object with `error` is an error, anything
 * else is sent as JSON. Throws only where there is no JSON for the value (a circle).
 */
export function resultOf(value: unknown): ToolResult {
  if (typeof value === "string") return { content: value, status: "ok" };
  if (isLongForm(value)) return soundForm(value);
  return { content: jsonOf(value), status: hasError(value) ? "error" : "ok" };
}

/** A thrown error as the model reads it: `{ "error": …, "error_type": … }` (guide 7.2). */
export function resultOfError(error: unknown): ToolResult {
  return { content: JSON.stringify({ error: messageOf(error), error_type: errorType(error) }), status: "error" };
}

function isLongForm(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && "content" in value && typeof value.content === "string";
}

/** A host's tool is held to no type: a status or attachments that nobody knows must not break the turn. */
function soundForm(value: ToolResult): ToolResult {
  const { attachments, status, display, ...rest } = value;
  const usable = Array.isArray(attachments) ? attachments.filter(isAttachment) : [];
  const known = status === "error" || status === "interrupted" ? status : "ok";
  const shown = plainData(display);
  return {
    ...rest,
    status: known,
    ...(shown !== undefined && { display: shown }),
    ...(usable.length > 0 && { attachments: usable }),
  };
}

function isAttachment(value: unknown): value is MessageAttachment {
  const { name, mimeType, dataUrl } = (value ?? {}) as Partial<MessageAttachment>;
  return typeof name === "string" && typeof mimeType === "string" && typeof dataUrl === "string";
}

function hasError(value: unknown): boolean {
  return typeof value === "object" && value !== null && "error" in value && Boolean(value.error);
}

function jsonOf(value: unknown): string {
  const plain = (_key: string, part: unknown) => (typeof part === "bigint" ? part.toString() : part);
  return JSON.stringify(value, plain) ?? "null";
}

function errorType(error: unknown): string {
  if (isZqError(error)) return error.code;
  return error instanceof Error && typeof error.name === "string" ? error.name : "Error";
}

/** A plain sentence as an error: what happened, why, what next. */
export function failed(sentence: string): ToolResult {
  return { content: sentence, status: "error" };
}

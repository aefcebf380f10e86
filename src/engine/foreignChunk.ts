/** Chunks of a provider of the host's own, which is held to no type: brought into the shape that the loop counts on. */

import { ModelError } from "../shared/errors";
import type { StreamChunk, TokenUsage, ToolCall } from "../shared/messages";
import { plainData } from "../shared/plainData";

/** The same chunk where it is sound; else one without what cannot be read. Throws `ModelError` for what is no chunk. */
export function soundChunk(given: StreamChunk): StreamChunk {
  if (typeof given !== "object" || given === null) throw malformed("The provider gave a chunk that is no object.");
  const { content, reasoning, finishReason, usage, toolCalls, reasoningDetails } = given;
  const isBare = !usage && !toolCalls && !reasoningDetails;
  if (isText(content) && isText(reasoning) && isText(finishReason) && isBare) return given;
  return {
    ...given,
    content: isText(content) ? content : null,
    reasoning: isText(reasoning) ? reasoning : null,
    finishReason: isText(finishReason) ? finishReason : String(finishReason),
    usage: usage && isCount(usage.input) && isCount(usage.output) ? soundUsage(usage) : null,
    // These go into the history, and so to the disk and back to the endpoint.
    toolCalls: (plainData(toolCalls) as ToolCall[] | null | undefined) ?? null,
    ...(Array.isArray(reasoningDetails) && { reasoningDetails: plainData(reasoningDetails) as unknown[] }),
  };
}

/** Throws `ModelError` unless these are calls with a name: others would stay in the history and break every turn after. */
export function requireCalls(calls: unknown): void {
  const areCalls = Array.isArray(calls) && calls.every((call: ToolCall | null) => isName(call?.function?.name));
  if (!areCalls) throw malformed("The provider gave tool calls without a name.");
}

function soundUsage({ input, output, cached, reasoning, estimated }: TokenUsage): TokenUsage {
  return {
    ...{ input, output },
    ...(isCount(cached) && { cached }),
    ...(isCount(reasoning) && { reasoning }),
    ...(estimated === true && { estimated }),
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" || value === null || value === undefined;
}

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function malformed(message: string): ModelError {
  return new ModelError("malformed_response", message, { retriable: true });
}

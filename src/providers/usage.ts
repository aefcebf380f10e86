/** Token counts in the spellings of the vendors; the last count that is not zero wins. */

import type { TokenUsage } from "../shared/messages";

type Json = Record<string, unknown>;

/** The usage object as ours, or `before` where it says nothing. Counts are never added up: servers repeat totals. */
export function usageFrom(data: unknown, before: TokenUsage | null): TokenUsage | null {
  const usage = record(data);
  const input = count(usage.prompt_tokens, usage.input_tokens);
  const output = count(usage.completion_tokens, usage.output_tokens);
  if (input + output === 0) return before;
  const cached = count(
    record(usage.prompt_tokens_details).cached_tokens,
    record(usage.input_tokens_details).cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.cache_read_input_tokens,
  );
  const reasoning = count(
    record(usage.completion_tokens_details).reasoning_tokens,
    record(usage.output_tokens_details).reasoning_tokens,
    usage.reasoning_tokens,
  );
  return { input, output, ...(cached > 0 ? { cached } : {}), ...(reasoning > 0 ? { reasoning } : {}) };
}

function count(...values: unknown[]): number {
  for (const value of values) if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  return 0;
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

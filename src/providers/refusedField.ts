/** Finds which field of a request a refusal means: by `param`, by location, by a name in its sentence. */

import type { ErrorWords } from "./errorBody";
import type { Body } from "./modelCall";

/** Fields that a request can do without, most particular first. Paths lead through objects and lists. */
const OPTIONAL = [
  "stream_options.include_usage",
  "stream_options",
  "tools.function.strict",
  "tools.strict",
  "reasoning.summary",
  "reasoning.effort",
  "reasoning_effort",
  "reasoning",
  "include",
  "store",
  "prompt_cache_key",
  "parallel_tool_calls",
  "temperature",
  "max_completion_tokens",
  "max_output_tokens",
  "max_tokens",
  "tool_choice",
  "stream",
  "messages.reasoning_content",
  "messages.reasoning_details",
  "messages.tool_calls.extra_content",
  "input.id",
];

/** The path of the refused field as it stands in `body`; undefined where none of those that could be left out is meant. */
export function refusedField(words: ErrorWords, body: Body): string | undefined {
  const sent = OPTIONAL.filter((path) => isSent(body, path.split(".")));
  return nearest(sent, words.param) ?? named(sent, words.message);
}

/** `param` and `loc` are paths with list positions in them: `tools.0.function.strict`, `messages[1].x`. */
function nearest(sent: string[], param: string): string | undefined {
  if (param === "") return undefined;
  const path = param
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((step) => step !== "body" && !/^\d+$/.test(step))
    .join(".");
  return (
    sent.find((name) => name === path) ??
    sent.find((name) => path !== "" && (path.startsWith(`${name}.`) || name.endsWith(`.${path}`)))
  );
}

/** Names in quotes count before bare ones; the first that is named counts: what comes later is advice (`use x instead`). */
function named(sent: string[], message: string): string | undefined {
  const found = sent
    .map((path) => ({ path, at: positionOf(message, path) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  return found[0]?.path;
}

function positionOf(message: string, path: string): number {
  // What the field asks for is named more often than the field.
  if (path === "include") return message.search(/encrypted[_ ]content|['"`.]include\b/i);
  const name = path.split(".").at(-1) ?? path;
  const whole = new RegExp(`(?<![\\w-])${name}(?![\\w-])`).exec(message)?.index ?? -1;
  // Common English words are names only in quotes or behind a location.
  const isWord = /^(include|store|stream|reasoning|strict|effort|summary|id|temperature)$/.test(name);
  if (!isWord) return whole;
  return new RegExp(`['"\`.]${name}['"\`]|[:=]\\s*${name}\\b|\\.${name}\\b`).exec(message)?.index ?? -1;
}

function isSent(value: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return value !== undefined;
  if (Array.isArray(value)) return value.some((entry) => isSent(entry, [key, ...rest]));
  if (typeof value !== "object" || value === null || !(key in value)) return false;
  return isSent((value as Body)[key], rest);
}

/** The model's arguments on their way to a tool: parse, rename, drop, coerce, validate (docs/tools.md, "Arguments"). */

import type { JsonSchema } from "../shared/contracts";
import { coerceArguments, isClosed } from "./arguments/coerce";
import { isCutOff, parseLoosely } from "./arguments/json";
import { argumentsFromText, withoutWrapper } from "./arguments/names";
import { faultsOf } from "./arguments/validate";
import { grouped, headOf } from "./text";

export { isCutOff } from "./arguments/json";

/** Arguments as a tool wants them, or why there are none. */
export type ParsedArguments = { args: Record<string, unknown> } | { fault: string; cutOff?: true };

const FAULT_MAX_CHARS = 500;

/** All five steps for one call. `raw` is JSON text or an object already. Never throws. */
export function parseToolArguments(tool: string, schema: JsonSchema, raw: unknown): ParsedArguments {
  if (typeof raw === "string" && isCutOff(raw)) return { fault: cutOffSentence(raw.length), cutOff: true };
  const given = parseLoosely(argumentsFromText(tool, raw) ?? raw);
  if ("problem" in given) return { fault: invalid(tool, [given.problem], raw) };
  const bare = isClosed(schema) ? withoutWrapper(tool, given.value, schema.properties ?? {}) : given.value;
  const args = coerceArguments(tool, schema, bare);
  const faults = faultsOf(schema, args, tool);
  return faults.length > 0 ? { fault: invalid(tool, faults, given.value) } : { args };
}

/** What the model is told about a call that its output limit cut in the middle. */
export function cutOffSentence(received: number): string {
  return (
    `The call was cut off by the output limit (${grouped(received)} characters received). ` +
    "Nothing was done. Send less at once: write the file in parts with write_file and replace_in_file, or several " +
    "smaller edits."
  );
}

function invalid(tool: string, faults: string[], got: unknown): string {
  const head = `Invalid arguments for ${tool}: ${clip(faults.join("; "), 330)}. Got: `;
  return head + clip(textOf(got), FAULT_MAX_CHARS - head.length);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${headOf(text, Math.max(0, length - 1))}…`;
}

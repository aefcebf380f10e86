/** Arguments of the write tools, read defensively: a tool may be called without the registry's own checks. */

import { EditRefused } from "./match/refusal";

/** A text argument. Numbers and the like count as their text; what is missing or no text is refused. */
export function textArgument(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new EditRefused(`${name} is required (string).`);
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** `true`, and the words that models use for it. */
export function flagArgument(value: unknown): boolean {
  return value === true || (typeof value === "string" && /^(?:true|yes|1)$/i.test(value.trim()));
}

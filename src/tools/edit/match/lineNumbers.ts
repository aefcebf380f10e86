/** Line numbers that a model copied from read_file along with the text. */

import { EditRefused } from "./refusal";

const NUMBERED = /^\s*(\d+)(?:\t|→|\||: )/;

/**
 * Both texts without their line numbers, when every line of the old one has one and they rise. The new text loses its
 * own only if all its lines have them. Null when the old text is not numbered. Throws where the new text mixes both
 * forms, for then numbers would get into the file.
 */
export function stripLineNumbers(texts: { old: string; text: string }): { old: string; text: string } | null {
  const old = linesOf(texts.old);
  if (!old.every((line) => NUMBERED.test(line)) || !isRising(old)) return null;
  const fresh = linesOf(texts.text);
  const numbered = fresh.filter((line) => NUMBERED.test(line));
  if (numbered.length === fresh.length) return { old: strip(texts.old), text: strip(texts.text) };
  const copied = new Set(old);
  if (numbered.some((line) => copied.has(line))) {
    throw new EditRefused("new_string has line numbers in front of some lines only. Send both texts without them.");
  }
  return { old: strip(texts.old), text: texts.text };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function isRising(lines: readonly string[]): boolean {
  const numbers = lines.map((line) => Number(NUMBERED.exec(line)?.[1]));
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}

function strip(text: string): string {
  return text
    .split("\n")
    .map((line) => line.replace(NUMBERED, ""))
    .join("\n");
}

/** Line numbers that a model copied from read_file along with the text. */

import { EditRefused } from "./refusal";

/** One tool marks all its lines alike, so the sign of the first line is that of all; with another it is content. */
const FORMS = [/^\s*(\d+)\t/, /^\s*(\d+)→/, /^\s*(\d+)\|/, /^\s*(\d+): /];

/**
 * Both texts without their line numbers, when every line of the old one has one and they rise. The new text loses its
 * own only if all its lines have them. Null when the old text is not numbered. Throws where the new text mixes both
 * forms, for then numbers would get into the file.
 */
export function stripLineNumbers(texts: { old: string; text: string }): { old: string; text: string } | null {
  const old = linesOf(texts.old);
  const form = FORMS.find((one) => old.every((line) => one.test(line)));
  if (!form || !isRising(old, form)) return null;
  const fresh = linesOf(texts.text);
  const numbered = fresh.filter((line) => form.test(line));
  if (numbered.length === fresh.length) return { old: strip(texts.old, form), text: strip(texts.text, form) };
  const copied = new Set(old);
  if (numbered.some((line) => copied.has(line))) {
    throw new EditRefused("new_string has line numbers in front of some lines only. Send both texts without them.");
  }
  return { old: strip(texts.old, form), text: texts.text };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function isRising(lines: readonly string[], form: RegExp): boolean {
  const numbers = lines.map((line) => Number(form.exec(line)?.[1]));
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}

function strip(text: string, form: RegExp): string {
  return text
    .split("\n")
    .map((line) => line.replace(form, ""))
    .join("\n");
}

/** Where the caret can go: by grapheme, by word, to the ends of a line and of the draft. */

import { type EditBuffer, moveTo, type Unit } from "./draft";

export const moveLeft = (buffer: EditBuffer): EditBuffer => moveTo(buffer, buffer.caret - 1);
export const moveRight = (buffer: EditBuffer): EditBuffer => moveTo(buffer, buffer.caret + 1);
export const moveLineStart = (buffer: EditBuffer): EditBuffer => moveTo(buffer, lineStart(buffer));
export const moveLineEnd = (buffer: EditBuffer): EditBuffer => moveTo(buffer, lineEnd(buffer));
export const moveStart = (buffer: EditBuffer): EditBuffer => moveTo(buffer, 0);
export const moveEnd = (buffer: EditBuffer): EditBuffer => moveTo(buffer, buffer.units.length);
export const moveWordLeft = (buffer: EditBuffer): EditBuffer => moveTo(buffer, wordLeft(buffer));
export const moveWordRight = (buffer: EditBuffer): EditBuffer => moveTo(buffer, wordRight(buffer));

export function lineStart({ units, caret }: EditBuffer): number {
  let at = caret;
  while (at > 0 && units[at - 1] !== "\n") at--;
  return at;
}

export function lineEnd({ units, caret }: EditBuffer): number {
  let at = caret;
  while (at < units.length && units[at] !== "\n") at++;
  return at;
}

/** The beginning of the word before the caret: letters and digits, as readline has it. */
export function wordLeft({ units, caret }: EditBuffer): number {
  let at = caret;
  while (at > 0 && !isWord(units[at - 1])) at--;
  return at > 0 ? runStart(units, at) : at;
}

/** The end of the word behind the caret. */
export function wordRight({ units, caret }: EditBuffer): number {
  let at = caret;
  while (at < units.length && !isWord(units[at])) at++;
  return at < units.length ? runEnd(units, at) : at;
}

/** The beginning of the piece between blanks before the caret. */
export function blankWordLeft({ units, caret }: EditBuffer): number {
  let at = caret;
  while (at > 0 && isBlank(units[at - 1])) at--;
  while (at > 0 && !isBlank(units[at - 1])) at--;
  return at;
}

function isBlank(unit: Unit | undefined): boolean {
  return typeof unit === "string" && /^\s/.test(unit);
}

function isWord(unit: Unit | undefined): boolean {
  return unit !== undefined && (typeof unit !== "string" || /^[\p{L}\p{N}_]/u.test(unit));
}

/** Made at the first use: making one costs tens of milliseconds. */
let words: Intl.Segmenter | undefined;
/** Scripts that write without blanks: a run of them holds several words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Where the word that ends at `end` begins. */
function runStart(units: readonly Unit[], end: number): number {
  if (typeof units[end - 1] !== "string") return end - 1;
  let start = end;
  while (start > 0 && typeof units[start - 1] === "string" && isWord(units[start - 1])) start--;
  return (
    start +
    wordLengths(units.slice(start, end))
      .slice(0, -1)
      .reduce((sum, length) => sum + length, 0)
  );
}

/** Where the word that begins at `start` ends. */
function runEnd(units: readonly Unit[], start: number): number {
  if (typeof units[start] !== "string") return start + 1;
  let end = start;
  while (end < units.length && typeof units[end] === "string" && isWord(units[end])) end++;
  return start + (wordLengths(units.slice(start, end))[0] ?? 0);
}

/** The lengths, in units, of the words in a run of word characters. */
function wordLengths(run: readonly Unit[]): number[] {
  const text = run.join("");
  if (!unspaced.test(text)) return [run.length];
  const lengths: number[] = [];
  let at = 0;
  words ??= new Intl.Segmenter(undefined, { granularity: "word" });
  for (const { segment } of words.segment(text)) {
    let length = 0;
    let characters = 0;
    while (characters < segment.length && at + length < run.length) characters += String(run[at + length++]).length;
    if (length > 0) lengths.push(length);
    at += length;
  }
  return lengths;
}

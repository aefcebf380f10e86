/** How deep one step of indentation is, in a quote and in the file that it comes from. */

import { indentOf, isBlank } from "./indent";

/** One step on both sides, as text. */
export interface IndentUnits {
  quoted: string;
  file: string;
}

/** An indent as quoted, and in the file. */
export type IndentPair = readonly [quoted: string, file: string];

/**
 * Two pairs give the ratio of the steps, whatever either side's habit. Else the file's habit is taken, and as the
 * quote's step the common divisor of its indents; where lines are aligned by single blanks, what a single pair says.
 */
export function resolveUnits(
  lines: readonly string[],
  pairs: readonly IndentPair[],
  wholeFile: readonly string[],
): IndentUnits {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  const mark = markOf(pairs.map(([quoted]) => quoted)) ?? markOf(indents) ?? " ";
  const fileMark = markOf(pairs.map(([, file]) => file));
  const slope = fileMark && isUniform(pairs.flat()) ? slopeOf(pairs) : undefined;
  if (slope && fileMark) return { quoted: mark.repeat(slope.quoted), file: fileMark.repeat(slope.file) };
  const file = indentUnit(wholeFile, fileMark);
  if (mark === "\t") return { quoted: mark, file: file || mark };
  const divisor = indents.reduce((known, indent) => commonDivisor(known, indent.length), 0);
  const width = divisor > 1 ? divisor : (stepOf(pairs, file) ?? indentUnit(lines, mark).length);
  return { quoted: mark.repeat(width), file: file || mark.repeat(width) };
}

/** What is indented with: tabs as soon as there is one, else blanks; undefined where nothing is indented. */
export function markOf(indents: readonly string[]): string | undefined {
  if (indents.every((indent) => indent === "")) return undefined;
  return indents.some((indent) => indent.includes("\t")) ? "\t" : " ";
}

/** No indent mixes tabs and blanks, so that lengths can be compared. */
function isUniform(indents: readonly string[]): boolean {
  return indents.every((indent) => /^(?: *|\t*)$/.test(indent));
}

/** The ratio in its lowest terms, if all pairs lie on one rising line. */
function slopeOf(pairs: readonly IndentPair[]): { quoted: number; file: number } | undefined {
  const [first, ...rest] = [...pairs].sort(([a], [b]) => a.length - b.length);
  if (!first || rest.length === 0) return undefined;
  const rises = rest.map(([quoted, file]) => ({
    quoted: quoted.length - first[0].length,
    file: file.length - first[1].length,
  }));
  const [one] = rises;
  if (!one || one.quoted <= 0 || one.file <= 0) return undefined;
  if (!rises.every((rise) => rise.quoted * one.file === rise.file * one.quoted)) return undefined;
  const divisor = commonDivisor(one.quoted, one.file);
  return { quoted: one.quoted / divisor, file: one.file / divisor };
}

/** The step of a quote that is as deep as its lines lie in the file. */
function stepOf(pairs: readonly IndentPair[], fileUnit: string): number | undefined {
  const [pair] = pairs;
  if (!pair || fileUnit === "" || pair[1] === "") return undefined;
  const step = pair[0].length / (pair[1].length / fileUnit.length);
  return Number.isInteger(step) && step > 1 ? step : undefined;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/**
 * One step of indentation by habit: a tab if any line is indented by one, else the step that occurs most between
 * neighbouring lines, else the smallest indent. Empty where nothing is indented. With `mark` only lines that are
 * indented with it count: a file may mix both, and its own surroundings decide.
 */
function indentUnit(lines: readonly string[], mark: string | undefined): string {
  const steps = new Map<number, number>();
  let before = 0;
  let smallest = 0;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const indent = indentOf(line);
    if (indent.includes("\t") && mark !== " ") return "\t";
    if (indent.includes("\t")) continue;
    const step = indent.length - before;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
    if (indent.length > 0 && (smallest === 0 || indent.length < smallest)) smallest = indent.length;
    before = indent.length;
  }
  const common = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  return " ".repeat(common ?? smallest);
}

/** Indentation: how old lines map to the file's, and new lines re-indented by that map without changing their depth. */

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

export function isBlank(line: string): boolean {
  return line.trim() === "";
}

/** From an indent as quoted to the indent in the file. */
export interface IndentMap {
  pairs: Map<string, string>;
  /** The first quoted line's indent and the file's. */
  first: { quoted: string; file: string };
}

/**
 * Maps the indents of quoted lines to those of the file's lines. `null` when they contradict each other: one indent
 * would map to two, or two to one. Only the first line may have lost its indent alone, for quotes often begin there.
 */
export function buildIndentMap(quoted: readonly string[], file: readonly string[]): IndentMap | null {
  const pairs = new Map<string, string>();
  const back = new Map<string, string>();
  let first: IndentMap["first"] | undefined;
  for (const [at, line] of quoted.entries()) {
    if (isBlank(line)) continue;
    const [from, to] = [indentOf(line), indentOf(file[at] ?? "")];
    const isTrimmedStart = first === undefined && from === "";
    first ??= { quoted: from, file: to };
    if ((pairs.get(from) ?? to) !== to) return null;
    pairs.set(from, to);
    if (isTrimmedStart) continue;
    if ((back.get(to) ?? from) !== from) return null;
    back.set(to, from);
  }
  return first ? { pairs, first } : null;
}

/** Old lines as quoted, those that they stand for in the file, and the whole file, whose habit counts. */
export interface IndentSource {
  quoted: readonly string[];
  file: readonly string[];
  whole: readonly string[];
}

/**
 * New lines with the file's indentation; blank ones stay as given. `null` where the quote contradicts itself, or a line
 * would have to lie left of the margin, for then its depth could not be kept.
 */
export function reindent(lines: readonly string[], source: IndentSource): string[] | null {
  const map = buildIndentMap(source.quoted, source.file);
  if (!map) return null;
  const units = resolveUnits([...source.quoted, ...lines], map, indentUnit(source.whole));
  const done: string[] = [];
  for (const line of lines) {
    const indent = indentOf(line);
    const mapped = isBlank(line) ? indent : mapIndent(indent, map, units);
    if (mapped === null) return null;
    done.push(mapped + line.slice(indent.length));
  }
  return done;
}

/** One step of indentation on both sides. */
interface IndentUnits {
  quoted: string;
  file: string;
}

/**
 * How deep one step is in the quoted and new lines. The map says it best: two of its pairs give a ratio, one that
 * divides all indents gives it too. Else the common divisor of the indents, else what steps occur most.
 */
function resolveUnits(lines: readonly string[], map: IndentMap, fileUnit: string): IndentUnits {
  const indents = lines.filter((line) => !isBlank(line)).map(indentOf);
  if (indents.some((indent) => indent.includes("\t"))) return { quoted: "\t", file: fileUnit || "\t" };
  const divisor = indents.reduce((known, indent) => commonDivisor(known, indent.length), 0);
  const ratio = fileUnit === "" ? undefined : ratioOf(map, fileUnit, divisor);
  const quoted = " ".repeat(ratio ?? (divisor > 1 ? divisor : indentUnit(lines).length));
  return { quoted, file: fileUnit || quoted };
}

function ratioOf({ pairs }: IndentMap, fileUnit: string, divisor: number): number | undefined {
  const points = [...pairs].map(([quoted, file]) => ({ width: quoted.length, depth: file.length / fileUnit.length }));
  const ratios = points.flatMap((one, at) => {
    return points.slice(at + 1).map((other) => (other.width - one.width) / (other.depth - one.depth));
  });
  const [first] = ratios;
  if (first !== undefined && isStep(first)) return ratios.every((ratio) => ratio === first) ? first : undefined;
  const [only] = points.length === 1 ? points : [];
  const ratio = only && only.depth > 0 ? only.width / only.depth : undefined;
  return ratio !== undefined && isStep(ratio) && divisor % ratio === 0 ? ratio : undefined;
}

function isStep(ratio: number): boolean {
  return Number.isInteger(ratio) && ratio > 0;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

function mapIndent(indent: string, map: IndentMap, units: IndentUnits): string | null {
  const known = map.pairs.get(indent);
  if (known !== undefined) return known;
  const base = longestPrefix(indent, map);
  if (base !== null) return (map.pairs.get(base) ?? "") + convert(indent.slice(base.length), units);
  return byDepth(indent, map, units);
}

function longestPrefix(indent: string, map: IndentMap): string | null {
  const prefixes = [...map.pairs.keys()].filter((known) => indent.startsWith(known));
  return prefixes.sort((a, b) => b.length - a.length)[0] ?? null;
}

function convert(rest: string, units: IndentUnits): string {
  let made = "";
  let left = rest;
  while (left !== "") {
    const isUnit = units.quoted !== "" && left.startsWith(units.quoted);
    const step = isUnit ? units.quoted : left.slice(0, 1);
    made += isUnit || step === "\t" ? units.file : step;
    left = left.slice(step.length);
  }
  return made;
}

/** A line left of all quoted ones: as many steps out from the first line as it is there. */
function byDepth(indent: string, { first }: IndentMap, units: IndentUnits): string | null {
  const steps = depth(indent, units.quoted) - depth(first.quoted, units.quoted);
  if (steps >= 0) return first.file + units.file.repeat(steps);
  const outdent = units.file.length * -steps;
  if (first.file.length < outdent || !first.file.endsWith(units.file.repeat(-steps))) return null;
  return first.file.slice(0, first.file.length - outdent);
}

function depth(indent: string, unit: string): number {
  return unit === "" ? 0 : Math.round(indent.length / unit.length);
}

/**
 * One step of indentation in a text: a tab if any line is indented by one, else the step that occurs most between
 * neighbouring lines, else the smallest indent. Empty where nothing is indented.
 */
function indentUnit(lines: readonly string[]): string {
  const steps = new Map<number, number>();
  let before = 0;
  let smallest = 0;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const indent = indentOf(line);
    if (indent.includes("\t")) return "\t";
    const step = indent.length - before;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
    if (indent.length > 0 && (smallest === 0 || indent.length < smallest)) smallest = indent.length;
    before = indent.length;
  }
  const common = [...steps].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0];
  return " ".repeat(common ?? smallest);
}

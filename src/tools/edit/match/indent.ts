/** Indents of lines, and how those of a quote map to those of the file. */

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
  /** The first line alone lost its indent, so its pair says nothing about the others. */
  isFirstTrimmed: boolean;
}

/**
 * Maps the indents of quoted lines to those of the file's lines. `null` when they contradict each other: one indent
 * would map to two, or two to one. Only the first line may have lost its indent alone, for quotes often begin there.
 */
export function buildIndentMap(quoted: readonly string[], file: readonly string[]): IndentMap | null {
  const pairs = new Map<string, string>();
  const back = new Map<string, string>();
  let first: IndentMap["first"] | undefined;
  let isFirstTrimmed = false;
  for (const [at, line] of quoted.entries()) {
    if (isBlank(line)) continue;
    const [from, to] = [indentOf(line), indentOf(file[at] ?? "")];
    const mayBeTrimmed = first === undefined && from === "" && to !== "";
    first ??= { quoted: from, file: to };
    if ((pairs.get(from) ?? to) !== to) return null;
    pairs.set(from, to);
    if (mayBeTrimmed) continue;
    if (to === first.file && from !== "" && first.quoted === "") isFirstTrimmed = true;
    if ((back.get(to) ?? from) !== from) return null;
    back.set(to, from);
  }
  return first ? { pairs, first, isFirstTrimmed } : null;
}

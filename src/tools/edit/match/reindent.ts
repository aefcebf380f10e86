/** New lines with the file's indentation, their depth to each other unchanged (docs/tools.md, How edits match). */

import { buildIndentMap, type IndentMap, indentOf, isBlank } from "./indent";
import { type IndentUnits, markOf, resolveUnits } from "./indentUnits";

/** Old lines as quoted, those that they stand for in the file, and the whole file, whose habit counts. */
export interface IndentSource {
  quoted: readonly string[];
  file: readonly string[];
  whole: readonly string[];
}

/**
 * Re-indents; blank lines stay as given. `null` where the quote contradicts itself, or a line would have to lie left
 * of the margin, for then its depth could not be kept.
 */
export function reindent(lines: readonly string[], source: IndentSource): string[] | null {
  const map = buildIndentMap(source.quoted, source.file);
  if (!map) return null;
  const pairs = [...map.pairs].slice(map.isFirstTrimmed ? 1 : 0);
  const units = resolveUnits([...source.quoted, ...lines], pairs, source.whole);
  const done: string[] = [];
  for (const line of lines) {
    const indent = indentOf(line);
    const mapped = isBlank(line) ? indent : mapIndent(indent, map, units);
    if (mapped === null) return null;
    done.push(mapped + line.slice(indent.length));
  }
  return done;
}

function mapIndent(indent: string, map: IndentMap, units: IndentUnits): string | null {
  const known = map.pairs.get(indent);
  if (known !== undefined) return known;
  const quotedMark = markOf([...map.pairs.keys()]);
  if (quotedMark === " " && indent.includes("\t")) return isOfFile(indent, map) ? indent : null;
  if (quotedMark === "\t" && indent.startsWith(" ")) return isOfFile(indent, map) ? indent : null;
  const base = longestPrefix(indent, map);
  if (base !== null) return (map.pairs.get(base) ?? "") + convert(indent.slice(base.length), units);
  return byDepth(indent, map, units);
}

/** The new text may be in the file's own form already, though the old one was not. */
function isOfFile(indent: string, { pairs }: IndentMap): boolean {
  const files = [...pairs.values()];
  return (
    markOf(files) === markOf([indent]) && files.every((file) => file.startsWith(indent) || indent.startsWith(file))
  );
}

function longestPrefix(indent: string, { pairs, isFirstTrimmed }: IndentMap): string | null {
  const prefixes = [...pairs.keys()].filter((known) => indent.startsWith(known) && !(isFirstTrimmed && known === ""));
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

/** A line left of all quoted ones: as many steps out from the shallowest of them as it is there. */
function byDepth(indent: string, { pairs, isFirstTrimmed }: IndentMap, units: IndentUnits): string | null {
  const known = [...pairs].slice(isFirstTrimmed ? 1 : 0).sort(([a], [b]) => a.length - b.length)[0];
  if (!known || units.quoted === "") return null;
  const [quoted, file] = known;
  const steps = (quoted.length - indent.length) / units.quoted.length;
  const outdent = units.file.length * steps;
  if (!Number.isInteger(steps) || steps < 0 || outdent > file.length) return null;
  return file.slice(0, file.length - outdent);
}

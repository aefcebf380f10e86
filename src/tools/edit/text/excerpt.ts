/** Lines of a file as messages show them. */

const MAX_SHOWN_LINE = 300;

/** `N|text`, long lines cut. `line` counts from 0. */
export function numberedLine(line: number, text: string): string {
  return `${line + 1}|${cutLine(text)}`;
}

/** Lines with their blanks made visible: tabs as `→`, leading spaces as `·`. `start` counts from 0. */
export function visibleLines(texts: readonly string[], start: number, most = 20): string {
  const shown = texts.slice(0, most).map((text, at) => numberedLine(start + at, showBlanks(text)));
  if (texts.length > most) shown.push(`[${texts.length - most} more lines]`);
  return shown.join("\n");
}

/** `lines 3-5`, `line 3`. Both count from 0 here and from 1 in the text. */
export function lineRange(start: number, length: number): string {
  return length <= 1 ? `line ${start + 1}` : `lines ${start + 1}-${start + length}`;
}

/** `1, 4, 9, … (31 in all)`: line numbers from lines that count from 0. */
export function lineList(lines: readonly number[], most = 20): string {
  const shown = lines.slice(0, most).map((line) => line + 1);
  return shown.join(", ") + (lines.length > most ? `, … (${lines.length} in all)` : "");
}

export function cutLine(text: string, most = MAX_SHOWN_LINE): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
  return `${head}…[+${text.length - head.length} characters]`;
}

function showBlanks(text: string): string {
  return text.replace(/^ +/, (spaces) => "·".repeat(spaces.length)).replaceAll("\t", "→");
}

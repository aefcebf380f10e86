/** The lines of a text with their raw positions, and a search for blocks of lines by four degrees of likeness. */

import { foldUnicode } from "./fold";
import { LineIndex } from "./LineIndex";
import { findSequence } from "./sequence";

/** How lines are compared: as they are, without trailing blanks, with look-alike characters folded, without indent. */
export const LINE_RUNGS = ["exact", "trailing", "unicode", "indent"] as const;
export type LineRung = (typeof LINE_RUNGS)[number];

/** Lines count from 0 here. A line's text has no line end; CR counts as part of one only before LF. */
export class LineTable {
  readonly texts: string[] = [];
  /** Raw offset of each line's start, and at last the length of the text. */
  private readonly starts: number[] = [];
  private readonly raw: string;
  private readonly keys = new Map<LineRung, string[]>();
  private readonly searches = new Map<LineRung, number>();
  private readonly indexes = new Map<LineRung, LineIndex>();

  constructor(raw: string) {
    this.raw = raw;
    let start = 0;
    while (start < raw.length) {
      const lineFeed = raw.indexOf("\n", start);
      const next = lineFeed === -1 ? raw.length : lineFeed + 1;
      const isCrlf = lineFeed > start && raw.charCodeAt(lineFeed - 1) === 13;
      this.texts.push(raw.slice(start, lineFeed === -1 ? next : lineFeed - (isCrlf ? 1 : 0)));
      this.starts.push(start);
      start = next;
    }
    this.starts.push(raw.length);
  }

  get count(): number {
    return this.texts.length;
  }

  text(line: number): string {
    return this.texts[line] ?? "";
  }

  /** Raw offset where a line begins; of the line after the last: the length of the text. */
  start(line: number): number {
    return this.starts[Math.min(line, this.texts.length)] ?? 0;
  }

  /** Raw offset where a line's text ends, before its line end. */
  contentEnd(line: number): number {
    return this.start(line) + this.text(line).length;
  }

  /** A line's own ending: LF, CRLF, or nothing on a last line without one. */
  ending(line: number): string {
    return line < 0 ? "" : this.raw.slice(this.contentEnd(line), this.start(line + 1));
  }

  /** The line (from 0) that holds a raw offset. */
  lineOf(offset: number): number {
    let low = 0;
    for (let high = this.texts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle + 1] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** True when the text ends with a line end. An empty text counts as ended. */
  get hasFinalNewline(): boolean {
    return this.count === 0 || this.ending(this.count - 1) !== "";
  }

  /** Every line at which the block begins when lines are compared by `rung`. Overlapping places count. */
  findBlock(block: readonly string[], rung: LineRung): number[] {
    const keys = this.keysOf(rung);
    const wanted = block.map((line) => lineKey(line, rung));
    return this.searchOf(rung)?.find(wanted) ?? findSequence(keys, wanted);
  }

  /** An index costs as much as a few searches, so only a text that is searched often gets one. */
  private searchOf(rung: LineRung): LineIndex | undefined {
    const count = (this.searches.get(rung) ?? 0) + 1;
    this.searches.set(rung, count);
    if (count < SEARCHES_WITHOUT_INDEX) return undefined;
    const index = this.indexes.get(rung) ?? new LineIndex(this.keysOf(rung));
    this.indexes.set(rung, index);
    return index;
  }

  /** The lines as a rung compares them. Worked out once. */
  keysOf(rung: LineRung): readonly string[] {
    if (rung === "exact") return this.texts;
    let keys = this.keys.get(rung);
    if (!keys) {
      const isHuge = this.raw.length > MAX_FOLDED;
      keys = this.texts.map((line) => (isHuge ? plainKey(line, rung) : lineKey(line, rung)));
      this.keys.set(rung, keys);
    }
    return keys;
  }
}

const SEARCHES_WITHOUT_INDEX = 20;

/** In texts longer than this look-alike characters are not folded: it would take seconds. */
const MAX_FOLDED = 8_000_000;

function plainKey(line: string, rung: LineRung): string {
  return rung === "indent" ? line.trim() : line.trimEnd();
}

/** What of a line is compared at a rung. Each rung forgives all that the ones before it forgive. */
export function lineKey(line: string, rung: LineRung): string {
  if (rung === "exact") return line;
  if (rung === "trailing") return line.trimEnd();
  const folded = foldUnicode(line);
  return rung === "unicode" ? folded.trimEnd() : folded.trim();
}

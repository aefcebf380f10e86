/** A text as edits see it: line ends, an LF copy to search in, and the way back to the raw positions. */

import { LineTable } from "./LineTable";

/** Immutable. `raw` is the decoded text without its byte order mark; offsets are UTF-16 units of it. */
export class TextModel {
  readonly raw: string;
  private lazyLines: LineTable | undefined;
  private lazyCopy: { text: string; crlfAt: number[] } | undefined;
  private lazyCounts: EndingCounts | undefined;

  /** `outside`: line ends of the file that are not in `raw`, where that is only a part of it. */
  constructor(
    raw: string,
    readonly outside: EndingCounts = { lf: 0, crlf: 0 },
  ) {
    this.raw = raw;
  }

  get lines(): LineTable {
    this.lazyLines ??= new LineTable(this.raw);
    return this.lazyLines;
  }

  /** The ending that new lines get: the more frequent one, LF at a tie. `null`: the text has no line end at all. */
  get ending(): string | null {
    return endingOf(this.counts);
  }

  /** True when every line end is CRLF. */
  get isPureCrlf(): boolean {
    return this.counts.lf === 0 && this.counts.crlf > 0;
  }

  private get counts(): EndingCounts {
    this.lazyCounts ??= countEndings(this.raw, this.outside);
    return this.lazyCounts;
  }

  /** The text with CRLF as LF. */
  get lf(): string {
    return this.copy.text;
  }

  /** The raw offset of an offset into `lf`. */
  rawOffset(lfOffset: number): number {
    const { crlfAt } = this.copy;
    let low = 0;
    for (let high = crlfAt.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((crlfAt[middle] ?? 0) < lfOffset) low = middle + 1;
      else high = middle;
    }
    return lfOffset + low;
  }

  /** Line number (from 1) of a raw offset. */
  lineAt(offset: number): number {
    let line = 1;
    for (let at = this.raw.indexOf("\n"); at !== -1 && at < offset; at = this.raw.indexOf("\n", at + 1)) line++;
    return line;
  }

  private get copy(): { text: string; crlfAt: number[] } {
    this.lazyCopy ??= lfCopy(this.raw);
    return this.lazyCopy;
  }
}

/** Line ends of a text that a model sent, as LF. */
export function toLf(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** An LF text with the given ending. */
export function withEnding(lfText: string, ending: string): string {
  return ending === "\n" ? lfText : lfText.split("\n").join(ending);
}

/** How often each kind of line end occurs. */
export interface EndingCounts {
  lf: number;
  crlf: number;
}

/** Of a text without CRLF it only matters whether it has line ends, so they are not counted. */
export function countEndings(raw: string, outside: EndingCounts = { lf: 0, crlf: 0 }): EndingCounts {
  const counts = { ...outside };
  if (outside.crlf === 0 && !raw.includes("\r\n")) return { lf: outside.lf + (raw.includes("\n") ? 1 : 0), crlf: 0 };
  for (let at = raw.indexOf("\n"); at !== -1; at = raw.indexOf("\n", at + 1)) {
    if (raw.charCodeAt(at - 1) === 13) counts.crlf++;
    else counts.lf++;
  }
  return counts;
}

/** The more frequent ending of a text; LF at a tie, `null` without any. */
export function endingOf({ lf, crlf }: EndingCounts): string | null {
  if (lf + crlf === 0) return null;
  return crlf > lf ? "\r\n" : "\n";
}

/** `crlfAt` holds, ascending, the offsets in the copy of those line ends that were CRLF. */
function lfCopy(raw: string): { text: string; crlfAt: number[] } {
  const crlfAt: number[] = [];
  for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2)) crlfAt.push(at - crlfAt.length);
  return { text: crlfAt.length === 0 ? raw : raw.replaceAll("\r\n", "\n"), crlfAt };
}

/** Number of lines; a final line end begins no further line. */
export function countLines(raw: string): number {
  let count = raw === "" || raw.endsWith("\n") ? 0 : 1;
  for (let at = raw.indexOf("\n"); at !== -1; at = raw.indexOf("\n", at + 1)) count++;
  return count;
}

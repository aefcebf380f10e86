/** A text as edits see it: line ends, an LF copy to search in, and the way back to the raw positions. */

import { LineTable } from "./LineTable";

/** Immutable. `raw` is the decoded text without its byte order mark; offsets are UTF-16 units of it. */
export class TextModel {
  readonly raw: string;
  private lazyLines: LineTable | undefined;
  private lazyCopy: { text: string; crlfAt: number[] } | undefined;
  private lazyEnding: string | null | undefined;

  constructor(raw: string) {
    this.raw = raw;
  }

  get lines(): LineTable {
    this.lazyLines ??= new LineTable(this.raw);
    return this.lazyLines;
  }

  /** The ending that new lines get: the more frequent one, LF at a tie. `null`: the text has no line end at all. */
  get ending(): string | null {
    if (this.lazyEnding === undefined) this.lazyEnding = endingOf(this.raw);
    return this.lazyEnding;
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

/** The more frequent ending of a text; LF at a tie, `null` without any. */
export function endingOf(raw: string): string | null {
  if (!raw.includes("\r\n")) return raw.includes("\n") ? "\n" : null;
  let lf = 0;
  let crlf = 0;
  for (let at = raw.indexOf("\n"); at !== -1; at = raw.indexOf("\n", at + 1)) {
    if (raw.charCodeAt(at - 1) === 13) crlf++;
    else lf++;
  }
  return crlf > lf ? "\r\n" : "\n";
}

/** `crlfAt` holds, ascending, the offsets in the copy of those line ends that were CRLF. */
function lfCopy(raw: string): { text: string; crlfAt: number[] } {
  const crlfAt: number[] = [];
  for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2)) crlfAt.push(at - crlfAt.length);
  return { text: crlfAt.length === 0 ? raw : raw.replaceAll("\r\n", "\n"), crlfAt };
}

/** The lines of a text, line ends left out; a final line end begins no further line. */
export function splitLineTexts(raw: string): string[] {
  const lines = raw.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Collects a bracketed paste that may come in any number of reads, and cleans what it collected. */

import { plainText } from "../../render/sanitize";

export const PASTE_START = "200";
export const PASTE_END = "201";
const END_MARK = "\u001b[201~";

export class PasteCollector {
  private parts: string[] = [];
  /** The last characters, as long as they may be the beginning of the end mark. */
  private tail = "";

  /** Takes characters from `at`; gives the place behind the end mark, or null while the mark has not come. */
  take(text: string, at: number): number | null {
    const from = this.tail.length;
    const seen = this.tail + text.slice(at);
    const end = seen.indexOf(END_MARK);
    if (end >= 0) {
      this.parts.push(seen.slice(0, end));
      this.tail = "";
      return at + end + END_MARK.length - from;
    }
    const kept = markBegun(seen);
    this.parts.push(seen.slice(0, seen.length - kept));
    this.tail = seen.slice(seen.length - kept);
    return null;
  }

  /** What was pasted: LF line ends, nothing that could act on a terminal. Empties the collector. */
  finish(): string {
    const text = this.parts.join("") + this.tail;
    this.parts = [];
    this.tail = "";
    return plainText(text.replace(/\r\n?/g, "\n"));
  }
}

/** How many of the last characters may be the beginning of an end mark. */
function markBegun(text: string): number {
  for (let length = Math.min(END_MARK.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(END_MARK.slice(0, length))) return length;
  }
  return 0;
}

/** Lines in the bytes of a UTF-8 text, where no other character holds the byte of a line feed. */

import type { EndingCounts } from "./TextModel";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Line ends in `[from, to)`, all counted. The range may not begin between a CR and its LF. */
export function endingsIn(bytes: Buffer, from: number, to: number): EndingCounts {
  const range = bytes.subarray(from, to);
  const counts = { lf: 0, crlf: 0 };
  for (let at = range.indexOf(LINE_FEED); at !== -1; at = range.indexOf(LINE_FEED, at + 1)) {
    if (range[at - 1] === CARRIAGE_RETURN) counts.crlf++;
    else counts.lf++;
  }
  return counts;
}

/** Where the line begins that lies `count` lines before that of `offset`. */
export function lineStartBefore(bytes: Buffer, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line <= count; line++) {
    const found = at === 0 ? -1 : bytes.lastIndexOf(LINE_FEED, at - 1);
    if (found === -1) return 0;
    if (line === count) return found + 1;
    at = found;
  }
  return at;
}

/** Where the line ends, line end included, that lies `count` lines behind that of `offset`. */
export function lineEndBehind(bytes: Buffer, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line <= count; line++) {
    const found = bytes.indexOf(LINE_FEED, at);
    if (found === -1) return bytes.length;
    at = found + 1;
  }
  return at;
}

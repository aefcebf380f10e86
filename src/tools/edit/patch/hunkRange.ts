/** What of a file hunks can touch when the lines of each stand in exactly one place, told from its bytes. */

import { type ByteRange, rangeAround, rangeOf, type Utf8File } from "../text/utf8File";
import { type Hunk, hasChange, oldLines } from "./hunks";

/** Each hunk is looked for in all of the bytes: beyond so many the whole text is taken up in less time. */
const MAX_HUNKS = 100;

/** Undefined where anything but the hunks' own lines has a say in their places: then the whole file is looked at. */
export function rangeOfHunks(file: Utf8File, hunks: readonly Hunk[]): ByteRange | undefined {
  if (hunks.length > MAX_HUNKS) return undefined;
  const ranges: ByteRange[] = [];
  for (const hunk of hunks.filter(hasChange)) {
    const range = isByLinesAlone(hunk) ? rangeOf(file, oldLines(hunk).join("\n"), { several: false }) : undefined;
    if (!range || !isWholeLines(file.body, range)) return undefined;
    ranges.push(range);
  }
  return rangeAround(ranges);
}

function isByLinesAlone(hunk: Hunk): boolean {
  const isAtEnd = hunk.isAtEnd || hunk.oldLacksNewline || hunk.newLacksNewline;
  return hunk.anchors.length === 0 && !isAtEnd && oldLines(hunk).every((line) => !line.includes("\r"));
}

function isWholeLines(body: Buffer, { start, end }: ByteRange): boolean {
  const behind = body.toString("latin1", end, end + 2);
  return (start === 0 || body[start - 1] === 10) && (behind === "" || behind.startsWith("\n") || behind === "\r\n");
}

/** Texts found in the bytes of a UTF-8 file, where no character is found inside another, so that nothing is decoded. */

import { isUtf8 } from "node:buffer";
import { isBinary } from "../../../shared/encoding";
import type { FileContent } from "../../../shared/files";
import { endingsIn } from "./byteLines";
import { isSlowNeedle } from "./sequence";
import { type EndingCounts, withEnding } from "./TextModel";

export class Utf8File {
  /** The bytes behind the byte order mark. */
  readonly body: Buffer;
  private lazyEndings: EndingCounts | undefined;

  constructor(readonly content: FileContent) {
    this.body = content.bytes.subarray(bomBytesOf(content.bytes));
  }

  /** As `countEndings` counts them: without CRLF it only matters whether there are any. */
  get endings(): EndingCounts {
    const { body } = this;
    this.lazyEndings ??= body.includes("\r\n")
      ? endingsIn(body, 0, body.length)
      : { lf: body.includes("\n") ? 1 : 0, crlf: 0 };
    return this.lazyEndings;
  }
}

/** A range of a file's body, in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Undefined for files of other encodings and for binary ones. */
export function utf8File(content: FileContent): Utf8File | undefined {
  const { bytes } = content;
  return isBinary(bytes) || !isUtf8(bytes) ? undefined : new Utf8File(content);
}

export function bomBytesOf(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/**
 * From the first to the last place of a text (with LF) whose line ends are those of the file. Undefined where it stands
 * nowhere, where bytes do not tell all of its places, and, unless `several`, where it stands in more than one.
 */
export function rangeOf(file: Utf8File, text: string, { several }: { several: boolean }): ByteRange | undefined {
  const needle = needleFor(file, text);
  if (!needle) return undefined;
  const start = file.body.indexOf(needle);
  if (start === -1) return undefined;
  const last = several ? file.body.lastIndexOf(needle) : start;
  if (!several && file.body.includes(needle, start + 1)) return undefined;
  return { start, end: last + needle.length };
}

const UNFIT = /[\uD800-\uDFFF]|^\uFEFF/u;

function needleFor(file: Utf8File, text: string): Buffer | undefined {
  if (text === "" || UNFIT.test(text) || isSlowNeedle(text)) return undefined;
  if (!/[\r\n]/.test(text) || file.endings.crlf === 0) return Buffer.from(text);
  // In a file of mixed endings a text may stand with any mix of them.
  return file.endings.lf === 0 && !text.includes("\r") ? Buffer.from(withEnding(text, "\r\n")) : undefined;
}

/** The least range that holds all of them. */
export function rangeAround(ranges: readonly ByteRange[]): ByteRange | undefined {
  if (ranges.length === 0) return undefined;
  return { start: Math.min(...ranges.map((one) => one.start)), end: Math.max(...ranges.map((one) => one.end)) };
}

/** What of the old bytes a new content changes: all but the equal ends. */
export function rangeOfChange(old: Buffer, fresh: Buffer): ByteRange {
  const shorter = Math.min(old.length, fresh.length);
  const start = equalBytes(shorter, (from, to) => old.compare(fresh, from, to, from, to) === 0);
  const gap = fresh.length - old.length;
  const tail = equalBytes(shorter - start, (from, to) => {
    const [low, high] = [old.length - to, old.length - from];
    return old.compare(fresh, low + gap, high + gap, low, high) === 0;
  });
  return { start, end: old.length - tail };
}

/** How many bytes are equal from an end on, of `length` at most. Halved where a piece differs. */
function equalBytes(length: number, isEqual: (from: number, to: number) => boolean): number {
  let at = 0;
  for (let size = length; size > 0 && at < length; ) {
    const to = Math.min(at + size, length);
    if (isEqual(at, to)) at = to;
    else size = Math.floor((to - at) / 2);
  }
  return at;
}

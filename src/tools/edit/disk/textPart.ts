/**
 * The part of a text file that an edit works on: all of it, or only whole lines around everything that the edit can
 * touch, where the bytes of a UTF-8 file tell that. What is done to such a part is what would be done to the whole.
 */

import type { DecodedText } from "../../../shared/encoding";
import type { FileContent } from "../../../shared/files";
import { EditRefused } from "../match/refusal";
import { endingsIn, lineEndBehind, lineStartBefore } from "../text/byteLines";
import type { EndingCounts } from "../text/TextModel";
import { type ByteRange, bomBytesOf, type Utf8File } from "../text/utf8File";

/** Where a decoded text stands in its file. */
export interface TextPart {
  /** First byte, behind the byte order mark. */
  start: number;
  /** The byte behind the last one. */
  end: number;
  /** Number of lines before it. */
  firstLine: number;
  /** Line ends before and behind it. */
  outside: EndingCounts;
}

/** A text file on disk; `decoded` is the text of `part`. */
export interface LoadedText extends FileContent {
  decoded: DecodedText;
  part: TextPart;
}

export function wholeText(content: FileContent, decoded: DecodedText): LoadedText {
  const part = { start: decoded.bomBytes, end: content.bytes.length, firstLine: 0, outside: { lf: 0, crlf: 0 } };
  return { ...content, decoded, part };
}

/** More lines than a report shows around a change. */
const MARGIN_LINES = 8;

/** The part around a range; undefined where it would be most of the file, which then is better taken whole. */
export function partAround({ content, body }: Utf8File, range: ByteRange): LoadedText | undefined {
  const start = lineStartBefore(body, range.start, MARGIN_LINES);
  const end = lineEndBehind(body, range.end, MARGIN_LINES);
  if ((end - start) * 2 > body.length) return undefined;
  const bomBytes = content.bytes.length - body.length;
  const [before, behind] = [endingsIn(body, 0, start), endingsIn(body, end, body.length)];
  const part = {
    start: start + bomBytes,
    end: end + bomBytes,
    firstLine: before.lf + before.crlf,
    outside: { lf: before.lf + behind.lf, crlf: before.crlf + behind.crlf },
  };
  return { ...content, decoded: decodedUtf8(content.bytes, start === 0 ? bomBytes : 0, part), part };
}

/** What an edit makes of a part counts where nothing had to be forgiven; all else asks for the whole file. */
export function ifExact<T extends { isExact: boolean }>(edit: () => T): T | undefined {
  try {
    const made = edit();
    return made.isExact ? made : undefined;
  } catch (error) {
    if (error instanceof EditRefused) return undefined;
    throw error;
  }
}

/** The same file with all of its text. */
export function widened(text: LoadedText): LoadedText {
  if (isWhole(text)) return text;
  const { bytes, stamp } = text;
  const start = bomBytesOf(bytes);
  return wholeText({ bytes, stamp }, decodedUtf8(bytes, start, { start, end: bytes.length }));
}

/** UTF-16 units of the file's text before the part. */
export function unitsBefore({ bytes, decoded, part }: LoadedText): number {
  return part.start === decoded.bomBytes ? 0 : bytes.toString("utf8", bomBytesOf(bytes), part.start).length;
}

/** Lines before and behind the part. */
export function linesOutside({ bytes, part }: LoadedText): number {
  const isOpen = part.end < bytes.length && bytes.at(-1) !== 10;
  return part.outside.lf + part.outside.crlf + (isOpen ? 1 : 0);
}

function isWhole({ bytes, decoded, part }: LoadedText): boolean {
  return part.start === decoded.bomBytes && part.end === bytes.length;
}

function decodedUtf8(bytes: Buffer, bomBytes: number, { start, end }: ByteRange): DecodedText {
  return { text: bytes.toString("utf8", start, end), encoding: "utf-8", bomBytes, isWritable: true, candidates: [] };
}

/** A file's bytes as text: small files are decoded at once, large ones piece by piece. */

import type { FileHandle } from "node:fs/promises";
import { decodeText, type Encoding } from "../../shared/encoding";
import { createLineFinder, type LineFinder, type LineStart } from "./lineFinder";
import type { TextSource } from "./page";

/** Up to this size a file is read as a whole, in bytes. */
export const WHOLE_FILE_BYTES = 10 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

export interface FileText {
  source: TextSource;
  /** Of a large file: finds its lines without decoding them. */
  findLine?: LineFinder;
  encoding: Encoding;
  /** Encodings that fit as well. */
  candidates: Encoding[];
  /** False: these bytes cannot be written back, so edits are refused. Of a large file only its first bytes tell. */
  isWritable: boolean;
}

/** Text of the whole file's bytes. */
export async function textOfBytes(bytes: Buffer, preferred?: string): Promise<FileText & { text: string }> {
  const { text, encoding, candidates, isWritable } = await decodeText(bytes, preferred);
  return { text, encoding, candidates, isWritable, source: () => once(text) };
}

/** Text of a large file by ranges. `head` are its first bytes, from which the encoding is told. */
export async function textOfRanges(
  file: { handle: FileHandle; size: number },
  head: Buffer,
  preferred?: string,
): Promise<FileText> {
  const { encoding, candidates, isWritable } = await decodeText(withoutTornEnd(head), preferred);
  const source: TextSource = (start) => pieces(file, encoding, start);
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  return { encoding, candidates, isWritable, source, ...(isWide ? {} : { findLine: createLineFinder(file) }) };
}

/** Text in one piece as a source. */
export async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* pieces(
  file: { handle: FileHandle; size: number },
  encoding: Encoding,
  { byte }: Pick<LineStart, "byte"> = { byte: 0 },
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: byte > 0 });
  for (let at = byte; at < file.size; at += PIECE_BYTES) {
    const bytes = await readBytes(file.handle, at, Math.min(PIECE_BYTES, file.size - at));
    if (bytes.length === 0) break;
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

/** Up to `length` bytes from `position`; fewer at the end of the file. */
export async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** A sample that ends inside a character would not look like UTF-8; UTF-16 needs an even number of bytes. */
function withoutTornEnd(head: Buffer): Buffer {
  const bytes = head.subarray(0, head.length - (head.length % 2));
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back);
  }
  return bytes;
}

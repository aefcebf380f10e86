/** Finds a line in a large file by counting line feeds in its bytes, so that only the page itself has to be decoded. */

import type { FileHandle } from "node:fs/promises";

/** A byte at which a line (from 1) begins. */
export interface LineStart {
  line: number;
  byte: number;
}

export interface FoundLine {
  /** The line that was asked for, from 1; it may lie past the end. */
  from: number;
  /** A line's beginning at or before it. */
  start: LineStart;
  /** Lines in all; missing where counting them would have taken too long. */
  total?: number;
}

/** Finds the line of an offset: from 1, or counted from the end below 0. */
export type LineFinder = (offset: number, signal?: AbortSignal) => Promise<FoundLine>;

const PIECE_BYTES = 256 * 1024;
/** How much more is read only to tell how many lines there are. */
const COUNT_AHEAD_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 10;

/** For every encoding but UTF-16, in which other characters hold the byte of a line feed too. */
export function createLineFinder(file: { handle: FileHandle; size: number }): LineFinder {
  return async (offset, signal) => {
    const wanted = offset < 0 ? Number.POSITIVE_INFINITY : Math.max(offset, 1);
    const { starts, total } = await new LineCount(wanted).run(file, signal);
    const from = offset < 0 ? Math.max(1, (total ?? 0) + offset + 1) : wanted;
    const start = starts.findLast((one) => one.line <= from) ?? { line: 1, byte: 0 };
    return { from, start, ...(total === undefined ? {} : { total }) };
  };
}

class LineCount {
  /** The first line that begins in each piece. */
  readonly starts: LineStart[] = [{ line: 1, byte: 0 }];
  total: number | undefined;
  /** The line under way. */
  private line = 1;
  private ahead = 0;

  constructor(private readonly wanted: number) {}

  async run({ handle, size }: { handle: FileHandle; size: number }, signal: AbortSignal | undefined): Promise<this> {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let isOpen = false;
    for (let at = 0; at < size; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, Math.min(PIECE_BYTES, size - at), at);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      this.take(piece, at);
      isOpen = piece[bytesRead - 1] !== LINE_FEED;
      at += bytesRead;
      if (this.line > this.wanted) this.ahead += bytesRead;
      if (this.ahead > COUNT_AHEAD_BYTES) return this;
    }
    this.total = isOpen ? this.line : this.line - 1;
    return this;
  }

  private take(piece: Buffer, at: number): void {
    let found = piece.indexOf(LINE_FEED);
    if (found !== -1) this.starts.push({ line: this.line + 1, byte: at + found + 1 });
    for (; found !== -1; found = piece.indexOf(LINE_FEED, found + 1)) this.line += 1;
  }
}

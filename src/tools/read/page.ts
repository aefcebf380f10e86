/** Cuts one page of numbered lines out of a stream of text, holding no more of it than that page. */

import { grouped, headOf } from "../text";
import type { LineFinder, LineStart } from "./lineFinder";

export const MAX_LINES = 2000;
export const MAX_BYTES = 50 * 1024;
const MAX_LINE_CHARS = 2000;
/** How much more is read, in characters, only to tell how many lines there are. */
const COUNT_AHEAD_CHARS = 256 * 1024 * 1024;

/** Text in pieces, each time from where a line starts, or from the beginning. */
export type TextSource = (start?: LineStart) => AsyncIterable<string>;

export interface PageRequest {
  /** First line from 1; below 0 it counts from the end. */
  offset: number;
  limit: number;
  signal?: AbortSignal;
}

/** One page. `total` is missing where counting all lines would have taken too long. */
export interface Page {
  /** `N|text` lines. */
  lines: string[];
  first: number;
  total?: number;
  isCutByBytes: boolean;
  /** True when the page reaches the end and the last line has no line end. */
  lacksFinalNewline: boolean;
  /** The length of the page's first line where it alone is over the limit of bytes. */
  hugeFirstLine?: number;
}

/** Reads the page that was asked for. An offset past the end gives a page without lines, with `total`. */
export async function readPage(source: TextSource, request: PageRequest, findLine?: LineFinder): Promise<Page> {
  if (findLine) {
    const { from, start, total } = await findLine(request.offset, request.signal);
    const page = await new Pager({ ...request, from, start }).run(source(start));
    return total === undefined ? page : { ...page, total };
  }
  if (request.offset > 0) return new Pager({ ...request, from: request.offset }).run(source());
  if (request.offset === 0) return new Pager({ ...request, from: 1 }).run(source());
  const counted = await new Pager({ limit: 0, from: Infinity, signal: request.signal }).run(source());
  const from = Math.max(1, (counted.total ?? 0) + request.offset + 1);
  return new Pager({ ...request, from }).run(source());
}

class Pager {
  private readonly page: Page;
  private bytes = 0;
  private isFull = false;
  /** The line under way: its number, its beginning as far as it is shown, its whole length. */
  private line: number;
  private head = "";
  private length = 0;
  private last = "";
  private ahead = 0;

  /** With `start` the source begins at that line, and nothing is read behind the page. */
  constructor(private readonly request: { from: number; limit: number; signal?: AbortSignal; start?: LineStart }) {
    this.line = request.start?.line ?? 1;
    this.page = { lines: [], first: request.from, isCutByBytes: false, lacksFinalNewline: false };
  }

  async run(source: AsyncIterable<string>): Promise<Page> {
    for await (const piece of source) {
      this.request.signal?.throwIfAborted();
      this.take(piece);
      if (this.isFull && this.request.start) return this.page;
      if (this.isFull) this.ahead += piece.length;
      if (this.ahead > COUNT_AHEAD_CHARS) return this.page;
    }
    return this.finish();
  }

  private take(piece: string): void {
    let at = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", at)) {
      this.extend(piece, at, end);
      this.closeLine();
      at = end + 1;
    }
    this.extend(piece, at, piece.length);
  }

  private extend(piece: string, from: number, to: number): void {
    if (to === from) return;
    const isWanted = this.isShown() && this.head.length < MAX_LINE_CHARS;
    if (isWanted) this.head += piece.slice(from, Math.min(to, from + MAX_LINE_CHARS + 1 - this.head.length));
    this.length += to - from;
    this.last = piece.charAt(to - 1);
  }

  private closeLine(): void {
    if (this.isShown()) this.show();
    this.line += 1;
    this.head = "";
    this.length = 0;
    this.last = "";
  }

  private isShown(): boolean {
    return !this.isFull && this.line >= this.request.from;
  }

  private show(): void {
    const { page } = this;
    const length = this.length - (this.last === "\r" ? 1 : 0);
    const shown = headOf(this.head, Math.min(length, MAX_LINE_CHARS));
    const text = `${this.line}|${shown}${length > shown.length ? `…[+${grouped(length - shown.length)} characters]` : ""}`;
    const size = Buffer.byteLength(text) + 1;
    if (this.bytes + size > MAX_BYTES) {
      page.isCutByBytes = true;
      this.isFull = true;
      return;
    }
    if (page.lines.length === 0 && length > MAX_BYTES) page.hugeFirstLine = length;
    page.lines.push(text);
    this.bytes += size;
    if (page.lines.length >= this.request.limit) this.isFull = true;
  }

  private finish(): Page {
    const { page } = this;
    const hasOpenLine = this.length > 0;
    const wasFull = this.isFull;
    if (hasOpenLine) this.closeLine();
    page.total = this.line - 1;
    page.lacksFinalNewline = hasOpenLine && !wasFull && !page.isCutByBytes && page.lines.length > 0;
    return page;
  }
}

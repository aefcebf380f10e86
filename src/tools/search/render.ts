/** Search results as the model reads them, grouped by file to save tokens. */

import { counted, grouped, onOneLine } from "../text";
import type { FileHits } from "./query";

/** The answer of one file: its lines by number. */
export interface ShownFile {
  /** As shown to the model. */
  path: string;
  lines: Map<number, { text: string; isMatch: boolean }>;
  /** How many of its matches are among the lines. */
  matches: number;
}

/** Which part of the results is shown, and of how many. */
export interface Window {
  offset: number;
  limit: number;
  total: number;
  /** There are more than `total`. */
  isPartial: boolean;
}

const MAX_CHARS = 50_000;

/** `path`, then `12:match` and `13-context` lines, `--` between distant groups where context is shown. */
export function renderContent(files: ShownFile[], window: Window, hasContext: boolean): string {
  const lines: string[] = [];
  let shown = 0;
  let room = MAX_CHARS;
  for (const file of files) {
    const block = [onOneLine(file.path), ...numbered(file, hasContext)];
    const size = block.reduce((sum, line) => sum + line.length + 1, 0);
    if (size > room && lines.length > 0) break;
    lines.push(...block);
    room -= size;
    shown += file.matches;
  }
  const fileCount = files.filter((file) => file.matches > 0).length;
  lines.push(matchNote(window, shown, fileCount));
  return lines.join("\n");
}

function numbered({ lines }: ShownFile, hasContext: boolean): string[] {
  const rows: string[] = [];
  let last = 0;
  for (const [number, { text, isMatch }] of [...lines].sort((a, b) => a[0] - b[0])) {
    if (hasContext && last > 0 && number > last + 1) rows.push("--");
    rows.push(`${number}${isMatch ? ":" : "-"}${text}`);
    last = number;
  }
  return rows;
}

function matchNote(window: Window, shown: number, files: number): string {
  const isWhole = window.offset === 0 && shown === window.total && !window.isPartial;
  if (isWhole) return `[${counted(shown, "match", "matches")} in ${counted(files, "file")}]`;
  return moreNote(window, shown, "matches");
}

function moreNote({ offset, total, isPartial }: Window, shown: number, noun: string): string {
  const all = `${isPartial ? "more than " : ""}${grouped(total)} ${noun}`;
  const part = offset > 0 ? `${noun} ${grouped(offset + 1)}-${grouped(offset + shown)}` : grouped(shown);
  if (offset > 0 && offset + shown >= total && !isPartial) return `[${part} of ${all}]`;
  return `[${part} of ${all}. Use limit, offset, or a narrower path or glob.]`;
}

/** Paths, or `path:n`, one a line. */
export function renderFiles(files: FileHits[], window: Window, show: (file: FileHits) => string): string {
  const part = files.slice(window.offset, window.offset + window.limit);
  const lines = part.map(show).map(onOneLine);
  if (part.length < window.total || window.isPartial) lines.push(moreNote(window, part.length, "files"));
  return lines.join("\n");
}

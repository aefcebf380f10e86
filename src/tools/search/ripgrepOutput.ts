/** Reads what ripgrep prints, in the form that each mode of grep asks for. */

import { aroundMatch, type FileHits, type Hit, type SearchQuery } from "./query";
import type { OutputReader } from "./ripgrepProcess";

/** A reader with what it has found so far. */
export interface HitReader extends OutputReader {
  readonly files: FileHits[];
}

export function createReader(query: SearchQuery): HitReader {
  if (query.mode === "content") return new JsonReader(query);
  return new CountReader(query);
}

/** `path NUL count newline` of each file. */
class CountReader implements HitReader {
  readonly files: FileHits[] = [];
  private rest = "";
  private total = 0;

  constructor(private readonly query: SearchQuery) {}

  get isFull(): boolean {
    return this.total > this.query.ceiling;
  }

  take(piece: string): void {
    const entry = /([^\0]*)\0(\d+)\r?\n/gy;
    const text = this.rest + piece;
    let end = 0;
    for (let found = entry.exec(text); found && !this.isFull; found = entry.exec(text)) {
      this.add(plainPath(found[1] ?? ""), Number(found[2]));
      end = entry.lastIndex;
    }
    this.rest = text.slice(end);
  }

  private add(path: string, count: number): void {
    if (!this.query.accepts(path)) return;
    this.files.push({ path, count, hits: [] });
    this.total += 1;
  }
}

interface TextOrBytes {
  text?: string;
  /** Base64, where the bytes are not UTF-8. */
  bytes?: string;
}

interface JsonEvent {
  type: string;
  data: {
    path?: TextOrBytes;
    lines?: TextOrBytes;
    line_number?: number;
    submatches?: { start: number; end: number }[];
    binary_offset?: number | null;
  };
}

/** One JSON object a line: `begin`, `match` and `end` of each file. */
class JsonReader implements HitReader {
  readonly files: FileHits[] = [];
  private rest = "";
  private total = 0;
  private current: FileHits | undefined;

  constructor(private readonly query: SearchQuery) {}

  get isFull(): boolean {
    return this.total > this.query.ceiling;
  }

  take(piece: string): void {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line !== "") this.read(JSON.parse(line) as JsonEvent);
    }
  }

  private read({ type, data }: JsonEvent): void {
    if (type === "begin") this.current = { path: plainPath(bytesOf(data.path).toString("utf8")), count: 0, hits: [] };
    if (!this.current || !this.query.accepts(this.current.path)) return;
    if (type === "match") this.current.hits.push(...this.hitsOf(data));
    // One file alone may have more than anybody wants.
    if (this.total + this.current.hits.length > this.query.ceiling) this.keep(this.current);
    // A NUL was met further down: the file is binary after all.
    if (type === "end" && typeof data.binary_offset !== "number") this.keep(this.current);
  }

  private keep(file: FileHits): void {
    this.current = undefined;
    file.count = file.hits.length;
    if (file.count > 0) this.files.push(file);
    this.total += file.count;
  }

  private hitsOf({ lines, line_number: line = 1, submatches = [] }: JsonEvent["data"]): Hit[] {
    const bytes = bytesOf(lines);
    const text = bytes.toString("utf8");
    const matches = this.query.multiline ? submatches : submatches.slice(0, 1);
    return matches.map(({ start, end }) => hitIn(text, line, [charsUpTo(bytes, start), charsUpTo(bytes, end)]));
  }
}

/** Offsets are counted in bytes; in plain ASCII that makes no difference. */
function charsUpTo(bytes: Buffer, offset: number): number {
  return bytes.toString("utf8", 0, offset).length;
}

/** The part of a block of lines that one match touches. */
function hitIn(block: string, firstLine: number, [start, end]: [number, number]): Hit {
  const before = block.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  const stop = block.indexOf("\n", Math.max(start, end - 1));
  const [first = "", ...rest] = block
    .slice(lineStart, stop < 0 ? block.length : stop)
    .split("\n")
    .map(withoutReturn);
  return {
    line: firstLine + before.split("\n").length - 1,
    lines: [aroundMatch(first, start - lineStart), ...rest.map((line) => aroundMatch(line, 0))],
  };
}

function bytesOf(value: TextOrBytes | undefined): Buffer {
  return value?.text === undefined ? Buffer.from(value?.bytes ?? "", "base64") : Buffer.from(value.text);
}

function plainPath(path: string): string {
  return path.replaceAll("\\", process.platform === "win32" ? "/" : "\\").replace(/^\.\//, "");
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

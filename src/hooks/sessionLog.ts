/** Reads a session's event log (`<id>.jsonl`) as it is found on disk: streaming, and through every damage it may have. */

import { closeSync, openSync, readSync } from "node:fs";

/** One line of the log. `t` is the time as an ISO string. */
export interface LogRecord {
  t: string;
  type: string;
  data: Record<string, unknown>;
}

export interface ReadLogOptions {
  /** Byte at which to begin; must be the start of a line. */
  from?: number;
  /** Only these types are parsed and given; all others are passed over cheaply. */
  types?: ReadonlySet<string>;
  /** Told once for each damaged place, in prose with the line number. */
  warn?(message: string): void;
}

const CHUNK = 1 << 20;
const LF = 10;
/** How our own lines begin; a quote inside a JSON string is escaped, so text cannot look like this by chance. */
const recordStart = '{"t":"';
const typeOfLine = /^\{"t":"[^"\\]{0,40}","type":"([^"\\]{1,80})",/;

/**
 * The records of a log in order. Damaged lines are skipped with a warning and glued or NUL-padded ones recovered; a
 * missing file gives nothing. Throws only what reading the file throws.
 */
export function* readLog(path: string, options: ReadLogOptions = {}): Generator<LogRecord> {
  let line = 0;
  for (const text of linesOf(path, options.from ?? 0)) {
    line += 1;
    if (canSkip(text, options.types)) continue;
    const records = parseLine(text, (fault) => options.warn?.(`Line ${line} of the log ${fault}.`));
    for (const record of records) {
      if (!options.types || options.types.has(record.type)) yield record;
    }
  }
}

/** A whole line of a type that nobody asked for. Lines that may be damaged are not skipped. */
function canSkip(text: string, types: ReadonlySet<string> | undefined): boolean {
  const type = types && typeOfLine.exec(text)?.[1];
  return (
    type !== undefined &&
    !types?.has(type) &&
    text.endsWith("}") &&
    text.indexOf(recordStart, 1) < 0 &&
    !text.includes("\0")
  );
}

/** The lines of a file, split at LF only (a message may hold U+2028), without the empty ones. */
function* linesOf(path: string, from: number): Generator<string> {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let rest: Buffer[] = [];
    let at = from;
    for (let size = readSync(file, chunk, 0, CHUNK, at); size > 0; size = readSync(file, chunk, 0, CHUNK, at)) {
      at += size;
      let start = 0;
      for (let end = chunk.indexOf(LF); end >= 0 && end < size; end = chunk.indexOf(LF, start)) {
        const text = textOf(rest, chunk.subarray(start, end));
        rest = [];
        start = end + 1;
        if (text !== "") yield text;
      }
      if (start < size) rest.push(Buffer.from(chunk.subarray(start, size)));
    }
    const last = textOf(rest, Buffer.alloc(0));
    if (last !== "") yield last;
  } finally {
    closeSync(file);
  }
}

function textOf(before: Buffer[], piece: Buffer): string {
  return before.length === 0 ? piece.toString("utf8") : Buffer.concat([...before, piece]).toString("utf8");
}

/** The records of one line. `fault` is told what was wrong with it. */
function parseLine(text: string, fault: (what: string) => void): LogRecord[] {
  const clean = text.replaceAll("\0", "");
  if (clean.length < text.length) fault("held NUL bytes, as a crash leaves them");
  if (clean.trim() === "") return [];
  const whole = recordOf(clean);
  if (whole) return [whole];
  const parts = unglue(clean);
  fault(parts.length > 0 ? "was damaged and could be read in part" : "was damaged and is left out");
  return parts;
}

function recordOf(text: string): LogRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is LogRecord {
  if (typeof value !== "object" || value === null || !("type" in value) || !("data" in value)) return false;
  return typeof value.type === "string" && typeof value.data === "object" && value.data !== null;
}

/** Records that lost the line end between them: every piece that begins like a record and is one. */
function unglue(text: string): LogRecord[] {
  const starts: number[] = [];
  for (let at = text.indexOf(recordStart); at >= 0 && starts.length < 200; at = text.indexOf(recordStart, at + 1))
    starts.push(at);
  const records: LogRecord[] = [];
  let readTo = 0;
  for (const start of starts) {
    // A start inside a record that was read already is text in one of its strings.
    if (start < readTo) continue;
    const object = leadingObject(text, start);
    const record = recordOf(object);
    if (!record) continue;
    records.push(record);
    readTo = start + object.length;
  }
  return records;
}

/** The text of the JSON object that begins at `start`, up to its closing brace; empty where none closes it. */
function leadingObject(text: string, start: number): string {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth += 1;
    else if (char === "}") {
      depth -= 1;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return "";
}

/** The checkpoint file `<id>_state.json`: replaced whole or not at all, and tied to the length of the log. */

import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isMessage, isPlainObject, type SavedState } from "./savedState";

/** Where in the log a checkpoint stands: its length in bytes, and a hash of the bytes right before. */
export interface LogMark {
  logLength: number;
  logHash: string;
}

export type Checkpoint = SavedState & Partial<LogMark>;

const MARKED_BYTES = 256;
const HEAD_BYTES = 4096;

/** The text of a checkpoint. The mark stands in front, so that it can be read without the conversation. */
export function checkpointText(state: SavedState, mark: LogMark): string {
  const { sessionId, model, savedAt, ...rest } = state;
  return `${JSON.stringify({ sessionId, ...mark, savedAt, model, ...rest })}\n`;
}

/**
 * Writes beside the old file, syncs, and renames: there is always the old file or the new one. Returns the size in
 * bytes; throws what the disk throws, and the old file then stands.
 */
export function replaceFile(path: string, text: string): number {
  const bytes = Buffer.from(text);
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  sweepTemporaries(path);
  try {
    writeSynced(temporary, bytes);
    renameSync(temporary, path);
  } catch (error) {
    tryTo(() => unlinkSync(temporary));
    throw error;
  }
  // Not every file system lets a folder be synced; the rename itself is done.
  tryTo(() => syncFolder(dirname(path)));
  return bytes.length;
}

function writeSynced(path: string, bytes: Buffer): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The checkpoint, or null where there is none that can be read. Never throws. */
export function readCheckpoint(path: string): Checkpoint | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isPlainObject(value) || !Array.isArray(value.messages) || !value.messages.every(isMessage)) return null;
    return typeof value.model === "string" ? (value as unknown as Checkpoint) : null;
  } catch {
    return null;
  }
}

/** What the last checkpoint covers and weighs, read from its first bytes; undefined where there is none. */
export function checkpointExtent(path: string): { logLength: number; size: number } | undefined {
  try {
    const { size } = statSync(path);
    const file = openSync(path, "r");
    const head = Buffer.alloc(HEAD_BYTES);
    try {
      readSync(file, head, 0, HEAD_BYTES, 0);
    } finally {
      closeSync(file);
    }
    const found = /^\{"sessionId":"(?:[^"\\]|\\.)*","logLength":(\d+),/.exec(head.toString("utf8"));
    return { logLength: Number(found?.[1] ?? 0), size };
  } catch {
    return undefined;
  }
}

/** Marks a place in the log. `file` is open for reading. */
export function markLog(file: number, length: number): LogMark {
  const bytes = Buffer.alloc(Math.min(MARKED_BYTES, length));
  readSync(file, bytes, 0, bytes.length, length - bytes.length);
  return { logLength: length, logHash: createHash("sha1").update(bytes).digest("hex") };
}

/** True when the log still holds, at that place, what it held when the checkpoint was made. */
export function isMarkValid(logPath: string, { logLength, logHash }: Partial<LogMark>): boolean {
  if (logLength === undefined || logHash === undefined) return false;
  try {
    if (statSync(logPath).size < logLength) return false;
    const file = openSync(logPath, "r");
    try {
      return markLog(file, logLength).logHash === logHash;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Removes what a kill in the middle of a save left behind. */
function sweepTemporaries(path: string): void {
  tryTo(() => {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(`${basename(path)}.`) && name.endsWith(".tmp"))
        tryTo(() => unlinkSync(join(dirname(path), name)));
    }
  });
}

function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // Housekeeping: nothing depends on it.
  }
}

/** Writing and draining without the event loop, for the moments when there is none left: exit, signals, crashes. */

import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { codeOf } from "../../shared/errors";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the process: only for a few milliseconds, and only at its end. */
function sleepSync(milliseconds: number): void {
  Atomics.wait(sleeper, 0, 0, milliseconds);
}

/** Writes all of a text or gives up quietly when the terminal is gone or does not take it for 100 ms. */
export function writeAllSync(fd: number, text: string): void {
  let bytes = Buffer.from(text);
  for (let tries = 0; bytes.length > 0 && tries < 20; ) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") return;
      tries++;
      sleepSync(5);
    }
  }
}

/** Silence that counts as the end of what the terminal had to say. */
const QUIET_MS = 15;
const STEP_MS = 5;

/**
 * Reads and drops what the terminal still sends (answers, late key reports) until it is quiet, for at most `limitMs`, so
 * that none of it is typed into the shell.
 */
export function drainTerminalSync(limitMs: number): void {
  withTerminal((fd) => {
    let quiet = 0;
    for (let waited = 0; waited < limitMs && quiet < QUIET_MS; waited += STEP_MS) {
      quiet = readSome(fd) ? 0 : quiet + STEP_MS;
      sleepSync(STEP_MS);
    }
  });
}

/** What was typed before we took the terminal over, as it would have come in raw mode: the line discipline made CR to LF. */
export function readTypedAheadSync(): Buffer {
  const parts: Buffer[] = [];
  withTerminal((fd) => {
    for (let part = readSome(fd); part; part = readSome(fd)) parts.push(part);
  });
  return Buffer.concat(parts).map((byte) => (byte === 0x0a ? 0x0d : byte)) as Buffer;
}

/** Opens the controlling terminal anew: a handle that is sure not to block. Without one there is nothing to do. */
function withTerminal(work: (fd: number) => void): void {
  let fd: number;
  try {
    fd = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return;
  }
  try {
    work(fd);
  } finally {
    closeSync(fd);
  }
}

/** What can be read at once; null when there is nothing, or nobody. */
function readSome(fd: number): Buffer | null {
  const buffer = Buffer.alloc(4096);
  try {
    const length = readSync(fd, buffer);
    return length > 0 ? buffer.subarray(0, length) : null;
  } catch {
    return null;
  }
}

/** Writing and draining without the event loop, for the moments when there is none left: exit, signals, crashes. */

import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { codeOf } from "../../shared/errors";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

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

const QUIET_MS = 15;
const STEP_MS = 5;

/**
 * Reads and drops what the terminal still sends (answers, late key reports) until it is quiet, for at most `limitMs`, so
 * that none of it is typed into the shell. Opens the controlling terminal anew: a handle that is sure not to block.
 */
export function drainTerminalSync(limitMs: number): void {
  let fd: number;
  try {
    fd = openSync("/dev/tty", constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return;
  }
  const buffer = Buffer.alloc(4096);
  let quiet = 0;
  for (let waited = 0; waited < limitMs && quiet < QUIET_MS; waited += STEP_MS) {
    quiet = hasInput(fd, buffer) ? 0 : quiet + STEP_MS;
    sleepSync(STEP_MS);
  }
  closeSync(fd);
}

function hasInput(fd: number, buffer: Buffer): boolean {
  try {
    return readSync(fd, buffer) > 0;
  } catch {
    return false;
  }
}

/** One writer at a time for small state files that several processes share: a lock file beside the file. */

import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, ZqError } from "./errors";

/** Nobody holds it longer: an older lock was left by a process that died. */
const STALE_MS = 10_000;
const PATIENCE_MS = 15_000;

/** Runs `work` while this process holds `<path>.lock`; the folder must exist. Throws ZqError `locked` after 15 s. */
export async function withFileLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const until = Date.now() + PATIENCE_MS;
  while (!take(lock)) {
    if (Date.now() > until) throw new ZqError("locked", `${path} is being written by another process.`);
    dropStale(lock);
    await sleep(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    const file = openSync(lock, "wx", 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Renamed first: of several that find it stale only one gets it, and never a fresh one by that name. */
function dropStale(lock: string): void {
  try {
    if (Date.now() - statSync(lock).mtimeMs < STALE_MS) return;
    const aside = `${lock}.${process.pid}`;
    renameSync(lock, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

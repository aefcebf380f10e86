/** Keeps two processes of one session from writing its index at once: a mixed index would give a wrong snapshot. */

import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf, ZqError } from "../shared/errors";
import { isRunning } from "../shared/isRunning";

const WAIT_MS = 5000;
const POLL_MS = 50;
/** No snapshot takes this long; a lock of this age is left over even if its process id lives on in another program. */
const STALE_MS = 10 * 60_000;

/** Runs `work` while the lock file exists. Throws `ZqError` when another process holds it for more than five seconds. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  while (!tryLock(file)) {
    if (isStale(file)) rmSync(file, { force: true });
    else if (Date.now() > deadline)
      throw new ZqError("vcs_busy", "Another process is taking a snapshot of this session. Try again.");
    else await pause(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function isStale(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return true;
    // An empty file is being written this moment.
    return pid > 0 && !isRunning(pid);
  } catch {
    return false;
  }
}

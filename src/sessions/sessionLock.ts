/** One process a session: a lock file that names its holder; a holder that has died is succeeded. */

import { randomBytes } from "node:crypto";
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, unlinkSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf, ZqError } from "../shared/errors";
import { isRunning } from "../shared/isRunning";

export interface LockHolder {
  pid: number;
  host: string;
  /** ISO time. */
  since: string;
  /** When the process began, as the system tells it: a later process may get the same pid. */
  began?: string;
}

/** The session is open elsewhere. */
export class SessionHeldError extends ZqError {
  readonly holder: LockHolder;

  constructor(sessionId: string, holder: LockHolder) {
    super("session_held", `Session ${sessionId} is open in process ${holder.pid} since ${holder.since}.`);
    this.name = "SessionHeldError";
    this.holder = holder;
  }
}

export interface SessionLock {
  release(): void;
}

/** Takes the lock of a session folder. Throws SessionHeldError when a living process holds it. */
export function takeSessionLock(folder: string, sessionId: string): SessionLock {
  const path = join(folder, "lock");
  const mine: LockHolder = {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    began: beginOf(process.pid),
  };
  for (let attempt = 0; ; attempt++) {
    if (create(path, mine)) return { release: () => release(path, mine) };
    const holder = read(path);
    if (holder !== null && isAlive(holder)) throw new SessionHeldError(sessionId, holder);
    if (attempt >= 5) throw new SessionHeldError(sessionId, holder ?? mine);
    setAside(path);
  }
}

/**
 * Writes the whole text to a name of our own first and links it into place: a reader never sees half a lock, and of two
 * processes that try at once exactly one succeeds.
 */
function create(path: string, holder: LockHolder): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, JSON.stringify(holder));
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** Moves a dead lock away; of several successors only one gets it, the others simply try again. */
function setAside(path: string): void {
  const aside = `${path}.dead.${randomBytes(6).toString("hex")}`;
  try {
    renameSync(path, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

function release(path: string, mine: LockHolder): void {
  const holder = read(path);
  if (holder?.pid === mine.pid && holder.since === mine.since) rmSync(path, { force: true });
}

function read(path: string): LockHolder | null {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Partial<LockHolder>;
    return typeof value.pid === "number" && typeof value.host === "string" ? (value as LockHolder) : null;
  } catch {
    return null;
  }
}

/** On another machine (a shared home) nothing can be known, so the lock counts. */
function isAlive(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true;
  if (!isRunning(holder.pid)) return false;
  const began = beginOf(holder.pid);
  return began === undefined || holder.began === undefined || began === holder.began;
}

/** Start time of a process in clock ticks since boot (Linux); undefined elsewhere. */
function beginOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name in parentheses and may hold blanks: count from its end.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

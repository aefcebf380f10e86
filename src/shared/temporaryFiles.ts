/** The temporary files that stand beside what they will replace: their names, and an end for those of dead processes. */

import { randomBytes } from "node:crypto";
import { lstat, readdir, unlink } from "node:fs/promises";
import { isRunning } from "./isRunning";
import type { PinnedFolder } from "./pinnedFolder";

/** What they are called, as a glob: listings, searches and snapshots leave such names out. */
export const TEMPORARY_GLOB = ".zqagent-[0-9]*-*.tmp";
const HIDDEN = /^\.zqagent-[0-9].*-.*\.tmp$/;
const OURS = /^\.zqagent-(\d{1,10})-[0-9a-f]{18}\.tmp$/;

/** Nobody holds one as long: they live for the moment of a write. Other machines may share the folder. */
const STALE_MS = 10 * 60_000;

/** A new name, with the process in it. */
export function temporaryName(): string {
  return `.zqagent-${process.pid}-${randomBytes(9).toString("hex")}.tmp`;
}

/** True for every name that `TEMPORARY_GLOB` takes. */
export function isTemporaryName(name: string): boolean {
  return HIDDEN.test(name);
}

const swept = new Set<string>();

/**
 * Removes what processes that were killed in the midst of a write left in a folder. Once a process for each folder, as
 * long as nothing there is too young to be judged. Only regular files of this user with our full form of name.
 */
export async function sweepTemporaries(path: string, folder: PinnedFolder): Promise<void> {
  if (swept.has(path)) return;
  const names = await readdir(folder.entry(".")).catch(() => []);
  let isDone = true;
  for (const name of names) {
    const pid = Number(OURS.exec(name)?.[1] ?? 0);
    if (pid > 0 && !isRunning(pid)) isDone = (await removeStale(folder.entry(name))) && isDone;
  }
  if (isDone) swept.add(path);
}

/** False when it is too young. */
async function removeStale(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.uid !== (process.getuid?.() ?? stats.uid)) return true;
  if (Date.now() - stats.mtimeMs < STALE_MS) return false;
  await unlink(file).catch(() => undefined);
  return true;
}

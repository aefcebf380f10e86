/** The folder that holds what commands of a session see as the temporary one: 0700, and removed when nobody needs it. */

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "../shared/isRunning";
import { realPathOf } from "../shared/paths";

const PREFIX = "zqagent-commands-";
const STALE_MS = 24 * 60 * 60 * 1000;

/** Those in use, removed at the latest when our own process ends. */
const folders = new Set<string>();

/** Makes a folder with `tmp` (what commands see) and `empty` (what is mounted where nothing may come to exist). */
export function createSessionFolder(): string {
  const parent = realPathOf(tmpdir());
  removeStale(parent);
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  for (const name of ["tmp", "empty"]) mkdirSync(join(folder, name), { mode: 0o700 });
  if (folders.size === 0) process.on("exit", removeAll);
  folders.add(folder);
  return folder;
}

/** Never throws. */
export function removeSessionFolder(folder: string): void {
  remove(folder);
  folders.delete(folder);
  if (folders.size === 0) process.off("exit", removeAll);
}

function removeAll(): void {
  for (const folder of folders) remove(folder);
}

/** A process that was killed could not tidy up: what is ours, older than a day, and without its process, goes. */
function removeStale(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? 0);
    if (pid > 0 && !isRunning(pid) && isOldAndOurs(join(parent, name))) remove(join(parent, name));
  }
}

function isOldAndOurs(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory() || stats.uid !== process.getuid?.()) return false;
  return Date.now() - stats.mtimeMs > STALE_MS;
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A command may have made folders that not even we may empty.
  }
}

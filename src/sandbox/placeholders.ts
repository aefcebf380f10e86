/** Keeps count of the empty folders that a mount leaves on the disk, and takes them away after the last command. */

import { rmdirSync } from "node:fs";

/** How many running commands need each; a command of another session may share it. */
const holders = new Map<string, number>();

/** True while the folder stands there only because of us. */
export function isPlaceholder(path: string): boolean {
  return holders.has(path);
}

/** Counts the folders as needed, until the returned function is called. */
export function holdPlaceholders(paths: readonly string[]): () => void {
  if (holders.size === 0) process.on("exit", removeAll);
  for (const path of paths) holders.set(path, (holders.get(path) ?? 0) + 1);
  return () => {
    for (const path of paths) release(path);
    if (holders.size === 0) process.off("exit", removeAll);
  };
}

function release(path: string): void {
  const left = (holders.get(path) ?? 1) - 1;
  if (left > 0) holders.set(path, left);
  else {
    holders.delete(path);
    remove(path);
  }
}

function removeAll(): void {
  for (const path of holders.keys()) remove(path);
}

/** Only ever an empty folder. */
function remove(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Never made, or no longer empty: then it is somebody's.
  }
}

/** Orders files by age. */

import { lstat } from "node:fs/promises";
import { resolve } from "node:path";

/** Looked up at a time: enough to keep the disk busy, few enough for the limit of open requests. */
const AT_ONCE = 64;

/** The newest first, ties by name. `paths` are relative to `base` or absolute; what is gone counts as oldest. */
export async function newestFirst(paths: readonly string[], base: string): Promise<string[]> {
  const times = new Map<string, number>();
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    await Promise.all(
      paths.slice(at, at + AT_ONCE).map(async (path) => {
        const stats = await lstat(resolve(base, path)).catch(() => null);
        times.set(path, stats?.mtimeMs ?? 0);
      }),
    );
  }
  const age = (path: string) => times.get(path) ?? 0;
  return [...paths].sort((a, b) => age(b) - age(a) || (a < b ? -1 : 1));
}

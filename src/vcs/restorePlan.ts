/** Works out what going back to a snapshot would do. Pure: it reads and writes nothing. */

import { ZqError } from "../shared/errors";
import type { Entry } from "./listing";
import type { Snapshot } from "./Snapshots";

export interface RestoreRequest {
  /** The files to come back to. */
  target: ReadonlyMap<string, Entry>;
  /** The workspace now. */
  now: Snapshot;
  /** The newest snapshot before now: what differs from it, somebody else changed. */
  last: ReadonlyMap<string, Entry>;
  /** Paths that a later snapshot of ours holds and the target lacks: the only ones that may be deleted. */
  later: ReadonlySet<string>;
  /** Files and folders to restrict it to. */
  paths?: readonly string[];
}

export interface RestorePlan {
  write: string[];
  delete: string[];
  /** Of both: files that were changed since the newest snapshot. */
  overwritten: string[];
  /** Requested paths of which the snapshot knows nothing. */
  missing: string[];
}

export function buildRestorePlan(request: RestoreRequest): RestorePlan {
  const { target, now, last, later, paths } = request;
  const wanted = (path: string) => !paths || paths.some((one) => isAtOrBelow(path, one));
  const write = [...target].filter(([path, entry]) => wanted(path) && isDue(path, entry, now)).map(([path]) => path);
  const remove = [...later].filter((path) => wanted(path) && !target.has(path) && now.entries.has(path));
  const foreign = (path: string) => {
    const entry = now.entries.get(path);
    return entry !== undefined && !isSame(entry, last.get(path));
  };
  const knows = (one: string) => [...target.keys(), ...remove].some((path) => isAtOrBelow(path, one));
  return {
    write: write.sort(),
    delete: remove.sort(),
    overwritten: [...write, ...remove].filter(foreign).sort(),
    missing: (paths ?? []).filter((one) => !knows(one)),
  };
}

/** Not as the target has it; what the user keeps off the disk by a sparse checkout stays off it. */
function isDue(path: string, entry: Entry, now: Snapshot): boolean {
  return !now.sparse.has(path) && !isSame(entry, now.entries.get(path));
}

function isSame(one: Entry, other: Entry | undefined): boolean {
  return other !== undefined && one.oid === other.oid && one.mode === other.mode;
}

function isAtOrBelow(path: string, place: string): boolean {
  return place === "" || path === place || path.startsWith(`${place}/`);
}

/** Paths as the caller gave them, relative to the workspace with `/`; one that leads out of it is an error. */
export function normalizePaths(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const parts: string[] = [];
    for (const part of path.replaceAll("\\", process.platform === "win32" ? "/" : "\\").split("/")) {
      if (part === "..") {
        if (parts.pop() === undefined) throw outside(path);
      } else if (part !== "" && part !== ".") parts.push(part);
    }
    if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) throw outside(path);
    return parts.join("/");
  });
}

function outside(path: string): ZqError {
  return new ZqError("outside_workspace", `The path is outside the workspace: ${path}. Nothing was restored.`);
}

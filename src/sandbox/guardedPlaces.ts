/** Finds what a command must not change although it may write the folder: the files that make other programs run code. */

import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isInside, realPathOf } from "../shared/paths";
import type { SandboxPlan } from "./plan";

/** What is mounted over the writable folders. All paths are absolute. */
export interface GuardedPlaces {
  /** Writable, but held in place: what lies in them cannot be slipped away by moving them. */
  pinned: string[];
  readOnly: string[];
  /** Do not exist yet, and must not come to exist. */
  missing: string[];
}

/** Editors and agents start what these say. */
const folders = [".vscode", ".idea", ".agent"];
/** Taken along where they exist. */
const moreFolders = [".agents"];

/** Looks at the disk as it is now. Only the top of each writable folder is guarded: deeper ones cannot all be known. */
export function findGuardedPlaces(plan: SandboxPlan): GuardedPlaces {
  const places: GuardedPlaces = { pinned: [], readOnly: [], missing: [] };
  const roots = [plan.workspace, ...plan.extraWritable];
  for (const root of roots) {
    guardRepository(root, places);
    for (const name of [...folders, ...moreFolders]) guard(join(root, name), places);
  }
  const known = plan.readOnly.filter((path) => existsSync(path) && roots.some((root) => isInside(root, path)));
  places.readOnly.push(...known);
  if (!isEmpty(plan.workspace)) {
    places.missing.push(...folders.map((name) => join(plan.workspace, name)).filter((path) => statOf(path) === null));
  }
  return places;
}

/** The repository behind a linked work tree: commits made in it are written there. Null where there is none. */
export function linkedRepository(root: string): string | null {
  const dotGit = join(root, ".git");
  if (!statOf(dotGit)?.isFile()) return null;
  try {
    const named = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1]?.trim() ?? "";
    const gitDir = realPathOf(resolve(root, named));
    // The way back must be written there too: a command may have planted the way there, but not the way back.
    const wayBack = readFileSync(join(gitDir, "gitdir"), "utf8").trim();
    if (basename(dirname(gitDir)) !== "worktrees" || realPathOf(wayBack) !== realPathOf(dotGit)) return null;
    return dirname(dirname(gitDir));
  } catch {
    return null;
  }
}

/** Commits work; hooks and settings, which run programs, stay as they are. */
function guardRepository(root: string, places: GuardedPlaces): void {
  const dotGit = join(root, ".git");
  const stats = statOf(dotGit);
  if (stats?.isDirectory()) guardGitDir(dotGit, places);
  else if (stats) guard(dotGit, places);
  const linked = linkedRepository(root);
  if (linked !== null) guardGitDir(linked, places);
}

function guardGitDir(gitDir: string, places: GuardedPlaces): void {
  places.pinned.push(gitDir);
  for (const name of ["config", "config.worktree", "hooks"]) guard(join(gitDir, name), places);
  if (statOf(join(gitDir, "hooks")) === null) places.missing.push(join(gitDir, "hooks"));
}

/** A link is guarded where it leads to: a mount cannot lie on the link itself. */
function guard(path: string, places: GuardedPlaces): void {
  const stats = statOf(path);
  if (stats === null) return;
  const real = stats.isSymbolicLink() ? realPathOf(path) : path;
  if (statOf(real) !== null) places.readOnly.push(real);
}

function isEmpty(folder: string): boolean {
  return entriesOf(folder).length === 0;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** A path that the model gave, made into the file that a tool may touch; and what to say when there is none. */

import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, extname, isAbsolute, join, sep } from "node:path";
import { ZqError } from "../shared/errors";
import { realPathOf, type WorkspaceRoots } from "../shared/paths";

/** A path inside the places that this session may touch. */
export interface Target {
  /** How the path is shown to the model and the person: relative to the workspace, with `/`. */
  shown: string;
  /** Absolute, its last part not followed if it is a link. */
  absolute: string;
  /** All links resolved; of a file that does not exist, those of its existing ancestors. */
  realPath: string;
}

/**
 * Resolves a path argument. `~` is the home folder; `..` behind a link leaves the folder that the link leads to, as
 * the kernel takes it. Throws `ZqError`: `InvalidPath`, or `PathOutside` where the session may not read (or, with
 * `forWriting`, not write).
 */
export function resolveTarget(roots: WorkspaceRoots, path: unknown, options: { forWriting: boolean }): Target {
  const given = checkedPath(path);
  if (options.forWriting && /[\\/]$/.test(given)) {
    throw new ZqError("InvalidPath", `${given} names a directory, not a file.`);
  }
  const absolute = walk(roots.workspace, given);
  if (options.forWriting) checkNewName(given, absolute);
  const realPath = realPathOf(absolute);
  const isAllowed = options.forWriting ? roots.mayWrite(realPath) : roots.mayRead(realPath);
  if (!isAllowed) throw outsideError(given, options.forWriting && roots.mayRead(realPath));
  return { shown: roots.show(absolute), absolute, realPath };
}

/** `File not found: P. Did you mean Q?`, with up to three files of the same name, or of the same stem. */
export async function missingFileText(roots: WorkspaceRoots, shown: string): Promise<string> {
  const bare = shown.replaceAll("\\", "/").replace(/^[\s"'`@]+|[\s"'`]+$/g, "");
  const hits = await similarFiles(roots.workspace, basename(bare));
  if (hits.length === 0) return `File not found: ${shown}.`;
  const names = hits.map((hit) => roots.show(hit));
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return `File not found: ${shown}. Did you mean ${list}?`;
}

function checkedPath(path: unknown): string {
  if (typeof path !== "string" || path.trim() === "") throw new ZqError("InvalidPath", "path is empty: name a file.");
  if (path.includes("\0")) throw new ZqError("InvalidPath", "path holds a NUL character, which no file name can.");
  return path;
}

/** A slip of the model must not become a file's name. What is there may be called so. */
function checkNewName(given: string, absolute: string): void {
  if (!/^\s|\s$|[\u0001-\u001f\u007f]/.test(given) || isThere(absolute)) return;
  const quoted = JSON.stringify(given);
  throw new ZqError(
    "InvalidPath",
    `File not found: ${quoted}. It has blanks at its ends or control characters in it: send the plain name.`,
  );
}

/** What cannot be looked at is for others to judge. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Joins part by part. Only a `..` needs to know where the links before it lead. */
function walk(workspace: string, given: string): string {
  const path = given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : given;
  const parts = path.split(sep === "\\" ? /[\\/]/ : "/");
  if (!parts.includes("..")) return isAbsolute(path) ? join(path) : join(workspace, path);
  const start = isAbsolute(path) ? sep : workspace;
  return parts.reduce((at, part) => (part === ".." ? dirname(realPathOf(at)) : join(at, part)), start);
}

function outsideError(given: string, isReadable: boolean): ZqError {
  const hint = isReadable
    ? `Path is outside the workspace: ${given}. It may be read but not changed; use request_directory with writable to ask for more.`
    : `Path is outside the workspace: ${given}. Use request_directory to ask for access.`;
  return new ZqError("PathOutside", hint);
}

const MAX_FOLDERS_LOOKED_AT = 2_000;
const NOT_LOOKED_INTO = new Set(["node_modules", ".git", ".agent"]);

/** Breadth first, so that near files come first; bounded, for it only helps a message. */
async function similarFiles(workspace: string, name: string): Promise<string[]> {
  const same: string[] = [];
  const sameStem: string[] = [];
  const stem = basename(name, extname(name)).toLowerCase();
  const queue = [workspace];
  for (let looked = 0; queue.length > 0 && looked < MAX_FOLDERS_LOOKED_AT && same.length < 3; looked++) {
    const folder = queue.shift() ?? "";
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !NOT_LOOKED_INTO.has(entry.name)) queue.push(path);
      if (!entry.isFile()) continue;
      if (entry.name.toLowerCase() === name.toLowerCase()) same.push(path);
      else if (basename(entry.name, extname(entry.name)).toLowerCase() === stem) sameStem.push(path);
    }
  }
  return [...same, ...sameStem].slice(0, 3);
}

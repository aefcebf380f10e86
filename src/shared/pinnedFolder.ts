/** Holds a folder open while a file in it is made, so that nobody can swap the folder for a link in between. */

import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, ZqError } from "./errors";

export interface PinnedFolder {
  /** A path of an entry that stays in this folder, whatever happens to its name. */
  entry(name: string): string;
  close(): Promise<void>;
}

/**
 * Opens a folder by its real path. On Linux the entries are reached through the open descriptor (`/proc/self/fd`), so a
 * later rename of a parent cannot lead elsewhere; on other systems the real path is checked once more.
 * Throws when the path leads anywhere but to itself.
 */
export async function pinFolder(realFolder: string): Promise<PinnedFolder> {
  const handle = await openFolder(realFolder);
  try {
    const anchor = handle ? `/proc/self/fd/${handle.fd}` : "";
    const reached = handle ? await readlink(anchor).catch(() => undefined) : undefined;
    if ((reached ?? (await realpath(realFolder))) !== realFolder) throw movedError(realFolder);
    const base = reached === undefined ? realFolder : anchor;
    return { entry: (name) => join(base, name), close: async () => handle?.close() };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Makes the missing folders down to `realFolder`, each inside its pinned parent. Gives back those made, outermost first. */
export async function makeFolders(realFolder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = realFolder; !(await isFolder(at)); at = dirname(at)) missing.unshift(at);
  const made: string[] = [];
  for (const folder of missing) if (await makeFolder(folder)) made.push(folder);
  return made;
}

/** Takes back folders that `makeFolders` made, as far as they are empty. */
export async function removeFolders(made: readonly string[]): Promise<void> {
  for (const folder of [...made].reverse()) await rmdir(folder).catch(() => undefined);
}

async function makeFolder(folder: string): Promise<boolean> {
  const parent = await pinFolder(dirname(folder));
  try {
    await mkdir(parent.entry(basename(folder)));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await parent.close();
  }
}

async function openFolder(folder: string): Promise<FileHandle | undefined> {
  if (process.platform === "win32") return undefined;
  try {
    return await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // A folder may be searched and written without being readable; then only its real path can be checked.
    if (codeOf(error) === "EACCES") return undefined;
    const isLink = await lstat(folder)
      .then((found) => found.isSymbolicLink())
      .catch(() => false);
    throw isLink ? movedError(folder) : error;
  }
}

/** A file in the way of a folder throws ENOTDIR, as the kernel would. */
async function isFolder(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) throw Object.assign(new Error(`${path} is not a directory`), { code: "ENOTDIR" });
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

function movedError(folder: string): ZqError {
  return new ZqError("PathMoved", `${folder} was moved or replaced by a link meanwhile; nothing was written there.`);
}

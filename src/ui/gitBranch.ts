/** The branch of a folder, read from git's own files: no process, no waiting. */

import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The branch name, seven digits of a detached commit, or null where there is no repository. */
export async function readBranch(folder: string): Promise<string | null> {
  const gitDir = await findGitDir(folder);
  if (!gitDir) return null;
  const head = await readFile(join(gitDir, "HEAD"), "utf8").catch(() => "");
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
  return branch ?? /^[0-9a-f]{7}/.exec(head)?.[0] ?? null;
}

/** Worktrees and submodules have a file there that names the real folder. */
async function findGitDir(folder: string): Promise<string | null> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, ".git");
    const kind = await stat(path).catch(() => null);
    if (kind?.isDirectory()) return path;
    if (kind?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(await readFile(path, "utf8").catch(() => ""))?.[1];
      return target ? resolve(at, target) : null;
    }
    if (dirname(at) === at) return null;
  }
}

/** Where a folder's repository is and what is checked out, read from files: no git is started for a status line. */

import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Root of the repository around a folder, and its branch (seven digits of the commit when detached). Null where there is
 * no repository, or its HEAD cannot be understood.
 */
export function gitHead(folder: string): { root: string; branch: string } | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const gitDir = gitDirOf(join(at, ".git"));
    if (gitDir !== null) {
      const branch = branchIn(gitDir);
      return branch === null ? null : { root: at, branch };
    }
    if (dirname(at) === at) return null;
  }
}

/** In a linked work tree or a submodule `.git` is a file that names the real folder. */
function gitDirOf(dotGit: string): string | null {
  try {
    if (statSync(dotGit).isDirectory()) return dotGit;
    const place = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1];
    return place === undefined ? null : resolve(dirname(dotGit), place.trim());
  } catch {
    return null;
  }
}

function branchIn(gitDir: string): string | null {
  try {
    const head = readFileSync(join(gitDir, "HEAD"), "utf8");
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? /^[0-9a-f]{7}/.exec(head)?.[0] ?? null;
  } catch {
    return null;
  }
}

/** Where a folder's repository is and what is checked out, read from files: no git is started for a status line. */

import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Root and branch of the repository around a folder, read from `.git/HEAD` without starting git. */
export function gitHead(folder: string): { root: string; branch: string } | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const branch = branchOf(join(at, ".git"));
    if (branch !== null) return { root: at, branch };
    if (dirname(at) === at) return null;
  }
}

function branchOf(dotGit: string): string | null {
  try {
    const gitDir = statSync(dotGit).isDirectory() ? dotGit : worktreeDir(dotGit);
    const head = readFileSync(join(gitDir, "HEAD"), "utf8").trim();
    const name = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
    return name ?? `detached at ${head.slice(0, 8)}`;
  } catch {
    return null;
  }
}

/** In a linked work tree `.git` is a file that names the real folder. */
function worktreeDir(dotGit: string): string {
  const place = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1] ?? "";
  return resolve(dirname(dotGit), place.trim());
}

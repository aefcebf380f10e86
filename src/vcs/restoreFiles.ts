/** Carries out a restore: exact bytes by way of a temporary file and a rename, links as links, never through a link. */

import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../shared/errors";
import { temporaryName } from "../shared/temporaryFiles";
import type { Entry } from "./listing";
import type { Repository } from "./repository";
import type { RestorePlan } from "./restorePlan";

const BATCH_FILES = 200;

/** A path that could not be brought back, and why. */
export interface RestoreFailure {
  path: string;
  reason: string;
}

export interface RestoreWork {
  repository: Repository;
  plan: RestorePlan;
  target: ReadonlyMap<string, Entry>;
  /** Paths that a snapshot of the present state holds: only these may be removed when they stand in the way. */
  saved: ReadonlyMap<string, Entry>;
}

/** Deletes and writes what the plan says. One path that fails does not stop the others. */
export async function restoreFiles(work: RestoreWork): Promise<RestoreFailure[]> {
  const failures: RestoreFailure[] = [];
  const attempt = (path: string, step: () => void) => {
    try {
      step();
    } catch (error) {
      failures.push({ path, reason: messageOf(error) });
    }
  };
  const place = new Place(work.repository.workspace, work.saved);
  for (const path of work.plan.delete) attempt(path, () => place.remove(path));
  for (let at = 0; at < work.plan.write.length; at += BATCH_FILES) {
    const paths = work.plan.write.slice(at, at + BATCH_FILES);
    const contents = await readObjects(
      work.repository,
      paths.map((path) => work.target.get(path)?.oid ?? ""),
    );
    paths.forEach((path, index) => {
      const content = contents[index];
      attempt(path, () => {
        if (!content) throw new Error("its content is no longer in the repository");
        place.put(path, content, work.target.get(path)?.mode ?? "100644");
      });
    });
  }
  for (const path of work.plan.delete) place.removeEmptyFolders(path);
  return failures;
}

/** Contents by object id, null where the repository has lost one. */
async function readObjects(repository: Repository, oids: string[]): Promise<(Buffer | null)[]> {
  const { stdout } = await repository.git(["cat-file", "--batch"], { stdin: oids.map((oid) => `${oid}\n`).join("") });
  const contents: (Buffer | null)[] = [];
  for (let at = 0; contents.length < oids.length; ) {
    const end = stdout.indexOf(10, at);
    if (end < 0) throw new Error("git cat-file ended early");
    const [, type, size] = stdout.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") contents.push(null);
    else {
      contents.push(stdout.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
  }
  return contents;
}

class Place {
  constructor(
    private readonly workspace: string,
    private readonly saved: ReadonlyMap<string, Entry>,
  ) {}

  put(path: string, content: Buffer, mode: string): void {
    assertPlain(path);
    this.makeFolders(path);
    const full = join(this.workspace, path);
    const old = lstatSync(full, { throwIfNoEntry: false });
    if (old?.isDirectory()) {
      this.clearFolder(path);
      this.makeFolders(path);
    }
    const temporary = join(dirname(full), temporaryName());
    try {
      if (mode === "120000") symlinkSync(content, temporary);
      else writeFile(temporary, content, { executable: mode === "100755", old });
      renameSync(temporary, full);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  remove(path: string): void {
    assertPlain(path);
    if (this.foldersAreReal(path)) unlinkSync(join(this.workspace, path));
  }

  /** Folders that our deletions left empty go too; others stay. */
  removeEmptyFolders(path: string): void {
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      try {
        if (!this.foldersAreReal(`${folder}/x`)) return;
        rmdirSync(join(this.workspace, folder));
      } catch {
        return;
      }
    }
  }

  /** Makes the way to a path real: a saved file or link on it gives way, anything else is in the way. */
  private makeFolders(path: string): void {
    const parts = path.split("/").slice(0, -1);
    for (let count = 1; count <= parts.length; count++) {
      const folder = parts.slice(0, count).join("/");
      const full = join(this.workspace, folder);
      const stats = lstatSync(full, { throwIfNoEntry: false });
      if (stats?.isDirectory()) continue;
      if (stats) {
        if (!this.saved.has(folder)) throw new Error(`${folder} is in the way, and no snapshot holds it`);
        unlinkSync(full);
      }
      mkdirSync(full);
    }
  }

  /** A folder where a file is due: its saved files go, and it must be empty then. */
  private clearFolder(folder: string): void {
    const inside = [...this.saved.keys()].filter((path) => path.startsWith(`${folder}/`));
    for (const path of inside) {
      if (this.foldersAreReal(path)) rmSync(join(this.workspace, path), { force: true });
    }
    for (const path of inside) this.removeEmptyFolders(path);
    const full = join(this.workspace, folder);
    try {
      if (lstatSync(full, { throwIfNoEntry: false })) rmdirSync(full);
    } catch {
      throw new Error("a folder with files that no snapshot holds stands in its place");
    }
  }

  private foldersAreReal(path: string): boolean {
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      if (!lstatSync(join(this.workspace, folder), { throwIfNoEntry: false })?.isDirectory()) return false;
    }
    return true;
  }
}

/** Keeps the mode and, as far as we may, the owner of the file that it replaces. */
function writeFile(path: string, content: Buffer, how: { executable: boolean; old: Stats | undefined }): void {
  writeFileSync(path, content, { flag: "wx" });
  const old = how.old?.isFile() ? how.old : undefined;
  const mode = old ? old.mode & 0o777 : 0o666 & ~process.umask();
  const readers = (mode & 0o444) >> 2;
  chmodSync(path, how.executable ? mode | readers | 0o100 : mode & ~0o111);
  if (!old) return;
  try {
    chownSync(path, old.uid, old.gid);
  } catch {
    // Not ours to give; the content matters more.
  }
}

/** A tree that somebody else made must not reach out of the workspace or into `.git`. */
function assertPlain(path: string): void {
  if (path.split("/").some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git")) {
    throw new Error("the path is not allowed in a snapshot");
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

/** The steps that take a file away from its path: a removal, and a move without any other change. */

import { link, lstat, readlink, rename, symlink, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { codeOf } from "../../../shared/errors";
import { fileError, stampOf } from "../../../shared/fileStamps";
import { realPathOf } from "../../../shared/paths";
import { makeFolders, pinFolder, removeFolders } from "../../../shared/pinnedFolder";
import type { ConflictGuard } from "../../ConflictGuard";
import { putBack } from "./contentStep";
import { type Draft, isSameFile } from "./Draft";
import { cameIntoBeing, checkUnchanged, type Done, type Step } from "./steps";

/** True for a file that only changes its place, to one where nothing was, and leaves its old place empty. */
export function isPlainMove(draft: Draft, all: readonly Draft[]): boolean {
  if (!draft.isMoved || draft.original !== null || draft.hasNewText || draft.isExecutable !== undefined) return false;
  return !all.some((other) => other.exists && isSameFile(other.original, draft.source));
}

/** Removes a file. Of a link the link itself goes, its target stays. `isMovedAway`: a move takes it along already. */
export async function removalStep(
  { target, original }: Draft,
  { isMovedAway, guard }: { isMovedAway: boolean; guard?: ConflictGuard },
): Promise<Step> {
  const run = async (): Promise<Done> => {
    if (isMovedAway) return { shown: target.shown, undo: async () => undefined };
    await checkUnchanged(target, original);
    const linked = await readlink(target.absolute).catch(() => undefined);
    await removeEntry(target.absolute).catch((error) => {
      throw fileError("delete", target.shown, error);
    });
    guard?.forget(target.realPath);
    const undo = async () => {
      if (linked !== undefined) await symlink(linked, target.absolute);
      else if (original) await putBack(target.realPath, original, guard);
    };
    return { shown: target.shown, undo };
  };
  return { run, discard: async () => undefined };
}

async function removeEntry(path: string): Promise<void> {
  const folder = await pinFolder(realPathOf(dirname(path)));
  try {
    await unlink(folder.entry(basename(path)));
  } finally {
    await folder.close();
  }
}

/** A move by name keeps everything of a file: bytes of any kind, times, mode. */
export async function moveStep({ target, source }: Draft, guard: ConflictGuard | undefined): Promise<Step> {
  if (!source) throw new Error("a move needs a source");
  const [from, to] = [source.target.realPath, target.realPath];
  const made = await makeFolders(dirname(to)).catch((error) => {
    throw fileError("write", target.shown, error);
  });
  let isDone = false;
  const run = async (): Promise<Done> => {
    await checkUnchanged(source.target, source);
    await moveFile(from, to).catch((error) => {
      throw codeOf(error) === "EEXIST" ? cameIntoBeing(target.shown) : fileError("move to", target.shown, error);
    });
    isDone = true;
    guard?.forget(from);
    guard?.noteWritten(to, { stamp: stampOf(await lstat(to, { bigint: true })), bytes: source.content.bytes });
    const undo = async () => {
      await rename(to, from);
      await removeFolders(made);
      guard?.forget(to);
    };
    return { shown: target.shown, undo };
  };
  return { run, discard: async () => (isDone ? undefined : removeFolders(made)) };
}

/** Both ends are pinned, and `link` never overwrites; where there are no hard links `rename` it is. */
async function moveFile(from: string, to: string): Promise<void> {
  const [source, goal] = [await pinFolder(dirname(from)), await pinFolder(dirname(to))];
  try {
    const [old, fresh] = [source.entry(basename(from)), goal.entry(basename(to))];
    try {
      await link(old, fresh);
    } catch (error) {
      if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOENT") throw error;
      return await rename(old, fresh);
    }
    await unlink(old);
  } finally {
    await source.close();
    await goal.close();
  }
}

/** The step that gives a file its new content: staged beside it, then put in its place by one rename. */

import { unlink } from "node:fs/promises";
import { codeOf, ZqError } from "../../../shared/errors";
import { type FileStamp, fileError } from "../../../shared/fileStamps";
import { removeFolders } from "../../../shared/pinnedFolder";
import { type StagedFile, stageFile } from "../../../shared/stagedFile";
import type { ConflictGuard } from "../../ConflictGuard";
import type { Target } from "../../targets";
import type { Draft, DraftSource } from "./Draft";
import { cameIntoBeing, type Done, type Step } from "./steps";

export async function contentStep(draft: Draft, guard: ConflictGuard | undefined): Promise<Step> {
  const { target, original } = draft;
  const chunks = await draft.chunks();
  const staged = await stageDraft(draft, chunks);
  const run = async (): Promise<Done> => {
    const stamp = await commitStaged(staged, target);
    guard?.noteWritten(target.realPath, { stamp, bytes: chunks });
    const undo = async () => {
      if (original) return putBack(draft.target.realPath, original, guard);
      await unlink(target.realPath);
      await removeFolders(staged.madeFolders);
      guard?.forget(target.realPath);
    };
    return { shown: target.shown, undo };
  };
  return { run, discard: () => staged.discard() };
}

/** Writes the content that a file had when it was read, in its old mode and owner. */
export async function putBack(path: string, original: DraftSource, guard: ConflictGuard | undefined): Promise<void> {
  const { bytes, stamp } = original.content;
  const staged = await stageFile({ path, chunks: [bytes], mode: stamp.mode, owner: stamp });
  try {
    guard?.noteWritten(path, { stamp: await staged.commit(), bytes });
  } finally {
    await staged.discard();
  }
}

async function stageDraft(draft: Draft, chunks: Uint8Array[]): Promise<StagedFile> {
  const { target, source, original } = draft;
  const owner = draft.isMoved && source ? { owner: source.content.stamp } : {};
  const expected = original?.content.stamp ?? null;
  try {
    return await stageFile({ path: target.realPath, chunks, expected, ...modeFor(draft), ...owner });
  } catch (error) {
    throw writeError(target, error);
  }
}

async function commitStaged(staged: StagedFile, target: Target): Promise<FileStamp> {
  try {
    return await staged.commit();
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? cameIntoBeing(target.shown) : writeError(target, error);
  }
}

/** Messages from below know the real path only; the model knows the file by the shown one. */
function writeError(target: Target, error: unknown): ZqError {
  const known = fileError("write", target.shown, error);
  if (!known.message.includes(target.realPath)) return known;
  return new ZqError(known.code, known.message.replaceAll(target.realPath, target.shown), { cause: error });
}

/** A moved file keeps its mode; a diff may set or clear the executable bits. */
function modeFor(draft: Draft): { mode?: number } {
  const old = draft.source?.content.stamp.mode;
  if (draft.isExecutable === undefined) return draft.isMoved && old !== undefined ? { mode: old } : {};
  const base = old ?? 0o666 & ~process.umask();
  return { mode: draft.isExecutable ? base | ((base & 0o444) >> 2) : base & ~0o111 };
}

/** Writes drafts to disk, all or none: everything is staged and checked first, and a late failure is undone. */

import { link, lstat, readlink, rename, symlink, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { codeOf, messageOf } from "../../shared/errors";
import { fileError, isSameStamp, stampOf } from "../../shared/fileStamps";
import { realPathOf } from "../../shared/paths";
import { makeFolders, pinFolder, removeFolders } from "../../shared/pinnedFolder";
import { type StagedFile, stageFile } from "../../shared/stagedFile";
import type { ConflictGuard } from "../ConflictGuard";
import type { Draft } from "./Draft";
import { EditRefused } from "./refusal";

/** A step that is done, and how to take it back. */
interface Done {
  shown: string;
  undo(): Promise<void>;
}

/** One file's change, ready to happen. */
interface Step {
  shown: string;
  run(): Promise<Done>;
  discard(): Promise<void>;
}

/**
 * Makes every draft true. Throws after having put back whatever was changed already; if even that fails the message
 * names the files that are left changed.
 */
export async function commitDrafts(drafts: readonly Draft[], guard: ConflictGuard | undefined): Promise<void> {
  const steps: Step[] = [];
  const done: Done[] = [];
  const changed = drafts.filter((draft) => !draft.isNoChange);
  try {
    for (const draft of inOrder(changed)) steps.push(await prepare(draft, changed, guard));
    for (const step of steps) done.push(await step.run());
  } catch (error) {
    throw await undone(done, error);
  } finally {
    for (const step of steps) await step.discard();
  }
}

/** New content first, removals last: a moved file is never without a place. */
function inOrder(drafts: readonly Draft[]): Draft[] {
  return [...drafts.filter((draft) => draft.exists), ...drafts.filter((draft) => !draft.exists)];
}

async function undone(done: readonly Done[], cause: unknown): Promise<unknown> {
  const left: string[] = [];
  for (const step of [...done].reverse()) await step.undo().catch(() => left.push(step.shown));
  if (left.length === 0) return cause;
  return new EditRefused(
    `${messageOf(cause)} The files written before could not all be put back: ${left.join(", ")} stay changed. Check them.`,
  );
}

async function prepare(draft: Draft, all: readonly Draft[], guard: ConflictGuard | undefined): Promise<Step> {
  if (!draft.exists) return removal(draft, all, guard);
  if (isPlainMove(draft)) return plainMove(draft, guard);
  return content(draft, guard);
}

async function content(draft: Draft, guard: ConflictGuard | undefined): Promise<Step> {
  const { target, source, original } = draft;
  const chunks = await draft.chunks();
  const mode = modeFor(draft);
  const owner = draft.isMoved
    ? { owner: { uid: source?.content.stamp.uid ?? 0, gid: source?.content.stamp.gid ?? 0 } }
    : {};
  const write = { path: target.realPath, chunks, expected: original?.content.stamp ?? null, ...mode, ...owner };
  const staged = await stageFile(write).catch((error) => {
    throw fileError("write", target.shown, error);
  });
  const run = async (): Promise<Done> => {
    const stamp = await committed(staged, target.shown);
    guard?.noteWritten(target.realPath, { stamp, bytes: chunks });
    return { shown: target.shown, undo: () => restore(draft, staged, guard) };
  };
  return { shown: target.shown, run, discard: () => staged.discard() };
}

async function committed(staged: StagedFile, shown: string) {
  try {
    return await staged.commit();
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new EditRefused(`${shown} already exists: it came into being meanwhile.`);
    throw fileError("write", shown, error);
  }
}

/** A moved file keeps its mode; a diff may set the executable bits. */
function modeFor(draft: Draft): { mode?: number } {
  const old = draft.source?.content.stamp.mode;
  const isExecutable = draft.isExecutable;
  if (isExecutable === undefined) return draft.isMoved && old !== undefined ? { mode: old } : {};
  const base = old ?? 0o666 & ~process.umask();
  return { mode: isExecutable ? base | ((base & 0o444) >> 2) : base & ~0o111 };
}

/** Puts the old content back, or takes the new file away. */
async function restore(draft: Draft, staged: StagedFile, guard: ConflictGuard | undefined): Promise<void> {
  const { target, original } = draft;
  if (!original) {
    await unlink(target.realPath);
    await removeFolders(staged.madeFolders);
    return guard?.forget(target.realPath);
  }
  const { bytes, stamp } = original.content;
  const back = await stageFile({ path: target.realPath, chunks: [bytes], mode: stamp.mode, owner: stamp });
  try {
    guard?.noteWritten(target.realPath, { stamp: await back.commit(), bytes });
  } finally {
    await back.discard();
  }
}

/** A link is removed itself, its target stays. */
async function removal(draft: Draft, all: readonly Draft[], guard: ConflictGuard | undefined): Promise<Step> {
  const { target, original } = draft;
  const isMovedAway = all.some((other) => isPlainMove(other) && other.source === original);
  const run = async (): Promise<Done> => {
    if (isMovedAway) return { shown: target.shown, undo: async () => undefined };
    await checkUnchanged(draft);
    const linked = await readlink(target.absolute).catch(() => undefined);
    await removeEntry(target.absolute).catch((error) => {
      throw fileError("delete", target.shown, error);
    });
    guard?.forget(target.realPath);
    const undo = () => (linked === undefined ? putBack(draft, guard) : symlink(linked, target.absolute));
    return { shown: target.shown, undo };
  };
  return { shown: target.shown, run, discard: async () => undefined };
}

async function removeEntry(path: string): Promise<void> {
  const folder = await pinFolder(realPathOf(dirname(path)));
  try {
    await unlink(folder.entry(basename(path)));
  } finally {
    await folder.close();
  }
}

function isPlainMove(draft: Draft): boolean {
  return draft.isMoved && !draft.hasNewText && draft.isExecutable === undefined;
}

async function putBack({ target, original }: Draft, guard: ConflictGuard | undefined): Promise<void> {
  if (!original) return;
  const { bytes, stamp } = original.content;
  const staged = await stageFile({
    path: target.realPath,
    chunks: [bytes],
    expected: null,
    mode: stamp.mode,
    owner: stamp,
  });
  try {
    guard?.noteWritten(target.realPath, { stamp: await staged.commit(), bytes });
  } finally {
    await staged.discard();
  }
}

/** A rename keeps everything of a file: bytes, times, links. */
async function plainMove(draft: Draft, guard: ConflictGuard | undefined): Promise<Step> {
  const { target, source } = draft;
  const from = source?.target.absolute ?? "";
  const made = await makeFolders(dirname(target.realPath)).catch((error) => {
    throw fileError("write", target.shown, error);
  });
  let isDone = false;
  const run = async (): Promise<Done> => {
    if (source) await checkUnchanged({ target: source.target, original: source });
    await moveFile(from, target.realPath).catch((error) => {
      throw codeOf(error) === "EEXIST"
        ? new EditRefused(`${target.shown} already exists: it came into being meanwhile.`)
        : fileError("move to", target.shown, error);
    });
    isDone = true;
    guard?.forget(source?.target.realPath ?? "");
    if (source)
      guard?.noteWritten(target.realPath, {
        stamp: stampOf(await lstat(target.realPath, { bigint: true })),
        bytes: source.content.bytes,
      });
    return { shown: target.shown, undo: () => rename(target.realPath, from) };
  };
  return { shown: target.shown, run, discard: async () => (isDone ? undefined : removeFolders(made)) };
}

/** `link` never overwrites; where there are no hard links, or the way leads to another disk, `rename` it is. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOENT") throw error;
    return rename(from, to);
  }
  await unlink(from);
}

async function checkUnchanged({ target, original }: Pick<Draft, "target" | "original">): Promise<void> {
  const now = await lstat(target.realPath, { bigint: true }).catch(() => undefined);
  if (now && original && isSameStamp(stampOf(now), original.content.stamp)) return;
  throw new EditRefused(`${target.shown} changed on disk while it was being edited. Read it again.`);
}

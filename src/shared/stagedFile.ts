/** A file's new content, written beside it and checked, waiting to take its place in one step. */

import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { codeOf, ZqError } from "./errors";
import { type FileStamp, isSameStamp, stampOf } from "./fileStamps";
import { makeFolders, type PinnedFolder, pinFolder, removeFolders } from "./pinnedFolder";
import { sweepTemporaries, temporaryName } from "./temporaryFiles";

/** What to write, and over what. */
export interface FileWrite {
  /** Real path: links in it are resolved already. Its last part must not be a link. */
  path: string;
  /** The whole content, in pieces. */
  chunks: readonly Uint8Array[];
  /** The file as it was when it was read: anything else there fails. `null`: there must be none. Absent: no check. */
  expected?: FileStamp | null;
  /** Permission bits. Absent: an old file keeps its own, a new one gets 0666 less the umask. */
  mode?: number;
  /** Owner that a new file gets where that is allowed. An old file keeps its own. */
  owner?: { uid: number; gid: number };
}

export interface StagedFile {
  /** Puts the content in place. Throws without having changed anything. */
  commit(): Promise<FileStamp>;
  /** Drops the temporary file and the folders made for it. Safe after `commit`, which it does not undo. */
  discard(): Promise<void>;
  /** Folders that had to be made, outermost first. */
  madeFolders: readonly string[];
}

/**
 * Writes the content to a temporary file in the same folder (random name, never through a link), syncs it and reads it
 * back. Mode bits and, where allowed, the owner of the file that it will replace are kept. Throws and leaves nothing.
 */
export async function stageFile(write: FileWrite): Promise<StagedFile> {
  const madeFolders = await makeFolders(dirname(write.path));
  let folder: PinnedFolder | undefined;
  try {
    folder = await pinFolder(dirname(write.path));
    if (madeFolders.length === 0) await sweepTemporaries(dirname(write.path), folder);
    return await stageInside(folder, write, madeFolders);
  } catch (error) {
    await folder?.close();
    await removeFolders(madeFolders);
    throw error;
  }
}

async function stageInside(folder: PinnedFolder, write: FileWrite, madeFolders: string[]): Promise<StagedFile> {
  const target = folder.entry(basename(write.path));
  const temporary = folder.entry(temporaryName());
  const old = await statOf(target);
  if (old && !old.isFile()) throw notRegular(write.path);
  if (old) await checkWritable(target);
  const staged = await writeTemporary(temporary, write, old && stampOf(old));
  let isOpen = true;
  return {
    madeFolders,
    commit: async () => {
      await checkExpected(target, write);
      await moveIntoPlace(temporary, target, write.expected === null);
      return checkPlaced(target, write.path, staged);
    },
    discard: async () => {
      if (!isOpen) return;
      isOpen = false;
      await unlink(temporary).catch(() => undefined);
      await folder.close();
      await removeFolders(madeFolders);
    },
  };
}

/** A rename needs no permission on the file itself, but one that may not be written is not to be replaced either. */
async function checkWritable(target: string): Promise<void> {
  try {
    await (await open(target, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))).close();
  } catch (error) {
    // A program that runs just now can be replaced, though not written in place.
    if (codeOf(error) !== "ETXTBSY") throw error;
  }
}

async function writeTemporary(temporary: string, write: FileWrite, old: FileStamp | undefined): Promise<FileStamp> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const mode = write.mode ?? old?.mode;
  const handle = await open(temporary, flags, mode === undefined ? 0o666 : 0o600);
  try {
    for (const chunk of write.chunks) await writeAll(handle, chunk);
    const owner = old ?? write.owner;
    if (owner) await handle.chown(owner.uid, owner.gid).catch(() => undefined);
    // After chown, which clears the set-user-id bits.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
    await verify(handle, write);
    return stampOf(await handle.stat({ bigint: true }));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at, chunk.length - at)).bytesWritten;
}

/** More would cost more in fresh memory than it saves in calls. */
const VERIFY_BYTES = 1024 * 1024;

/** Reads the temporary file back: only content that arrived whole may take the place of the old. */
async function verify(handle: FileHandle, write: FileWrite): Promise<void> {
  const total = write.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const buffer = Buffer.allocUnsafe(Math.min(VERIFY_BYTES, Math.max(total, 1)));
  let position = 0;
  for (const chunk of write.chunks) {
    for (let at = 0; at < chunk.length; ) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, chunk.length - at), position);
      if (bytesRead === 0 || buffer.compare(chunk, at, at + bytesRead, 0, bytesRead) !== 0) throw corrupt(write.path);
      at += bytesRead;
      position += bytesRead;
    }
  }
  if ((await handle.stat()).size !== total) throw corrupt(write.path);
}

async function checkExpected(target: string, write: FileWrite): Promise<void> {
  if (write.expected === undefined) return;
  const now = await statOf(target);
  const isAsExpected = now ? write.expected !== null && isSameStamp(stampOf(now), write.expected) : !write.expected;
  if (isAsExpected) return;
  const what = write.expected === null ? "came into being" : now ? "changed on disk" : "was deleted";
  throw new ZqError("FileChanged", `${write.path} ${what} while it was being edited. Read it again.`);
}

/** `link` fails where something is in the way, `rename` would overwrite it: a new file never covers another. */
async function moveIntoPlace(temporary: string, target: string, isNew: boolean): Promise<void> {
  if (!isNew) return rename(temporary, target);
  try {
    await link(temporary, target);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    // File systems without hard links.
    return rename(temporary, target);
  }
  await unlink(temporary);
}

/** What stands there now must be the very file that was read back. */
async function checkPlaced(target: string, shown: string, staged: FileStamp): Promise<FileStamp> {
  const now = await statOf(target);
  if (now && now.ino === staged.ino && Number(now.size) === staged.size) return stampOf(now);
  throw new ZqError("FileChanged", `Another program replaced ${shown} right after it was written. Read it again.`);
}

async function statOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function notRegular(path: string): ZqError {
  return new ZqError("NotRegularFile", `${path} is not a regular file (a directory, link, pipe, device or socket).`);
}

function corrupt(path: string): ZqError {
  return new ZqError("WriteCorrupt", `What was written for ${path} did not read back equal; the old file was kept.`);
}

/** Files as the tools need them: regular ones only, read without ever hanging, written whole or not at all. */

import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, ZqError } from "./errors";
import { type FileStamp, stampOf } from "./fileStamps";
import { realPathOf } from "./paths";
import { stageFile } from "./stagedFile";
import { temporaryName } from "./temporaryFiles";

/** A file's bytes with the stamp of the moment before they were read. */
export interface FileContent {
  bytes: Buffer;
  stamp: FileStamp;
}

export interface OpenFile {
  /** The caller closes it. */
  handle: FileHandle;
  stamp: FileStamp;
}

/**
 * Opens a regular file for reading. Pipes, devices, sockets and folders are refused before they are opened, and again
 * on the open descriptor. Throws `ZqError` (`IsDirectory`, `NotRegularFile`) or what Node throws (`ENOENT`, …).
 */
export async function openRegularFile(path: string): Promise<OpenFile> {
  checkKind(path, await stat(path));
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat({ bigint: true });
    checkKind(path, stats);
    return { handle, stamp: stampOf(stats) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a regular file whole. Over `maxBytes` it throws `FileTooLarge` without reading. */
export async function readRegularFile(path: string, maxBytes = Number.POSITIVE_INFINITY): Promise<FileContent> {
  const { handle, stamp } = await openRegularFile(path);
  try {
    if (stamp.size > maxBytes) throw new ZqError("FileTooLarge", `${path} is too large (${stamp.size} bytes).`);
    return { bytes: await readAll(handle, stamp.size), stamp };
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file so that at any moment the old or the new content is there whole: temporary file in the same folder,
 * sync, read back, rename. Missing folders are made; a link is followed and its target written. `mode` is for a new
 * file (0666 less the umask by default); an old one keeps its mode and owner.
 */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<FileStamp> {
  const real = realPathOf(path);
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  const isNew = await stat(real).then(() => false, isMissing);
  const staged = await stageFile({ path: real, chunks: [bytes], ...(isNew ? options : {}) });
  try {
    return await staged.commit();
  } finally {
    await staged.discard();
  }
}

/**
 * The same in one synchronous step, for small state files of our own in an existing folder: the file gets `mode`
 * whatever it had. Throws what Node throws, leaving the old content.
 */
export function writeFileAtomicSync(path: string, data: string | Uint8Array, mode = 0o600): void {
  const real = realPathOf(path);
  const temporary = join(dirname(real), temporaryName());
  const descriptor = openSync(temporary, "wx", mode);
  try {
    writeFileSync(descriptor, data);
    fsyncSync(descriptor);
    renameSync(temporary, real);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** True for the error of a path that is not there. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

function checkKind(path: string, stats: { isFile(): boolean; isDirectory(): boolean }): void {
  if (stats.isDirectory()) throw new ZqError("IsDirectory", `${path} is a directory.`);
  if (!stats.isFile()) throw new ZqError("NotRegularFile", `${path} is not a regular file (a pipe, device or socket).`);
}

/** One big read where the size is known; files whose size is unknown (as in /proc) or grows are read to their end. */
async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const first = Buffer.allocUnsafeSlow(size + 1);
  let filled = 0;
  while (filled < first.length) {
    const { bytesRead } = await handle.read(first, filled, first.length - filled, null);
    if (bytesRead === 0) return first.subarray(0, filled);
    filled += bytesRead;
  }
  return Buffer.concat([first, await readRest(handle)]);
}

async function readRest(handle: FileHandle): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.allocUnsafe(64 * 1024);
    const { bytesRead } = await handle.read(part, 0, part.length, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, bytesRead));
  }
}

/** What a file is at one moment, so that a later look tells whether it is still the same; and words for what fails. */

import type { BigIntStats } from "node:fs";
import { codeOf, messageOf, ZqError } from "./errors";

/** Identity and times of a file. Times are nanoseconds since 1970. Equal stamps: the same, unchanged file. */
export interface FileStamp {
  dev: bigint;
  ino: bigint;
  size: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
  /** Permission bits. */
  mode: number;
  uid: number;
  gid: number;
  /** How many names (hard links) it has. */
  names: number;
}

export function stampOf(stats: BigIntStats): FileStamp {
  return {
    dev: stats.dev,
    ino: stats.ino,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    mode: Number(stats.mode) & 0o7777,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    names: Number(stats.nlink),
  };
}

/** The part of a stamp that tells whether a file is still the same. */
export type FileTrace = Pick<FileStamp, "dev" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** True when nothing touched the file in between. The time of change (ctime) cannot be set back by a program. */
export function isSameStamp(one: FileTrace, other: FileTrace): boolean {
  const keys = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const;
  return keys.every((key) => one[key] === other[key]);
}

const REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than allowed",
  EMFILE: "this process has too many open files; try again",
  ENFILE: "the system has too many open files; try again",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of the path is a file, not a directory",
  EISDIR: "it is a directory",
  EEXIST: "it already exists",
  ELOOP: "the links in the path go in a circle",
  ENXIO: "it is not a regular file",
  EBUSY: "it is in use",
  EIO: "the disk reported an error",
};

/** Why an operation on a file failed, as a clause: `the disk is full (ENOSPC)`. */
export function fileErrorReason(error: unknown): string {
  const code = codeOf(error);
  const reason = code === undefined ? undefined : REASONS[code];
  return reason ? `${reason} (${code})` : messageOf(error);
}

/** Turns what Node threw into an error that names the file and says why. Our own errors pass unchanged. */
export function fileError(doing: string, shown: string, error: unknown): ZqError {
  if (error instanceof ZqError) return error;
  return new ZqError(codeOf(error) ?? "FileError", `Cannot ${doing} ${shown}: ${fileErrorReason(error)}.`, {
    cause: error,
  });
}

/** What the conflict guard noted of files as plain data, so that it is kept with a session and known after a restart. */

import type { FileTrace } from "../shared/fileStamps";
import type { Message } from "../shared/messages";

/** A file as it was read or written last. */
export interface SeenNote {
  trace: FileTrace;
  /** Of the whole content; null where it was not read as a whole or is large. */
  sha1: string | null;
  /** When the note was made, in nanoseconds since 1970. */
  notedNs: bigint;
}

/** `[real path, dev, ino, size, mtimeNs, ctimeNs, notedNs, sha1]`, numbers as decimal text; the path alone: forgotten. */
export type SavedNote = [path: string, ...rest: (string | null)[]];

export function saveNote(path: string, note: SeenNote | null): SavedNote {
  if (!note) return [path];
  const { dev, ino, size, mtimeNs, ctimeNs } = note.trace;
  return [path, ...[dev, ino, size, mtimeNs, ctimeNs, note.notedNs].map(String), note.sha1];
}

/** The notes in a session's messages, oldest first. What is not in our form is passed over: it vouches for nothing. */
export function savedNotes(messages: readonly Message[]): [path: string, note: SeenNote | null][] {
  const results = messages.filter(({ role, seen }) => role === "tool" && Array.isArray(seen));
  return results.flatMap(({ seen = [] }) => seen.flatMap((saved) => readNote(saved)));
}

function readNote(saved: unknown): [string, SeenNote | null][] {
  if (!Array.isArray(saved) || typeof saved[0] !== "string") return [];
  const [path, ...rest] = saved as [string, ...unknown[]];
  const numbers = rest.slice(0, 6).filter((text) => typeof text === "string" && /^-?\d{1,30}$/.test(text));
  const [dev, ino, size, mtimeNs, ctimeNs, notedNs] = numbers.map((text) => BigInt(text as string));
  const sha1 = rest[6];
  const isHash = sha1 === null || (typeof sha1 === "string" && /^[0-9a-f]{40}$/.test(sha1));
  if (dev === undefined || ino === undefined || size === undefined || !isHash) return [[path, null]];
  if (mtimeNs === undefined || ctimeNs === undefined || notedNs === undefined) return [[path, null]];
  return [[path, { trace: { dev, ino, size: Number(size), mtimeNs, ctimeNs }, sha1, notedNs }]];
}

/** Remembers what this session last saw of each file, so that nobody's change on disk is overwritten unseen. */

import { createHash } from "node:crypto";
import { type FileStamp, isSameStamp } from "../shared/fileStamps";
import { readRegularFile } from "../shared/files";
import type { Message } from "../shared/messages";
import { type SavedNote, type SeenNote, savedNotes, saveNote } from "./seenFiles";

/** What was seen of a file. Without `bytes` (a file read in part) only the stamp can tell a change. */
export interface SeenFile {
  stamp: FileStamp;
  /** The whole content, in one piece or several. */
  bytes?: Uint8Array | readonly Uint8Array[];
}

/** `unknown`: this session never read or wrote it. `changed`: its content is not what was seen last. */
export type FileState = "unknown" | "unchanged" | "changed";

/** A file changed this short before the note may change again within one tick of the file system's clock. */
const CLOCK_TICK_NS = 20_000_000n;

/** Larger files are known by their stamps alone: a hash would cost more time than the edit. */
const MAX_HASHED_BYTES = 4 * 1024 * 1024;

/** One guard a session; keys are real paths. It keeps hashes, never contents. */
export class ConflictGuard {
  private readonly notes = new Map<string, SeenNote>();
  /** Paths whose notes have changed since they were last taken. */
  private readonly untaken = new Set<string>();

  /** The session has read the file: `seen` is what it read, with the stamp taken when it was opened. */
  noteRead(realPath: string, seen: SeenFile): void {
    this.note(realPath, seen);
  }

  /** The session has written the file: `seen` is what is there now. */
  noteWritten(realPath: string, seen: SeenFile): void {
    this.note(realPath, seen);
  }

  /** The session has deleted or moved the file away. */
  forget(realPath: string): void {
    this.notes.delete(realPath);
    this.untaken.add(realPath);
  }

  /** Addition: what was noted since the last call, as plain data that is kept with the session's messages. */
  takeNotes(): SavedNote[] {
    const paths = [...this.untaken];
    this.untaken.clear();
    return paths.map((path) => saveNote(path, this.notes.get(path) ?? null));
  }

  /** Addition: knows again what was kept in a session's messages. Each file is compared with it as with a fresh note. */
  restore(messages: readonly Message[]): void {
    for (const [path, note] of savedNotes(messages)) {
      if (note) this.notes.set(path, note);
      else this.notes.delete(path);
    }
  }

  /**
   * Compares a file with what was seen last. `now` is its present content where the caller has it already; without it
   * the file is read, and one that is gone or cannot be read counts as changed.
   */
  async stateOf(realPath: string, now?: SeenFile): Promise<FileState> {
    const note = this.notes.get(realPath);
    if (!note) return "unknown";
    const present = now ?? (await readRegularFile(realPath).catch(() => undefined));
    if (!present) return "changed";
    const isSettled = note.notedNs - note.trace.ctimeNs > CLOCK_TICK_NS || note.sha1 === null;
    if (isSettled && isSameStamp(note.trace, present.stamp)) return "unchanged";
    if (note.sha1 === null || !present.bytes) return "changed";
    return hashOf(present.bytes) === note.sha1 ? "unchanged" : "changed";
  }

  private note(realPath: string, { stamp, bytes }: SeenFile): void {
    const sha1 = bytes && stamp.size <= MAX_HASHED_BYTES ? hashOf(bytes) : null;
    this.notes.set(realPath, { trace: stamp, sha1, notedNs: BigInt(Date.now()) * 1_000_000n });
    this.untaken.add(realPath);
  }
}

function hashOf(bytes: Uint8Array | readonly Uint8Array[]): string {
  const hash = createHash("sha1");
  for (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) hash.update(piece);
  return hash.digest("hex");
}

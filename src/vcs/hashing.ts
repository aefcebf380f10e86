/** Puts file contents into the object store byte for byte, and remembers what is there already. */

import {
  accessSync,
  constants,
  lstatSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { ZqError } from "../shared/errors";
import type { Entry, FoundFile, Uncovered } from "./listing";
import type { Repository } from "./repository";

const BATCH_FILES = 2000;
const BATCH_BYTES = 64_000_000;
/** A file that was touched this shortly before it was read may change again without its times showing it. */
const RACY_MS = 2000;

interface Known {
  entry: Entry;
  stamp: string;
  /** The stamp can be trusted to change with the content. */
  isSettled: boolean;
}

/** The objects of files by path; a file is read again only when its times, size or identity differ. */
export class ObjectCache {
  private readonly known = new Map<string, Known>();
  private used = 0;
  private isFirst = true;

  /** `maxBytes`: how much this session may put into the repository, counted before compression. */
  constructor(
    private readonly repository: Repository,
    private readonly maxBytes: number,
  ) {}

  clear(): void {
    this.known.clear();
  }

  /** The entries of all files. What cannot be read is added to `uncovered`; what vanished meanwhile is left out. */
  async entriesOf(files: FoundFile[], uncovered: Uncovered[], signal?: AbortSignal): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    const unknown: FoundFile[] = [];
    for (const file of files) {
      const known = this.known.get(file.path);
      if (known?.isSettled && known.stamp === stampOf(file.stats)) entries.set(file.path, known.entry);
      else unknown.push(file);
    }
    this.charge(unknown);
    for (const batch of batchesOf(unknown)) {
      signal?.throwIfAborted();
      for (const [path, entry] of await this.store(batch, uncovered, signal)) entries.set(path, entry);
    }
    this.isFirst = false;
    return entries;
  }

  /** Before anything is stored. What the user's index has is most likely there already when a session begins. */
  private charge(files: FoundFile[]): void {
    const isThere = (file: FoundFile) =>
      (this.isFirst && file.isTracked) || this.known.get(file.path)?.stamp === stampOf(file.stats);
    const due = files.filter((file) => !isThere(file));
    const bytes = due.reduce((sum, file) => sum + file.stats.size, 0);
    if (this.used + bytes > this.maxBytes) {
      const mb = (count: number) => `${Math.round(count / 1_000_000)} MB`;
      throw new ZqError(
        "vcs_full",
        `Snapshots would take ${mb(this.used + bytes)} of disk; the limit is ${mb(this.maxBytes)} (setting snapshot.diskMb).`,
      );
    }
    this.used += bytes;
  }

  private async store(batch: FoundFile[], uncovered: Uncovered[], signal?: AbortSignal): Promise<Map<string, Entry>> {
    const links = batch.filter((file) => file.stats.isSymbolicLink());
    const plain = batch.filter((file) => !file.stats.isSymbolicLink());
    const stored = new Map<string, Entry>();
    const { workspace } = this.repository;
    const startedAt = Date.now();
    const oids = await this.hash(
      plain.map((file) => file.path),
      uncovered,
      signal,
    );
    for (const [index, oid] of oids) {
      const file = plain[index];
      if (!file) continue;
      const entry = { mode: modeOf(file.stats), oid };
      stored.set(file.path, entry);
      this.remember(file, entry, startedAt);
    }
    if (links.length === 0) return stored;
    const copies = mkdtempSync(join(this.repository.gitDir, "agent", "links-"));
    try {
      const targets = links.map((link, index) => copyTarget(join(workspace, link.path), join(copies, String(index))));
      const linkOids = await this.hash(
        targets.filter((path) => path !== null),
        uncovered,
        signal,
      );
      const present = links.filter((_, index) => targets[index] !== null);
      for (const [index, oid] of linkOids) {
        const link = present[index];
        if (link) stored.set(link.path, { mode: "120000", oid });
      }
    } finally {
      rmSync(copies, { recursive: true, force: true });
    }
    return stored;
  }

  /** Objects by position; absolute paths, for git may stand in another folder than we. One unreadable file ends git's run; it is left out and the rest goes on. */
  private async hash(paths: string[], uncovered: Uncovered[], signal?: AbortSignal): Promise<Map<number, string>> {
    const oids = new Map<number, string>();
    for (let at = 0; at < paths.length; ) {
      const { stdout, code, stderr } = await this.repository.git(
        ["hash-object", "-w", "--no-filters", "--stdin-paths"],
        {
          stdin: paths
            .slice(at)
            .map((path) => quoted(resolve(this.repository.workspace, path)))
            .join(""),
          mayFail: true,
          ...(signal && { signal }),
        },
      );
      const lines = stdout.toString("latin1").split("\n").filter(Boolean);
      for (const oid of lines) oids.set(at++, oid);
      if (code === 0) break;
      this.passOver(paths[at], stderr, uncovered);
      at++;
    }
    return oids;
  }

  /** A file that is gone is no matter, one that is closed to us is named; any other failure is the repository's. */
  private passOver(path: string | undefined, words: string, uncovered: Uncovered[]): void {
    if (path === undefined) throw new ZqError("git_failed", `git hash-object failed: ${words}`);
    try {
      accessSync(resolve(this.repository.workspace, path), constants.R_OK);
    } catch (error) {
      const gone = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!gone) uncovered.push({ path, reason: "unreadable" });
      return;
    }
    throw new ZqError("git_failed", `git hash-object failed: ${words}`);
  }

  private remember(file: FoundFile, entry: Entry, startedAt: number): void {
    const now = lstatSync(join(this.repository.workspace, file.path), { throwIfNoEntry: false });
    const stamp = stampOf(file.stats);
    const isSettled = startedAt - Math.max(file.stats.mtimeMs, file.stats.ctimeMs) > RACY_MS;
    if (now && stampOf(now) === stamp) this.known.set(file.path, { entry, stamp, isSettled });
    else this.known.delete(file.path);
  }
}

function stampOf(stats: Stats): string {
  return `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.ino} ${stats.mode}`;
}

function modeOf(stats: Stats): string {
  return stats.mode & 0o100 ? "100755" : "100644";
}

function copyTarget(link: string, copy: string): string | null {
  try {
    writeFileSync(copy, readlinkSync(link, "buffer"));
    return copy;
  } catch {
    return null;
  }
}

/** A line for git's list of paths: C quoting carries newlines, quotes and backslashes. */
function quoted(path: string): string {
  if (!/["\\\x00-\x1f\x7f]/.test(path)) return `${path}\n`;
  const inside = path.replace(/["\\]/g, "\\$&").replace(/[\x00-\x1f\x7f]/g, octal);
  return `"${inside}"\n`;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}

function* batchesOf(files: FoundFile[]): Generator<FoundFile[]> {
  let batch: FoundFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && (batch.length >= BATCH_FILES || bytes + file.stats.size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.stats.size;
  }
  if (batch.length > 0) yield batch;
}

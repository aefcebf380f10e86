/** Makes trees of the workspace with an index of the session's own, and reads them back. */

import { rmSync, statSync } from "node:fs";
import { messageOf } from "../shared/errors";
import { ObjectCache } from "./hashing";
import { type Entry, listFiles, type Uncovered } from "./listing";
import type { Repository } from "./repository";

export interface Snapshot {
  tree: string;
  entries: ReadonlyMap<string, Entry>;
  uncovered: Uncovered[];
  /** Outside a sparse checkout: in the tree, not on disk. */
  sparse: ReadonlyMap<string, Entry>;
}

export interface SnapshotLimits {
  maxFileBytes: number;
  /** For all snapshots of this process together. */
  maxDiskBytes: number;
  /** Also keep what ignore rules hide. */
  ignored: boolean;
}

export interface TakeOptions {
  /** Held in any case, whatever their size and whatever ignore rules say. */
  forced?: ReadonlySet<string>;
  signal?: AbortSignal;
}

export class Snapshots {
  private readonly objects: ObjectCache;
  /** What our index file holds, as far as we wrote it; null: to be written anew. */
  private indexed: { entries: ReadonlyMap<string, Entry>; tree: string; stamp: string } | null = null;

  constructor(
    private readonly repository: Repository,
    private readonly indexFile: string,
    private readonly limits: SnapshotLimits,
  ) {
    this.objects = new ObjectCache(repository, limits.maxDiskBytes);
  }

  /**
   * The workspace as it is now. `known`: paths of earlier snapshots, which stay covered. Throws when anything is in
   * doubt: no tree is better than a wrong one.
   */
  async take(known: Iterable<string>, options: TakeOptions = {}): Promise<Snapshot> {
    try {
      return await this.attempt(known, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      // A `git gc` in between may have taken objects that no commit held yet, another process our index.
      if (!/invalid object|unable to read|index/.test(messageOf(error))) throw error;
      this.indexed = null;
      this.objects.clear();
      return this.attempt(known, options);
    }
  }

  /** All files of a tree or commit. */
  async read(treeish: string): Promise<Map<string, Entry>> {
    const { stdout } = await this.repository.git(["ls-tree", "-r", "-z", "--full-tree", treeish]);
    const entries = new Map<string, Entry>();
    for (const record of stdout.toString("utf8").split("\0").filter(Boolean)) {
      const tab = record.indexOf("\t");
      const [mode = "", type, oid = ""] = record.slice(0, tab).split(" ");
      if (type === "blob") entries.set(record.slice(tab + 1), { mode, oid });
    }
    return entries;
  }

  /** Removes the index file. */
  dispose(): void {
    rmSync(this.indexFile, { force: true });
    this.indexed = null;
  }

  private async attempt(known: Iterable<string>, { forced = new Set(), signal }: TakeOptions): Promise<Snapshot> {
    const abort = signal ? { signal } : {};
    const listing = await listFiles(this.repository, { ...this.limits, known, forced, ...abort });
    const entries = await this.objects.entriesOf(listing.files, listing.uncovered, signal);
    for (const [path, entry] of listing.sparse) entries.set(path, entry);
    const tree = await this.writeTree(entries, signal);
    return { tree, entries, uncovered: listing.uncovered, sparse: listing.sparse };
  }

  private async writeTree(entries: ReadonlyMap<string, Entry>, signal?: AbortSignal): Promise<string> {
    const before = this.indexed?.stamp === stampOf(this.indexFile) ? this.indexed : null;
    const changes = indexChanges(before?.entries ?? new Map(), entries);
    if (before && changes === "") return before.tree;
    const options = { indexFile: this.indexFile, ...(signal && { signal }) };
    this.indexed = null;
    // The caller holds the session's lock, so a lock of git's is one that a crash left behind.
    rmSync(`${this.indexFile}.lock`, { force: true });
    if (!before) rmSync(this.indexFile, { force: true });
    await this.repository.git(["update-index", "-z", "--index-info"], { ...options, stdin: changes });
    const stamp = stampOf(this.indexFile);
    const { stdout } = await this.repository.git(["write-tree"], options);
    const tree = stdout.toString("latin1").trim();
    // write-tree may put its own notes into the index; only a change of somebody else's moves the stamp before it.
    this.indexed = { entries, tree, stamp: stampOf(this.indexFile) ?? stamp ?? "" };
    return tree;
  }
}

/** Lines for `update-index --index-info`; removals first, so that a file may take the place of a folder. */
function indexChanges(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): string {
  const removed: string[] = [];
  const set: string[] = [];
  for (const [path, { oid }] of before) {
    if (!after.has(path)) removed.push(`0 ${"0".repeat(oid.length)}\t${path}\0`);
  }
  for (const [path, entry] of after) {
    const old = before.get(path);
    if (old?.oid !== entry.oid || old.mode !== entry.mode) set.push(`${entry.mode} ${entry.oid}\t${path}\0`);
  }
  return removed.concat(set).join("");
}

function stampOf(file: string): string | null {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : null;
}

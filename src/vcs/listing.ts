/** Which files a snapshot holds: those of `git add -A`, and those that an earlier snapshot of the session held. */

import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextLoop } from "node:timers/promises";
import { TEMPORARY_GLOB } from "../shared/temporaryFiles";
import type { Repository } from "./repository";

/** Why a file is in no snapshot. */
export type UncoveredReason = "ignored" | "too_large" | "nested_repository" | "special" | "unreadable" | "name";

/** A path that snapshots do not hold, relative to the workspace; a folder ends in `/`. */
export interface Uncovered {
  path: string;
  reason: UncoveredReason;
}

/** What a tree says of one path: mode as git writes it (`100644`, `100755`, `120000`), and the object. */
export interface Entry {
  mode: string;
  oid: string;
}

export interface FoundFile {
  path: string;
  stats: Stats;
  /** In the user's index: its content is most likely in the repository already. */
  isTracked: boolean;
}

export interface Listing {
  files: FoundFile[];
  /** Outside a sparse checkout: not on disk by the user's will, kept as the index has them. */
  sparse: Map<string, Entry>;
  uncovered: Uncovered[];
}

export interface ListingOptions {
  /** Paths that belong to the snapshot whatever ignore rules say now. */
  known: Iterable<string>;
  /** Paths whose size does not matter (they are about to be overwritten). */
  forced: ReadonlySet<string>;
  /** Also take what ignore rules hide. */
  ignored: boolean;
  maxFileBytes: number;
  signal?: AbortSignal;
}

/** Never part of a snapshot unless the user's index has them (guide 17.2). */
const excluded = ["--exclude=.agent", "--exclude=node_modules", `--exclude=${TEMPORARY_GLOB}`];

export async function listFiles(repository: Repository, options: ListingOptions): Promise<Listing> {
  const listing: Listing = { files: [], sparse: new Map(), uncovered: [] };
  const tracked = new Set<string>();
  const candidates = await candidatesOf(repository, options, { listing, tracked });
  const nested = listing.uncovered.filter((one) => one.reason === "nested_repository").map((one) => one.path);
  const folders = new FolderCheck(repository.workspace);
  let count = 0;
  for (const path of candidates) {
    // Thousands of files must not freeze a screen.
    if (++count % 1000 === 0) await nextLoop();
    options.signal?.throwIfAborted();
    if (nested.some((folder) => path.startsWith(folder)) && !options.forced.has(path)) continue;
    look(path, { workspace: repository.workspace, folders, listing, options, tracked });
  }
  return listing;
}

/** All ignored paths, whole folders as one. */
export async function listIgnored(repository: Repository, signal?: AbortSignal): Promise<string[]> {
  const found = await repository.git(
    ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", ...excluded],
    { ...indexOf(repository), ...(signal && { signal }) },
  );
  return found.stdout.toString("utf8").split("\0").filter(Boolean);
}

async function candidatesOf(repository: Repository, options: ListingOptions, found: Found): Promise<Set<string>> {
  const standard = options.ignored ? [] : ["--exclude-standard"];
  const listed = await repository.git(
    ["ls-files", "-z", "-t", "--stage", "--cached", "--others", ...standard, ...excluded],
    { ...indexOf(repository), ...(options.signal && { signal: options.signal }) },
  );
  const paths = new Set<string>();
  for (const record of listed.stdout.toString("latin1").split("\0")) {
    if (record !== "") readRecord(record, paths, found);
  }
  for (const path of options.known) paths.add(path);
  for (const path of options.forced) paths.add(path);
  return paths;
}

/** A shadow has no index of a user's. */
function indexOf(repository: Repository): { indexFile?: string } {
  return repository.mode === "shadow" ? { indexFile: join(repository.gitDir, "agent", "none") } : {};
}

interface Found {
  listing: Listing;
  tracked: Set<string>;
}

/** `? path` for what the index lacks, `TAG mode oid stage<TAB>path` for what it has. */
function readRecord(record: string, paths: Set<string>, { listing, tracked }: Found): void {
  const isNew = record.startsWith("? ");
  const name = isNew ? record.slice(2) : record.slice(record.indexOf("\t") + 1);
  const path = Buffer.from(name, "latin1").toString("utf8");
  const isUtf8 = !path.includes("\ufffd") || Buffer.from(path).toString("latin1") === name;
  if (!isUtf8 || refusedByGit.test(path)) {
    listing.uncovered.push({ path, reason: "name" });
  } else if (isNew && path.endsWith("/")) {
    listing.uncovered.push({ path, reason: "nested_repository" });
  } else {
    const [tag, mode = "", oid = ""] = isNew ? [] : record.split(/[ \t]/, 3);
    if (mode === "160000") listing.uncovered.push({ path: `${path}/`, reason: "nested_repository" });
    else paths.add(path);
    if (!isNew) tracked.add(path);
    if (tag === "S") listing.sparse.set(path, { mode, oid });
  }
}

/** Git takes no path with a part that could pass for its own folder, however it is spelled. */
const refusedByGit = /(^|\/)\.git(\/|$)/i;

interface Look {
  workspace: string;
  folders: FolderCheck;
  listing: Listing;
  options: ListingOptions;
  tracked: ReadonlySet<string>;
}

function look(path: string, { workspace, folders, listing, options, tracked }: Look): void {
  if (!folders.isReal(path)) return;
  let stats: Stats | undefined;
  try {
    stats = lstatSync(join(workspace, path), { throwIfNoEntry: false });
  } catch {
    listing.uncovered.push({ path, reason: "unreadable" });
    return;
  }
  if (!stats || stats.isDirectory()) return;
  listing.sparse.delete(path);
  if (!stats.isFile() && !stats.isSymbolicLink()) listing.uncovered.push({ path, reason: "special" });
  else if (stats.size > options.maxFileBytes && !options.forced.has(path)) {
    listing.uncovered.push({ path, reason: "too_large" });
  } else if (stats.isSymbolicLink() && /(^|\/)\.gitmodules$/i.test(path))
    listing.uncovered.push({ path, reason: "name" });
  else listing.files.push({ path, stats, isTracked: tracked.has(path) });
}

/** Tells whether the way to a path leads through real folders only: nothing is read through a link. */
export class FolderCheck {
  private readonly known = new Map<string, boolean>();

  constructor(private readonly workspace: string) {}

  isReal(path: string): boolean {
    const end = path.lastIndexOf("/");
    return end < 0 || this.isRealFolder(path.slice(0, end));
  }

  private isRealFolder(folder: string): boolean {
    const known = this.known.get(folder);
    if (known !== undefined) return known;
    const real = this.isReal(folder) && isPlainFolder(join(this.workspace, folder));
    this.known.set(folder, real);
    return real;
  }
}

function isPlainFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Walks a folder tree without what is ignored, folder by folder, so that a huge tree is never in memory as a whole. */

import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { workTreeAround } from "../shared/git";
import { isTemporaryName } from "../shared/temporaryFiles";
import { throwIfExhausted } from "./walk/exhaustion";
import { chainAbove, type IgnoreLink, isIgnored, linkFor, type RuleNames } from "./walk/ignoreChain";

export interface WalkOptions {
  /** Also what .gitignore hides, and node_modules; never `.git`. */
  includeIgnored?: boolean;
  /** Outside of a repository: how far up rule files count, absolute. By default none above the root does. */
  boundary?: string;
  /** Asked once something is ignored: paths relative to the root, with `/`, that are shown all the same. */
  tracked?(): Promise<ReadonlySet<string>>;
  signal?: AbortSignal;
}

/** One folder of the tree with what it holds. Names are sorted by code unit. */
export interface WalkedFolder {
  /** Relative to the walk's root with `/`; empty for the root itself. */
  path: string;
  /** Subfolders, which are walked next. */
  folders: string[];
  /** Files, and links to anything. */
  files: WalkedFile[];
}

export interface WalkedFile {
  name: string;
  /** False: a link, FIFO, socket or device. */
  isRegular: boolean;
}

/**
 * Yields every folder below `root` (absolute), parents before children, in the order of a sorted listing. Folders that
 * cannot be read are passed over. Links are not followed. Throws only where no file descriptors are left. Ends early, without a word, when the signal aborts.
 */
export async function* walkFolders(root: string, options: WalkOptions = {}): AsyncGenerator<WalkedFolder> {
  const where = { inRepository: workTreeAround(root) !== null, boundary: options.boundary ?? root };
  const above = options.includeIgnored ? undefined : chainAbove(root, where);
  const pending: Pending[] = [{ path: "", chain: above, isIgnored: false }];
  for (let next = pending.pop(); next && !options.signal?.aborted; next = pending.pop()) {
    const at = next.path;
    const absolute = at ? join(root, at) : root;
    const entries = await entriesOf(absolute);
    const outer = { parent: next.chain, inRepository: where.inRepository };
    const chain = options.includeIgnored ? undefined : linkFor(absolute, ruleNames(entries), outer);
    const part = entries.filter((entry) => isPartOfProject(entry, join(absolute, entry.name), options.includeIgnored));
    const hidden = new Set(part.filter((entry) => isHidden(entry, absolute, { ...next, chain })));
    const kept = hidden.size > 0 ? await options.tracked?.() : undefined;
    const seen = part.filter((entry) => !hidden.has(entry) || kept?.has(inside(at, entry.name)));
    const folders = seen.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
    const files = seen.flatMap((entry) => (entry.isDirectory() ? [] : [walkedFile(entry)]));
    yield { path: at, folders, files: files.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    const ignoredNames = new Set([...hidden].map((entry) => entry.name));
    for (const name of folders.reverse()) {
      pending.push({ path: inside(at, name), chain, isIgnored: ignoredNames.has(name) });
    }
  }
}

interface Pending {
  path: string;
  chain: IgnoreLink | undefined;
  /** The folder itself is ignored: it is only walked for what is tracked in it. */
  isIgnored: boolean;
}

function inside(folder: string, name: string): string {
  return folder ? `${folder}/${name}` : name;
}

function isPartOfProject(entry: Dirent, path: string, includeIgnored = false): boolean {
  if (entry.name === ".git" || isTemporaryName(entry.name) || isOwnRepository(path)) return false;
  // Left out without being asked for, whether .gitignore says so or not.
  return includeIgnored || entry.name !== "node_modules";
}

function isHidden(entry: Dirent, folder: string, at: Pending): boolean {
  return at.isIgnored || isIgnored(at.chain, join(folder, entry.name), entry.isDirectory());
}

/** The bare repository of our own snapshots: as little a part of the project as `.git`. */
function isOwnRepository(path: string): boolean {
  return path.endsWith("vcs") && /[\\/]\.agent[\\/]vcs$/.test(path);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throwIfExhausted(error, folder);
    // No right to read it, or gone since its parent was listed.
    return [];
  }
}

function ruleNames(entries: Dirent[]): RuleNames {
  return {
    hasGitignore: entries.some((entry) => entry.name === ".gitignore"),
    hasGit: entries.some((entry) => entry.name === ".git"),
  };
}

function walkedFile(entry: Dirent): WalkedFile {
  return { name: entry.name, isRegular: entry.isFile() };
}

/** Which places a session may read and write: the workspace, granted folders, and where its own results lie. */

import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A folder outside the workspace that the person granted. */
export interface GrantedDirectory {
  path: string;
  writable: boolean;
}

/** True when `path` is `root` or lies below it. Both must be real paths. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!way.startsWith(`..${sep}`) && way !== ".." && !isAbsolute(way));
}

/**
 * The real path of a file that may not exist yet: the longest existing ancestor is resolved, the rest is appended.
 * A dangling link counts as existing and is followed, so that a write cannot slip through it.
 */
export function realPathOf(path: string, linksLeft = 40): string {
  const pending: string[] = [];
  let at = resolve(path);
  for (;;) {
    try {
      return join(realpathSync.native(at), ...pending);
    } catch {
      const target = linkTarget(at);
      if (target !== null && linksLeft > 0) return join(realPathOf(target, linksLeft - 1), ...pending);
      const parent = dirname(at);
      if (parent === at) return join(at, ...pending);
      pending.unshift(basename(at));
      at = parent;
    }
  }
}

function linkTarget(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}

/** The places of one session. Shared by the file tools, the permission engine and request_directory. */
export class WorkspaceRoots {
  /** The workspace as given, absolute. */
  readonly workspace: string;
  private readonly granted: GrantedDirectory[] = [];
  private readonly readable: string[] = [];

  constructor(workspace: string) {
    this.workspace = resolve(workspace);
  }

  /** Absolute form of a path that the model gave. */
  resolve(path: string): string {
    return resolve(this.workspace, path);
  }

  /** How a path is shown: relative to the workspace with `/`, absolute outside it. */
  show(path: string): string {
    const absolute = this.resolve(path);
    for (const root of [this.workspace, realPathOf(this.workspace)]) {
      if (isInside(root, absolute)) return relative(root, absolute).split(sep).join("/") || ".";
    }
    return absolute;
  }

  /** True when the path, all links resolved, lies where this session may read. */
  mayRead(path: string): boolean {
    const real = realPathOf(this.resolve(path));
    return this.roots(false).some((root) => isInside(root, real));
  }

  /** True when the path, all links resolved, lies where this session may write. */
  mayWrite(path: string): boolean {
    const real = realPathOf(this.resolve(path));
    return this.roots(true).some((root) => isInside(root, real));
  }

  /** Adds a folder that the person granted; a second grant of it can only widen it. */
  grant(path: string, writable: boolean): void {
    const known = this.granted.find((directory) => directory.path === path);
    if (known) known.writable ||= writable;
    else this.granted.push({ path, writable });
  }

  /** Adds a folder that may be read though nobody granted it (the session's own tool results). */
  allowReading(path: string): void {
    this.readable.push(resolve(path));
  }

  /** The folders of `allowReading`, absolute. */
  get readableDirectories(): readonly string[] {
    return this.readable;
  }

  get directories(): readonly GrantedDirectory[] {
    return this.granted;
  }

  private roots(writing: boolean): string[] {
    const open = this.granted.filter((directory) => directory.writable || !writing).map((directory) => directory.path);
    return [this.workspace, ...open, ...(writing ? [] : this.readable)].map(realPathOf);
  }
}

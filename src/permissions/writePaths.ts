/** Where a call would write, and whether that lies inside the places of the session (guide 8.1 step 2). */

import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { ToolMetadata } from "../shared/contracts";
import { realPathOf, type WorkspaceRoots } from "../shared/paths";
import { RiskClass } from "./riskClass";

export interface Call {
  args: Record<string, unknown>;
  metadata: ToolMetadata | null;
  risk: RiskClass;
}

/** The paths that a call would write; empty where nothing can be said (the tool then refuses by itself). */
export function writtenPaths({ args, metadata, risk }: Call): string[] {
  if (risk === RiskClass.READ) return [];
  if (metadata?.writes) return ask(metadata.writes, args);
  return risk === RiskClass.WRITE && typeof args.path === "string" ? [args.path] : [];
}

function ask(writes: NonNullable<ToolMetadata["writes"]>, args: Record<string, unknown>): string[] {
  try {
    return writes(args).filter((path) => typeof path === "string");
  } catch {
    return [];
  }
}

/**
 * True when a path may be written by every way of reading it: its dots cleaned up first, as programs do, its links
 * followed first, as the kernel does, and a leading tilde taken as the home folder.
 */
export function isWritable(roots: WorkspaceRoots, path: string): boolean {
  return readings(roots, path).every((reading) => roots.mayWrite(reading));
}

/** The same for a folder that is only entered. */
export function isReadable(roots: WorkspaceRoots, path: string): boolean {
  return readings(roots, path).every((reading) => roots.mayRead(reading));
}

function readings(roots: WorkspaceRoots, path: string): string[] {
  if (path === "~" || /^~[/\\]/.test(path)) return [join(homedir(), path.slice(1))];
  return [path, physicalPath(roots.workspace, path)];
}

/** The path that the kernel would reach: each `..` leaves the folder that a link really led to. */
function physicalPath(base: string, path: string): string {
  let at = isAbsolute(path) ? resolve(path, "/") : base;
  for (const part of path.split(process.platform === "win32" ? /[/\\]/ : "/")) {
    if (part === "..") at = dirname(realPathOf(at));
    else if (part !== "" && part !== ".") at = join(at, part);
  }
  return at;
}

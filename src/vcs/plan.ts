/** Where a session's snapshots go: the project's own repository, a shadow of it, or nowhere, and why (guide 17.1). */

import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { findGit, workTreeAround } from "../shared/git";

export type VcsMode = "off" | "auto" | "native" | "shadow";

export interface VcsPlan {
  mode: "off" | "native" | "shadow";
  /** The folder whose files are kept, absolute. */
  workspace: string;
  /** Native: the root of the working tree around the workspace. */
  root?: string;
  /** May fall back to a shadow when the repository turns out not to be usable. */
  mayShadow: boolean;
  /** Why snapshots are off, as a sentence. */
  reason?: string;
  /** Off though something else was asked for: worth a notice. */
  isDegraded?: boolean;
}

/** Chooses by what is there now, without starting git. Never throws. */
export function resolveVcsPlan(workspace: string, options: { mode?: VcsMode | undefined } = {}): VcsPlan {
  const folder = resolve(workspace);
  const mode = options.mode ?? "off";
  const off = (reason: string, isDegraded = true): VcsPlan => {
    return { mode: "off", workspace: folder, mayShadow: false, reason, isDegraded };
  };
  if (mode === "off") return off("Snapshots are switched off.", false);
  if (!findGit(folder)) return off("Snapshots are off: git was not found on PATH.");
  const root = mode === "shadow" ? null : workTreeAround(folder);
  if (root) return { mode: "native", workspace: folder, root, mayShadow: mode === "auto" };
  if (mode === "native")
    return off("Snapshots are off: the folder is not in a git repository (mode shadow needs none).");
  return { mode: "shadow", workspace: folder, mayShadow: false };
}

/** The shadow repository of a workspace (guide 17.1). */
export function shadowDir(workspace: string): string {
  return join(workspace, ".agent", "vcs");
}

/** The private ref that holds a session's snapshots: `refs/agent/<id>`, with what git does not take escaped. */
export function agentRef(sessionId: string): string {
  return `refs/agent/${escaped(sessionId)}`;
}

/** The session's own index file; the user's is never used for writing. */
export function sessionIndexPath(gitDir: string, sessionId: string): string {
  return join(gitDir, "agent", `${escaped(sessionId)}.index`);
}

const LONGEST_NAME = 180;

/** One path component, different for different ids: percent signs and hex for what a ref or a file name cannot hold. */
function escaped(sessionId: string): string {
  const name = sessionId
    .replace(/[^A-Za-z0-9._-]/gu, percent)
    .replace(/^[.-]|\.$|\.(?=\.)/g, percent)
    .replace(/\.(lock|index)$/i, "%2E$1");
  if (name === "") return "%";
  if (name.length <= LONGEST_NAME) return name;
  const hash = createHash("sha256").update(sessionId).digest("hex").slice(0, 32);
  return `${name.slice(0, LONGEST_NAME - 34).replace(/%.?$/, "")}%${hash}`;
}

function percent(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

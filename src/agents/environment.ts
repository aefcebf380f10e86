/** The environment block: what the model should know of the machine and the folder, once, ahead of the first prompt. */

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { readGit, workTreeAround } from "../shared/git";
import { gitHead } from "../shared/gitHead";
import type { Lang } from "../shared/lang";

/** Most entries of the top-level listing. */
const MAX_ENTRIES = 40;

/** What only the host knows. */
export interface EnvironmentFacts {
  /** For example `clean` or `3 changed files`. */
  gitState?: string | undefined;
  sandbox?: string | undefined;
  /** Folders outside the workspace that may be used. */
  directories?: readonly string[] | undefined;
  shell?: string | undefined;
}

/**
 * The `<environment>` block (guide 20.1): workspace, platform, date, git, listing. About 200 tokens.
 *
 * @param today the date as it is to be shown, day precision (`2026-12-01`)
 */
export function buildEnvBlock(workspace: string, today: string, _lang: Lang, facts: EnvironmentFacts = {}): string {
  const lines = [
    `workspace: ${workspace}`,
    `platform: ${process.platform}${facts.shell ? `, shell ${facts.shell}` : ""}`,
    `date: ${today}`,
    `git: ${gitLine(workspace, facts.gitState)}`,
    facts.sandbox ? `sandbox: ${facts.sandbox}` : "",
    facts.directories?.length ? `also granted: ${facts.directories.join(", ")}` : "",
    `files: ${listing(workspace)}`,
  ];
  return `<environment>\n${lines.filter((line) => line !== "").join("\n")}\n</environment>`;
}

/** The block with what git, the shell and the sandbox say; never rejects (nor may `sandbox`). */
export async function collectEnvironment(workspace: string, lang: Lang, sandbox: string): Promise<string> {
  const shell = process.platform === "win32" ? undefined : (process.env.SHELL?.split("/").at(-1) ?? "sh");
  const gitState = await describeChanges(workspace).catch(() => undefined);
  const known = { ...(shell ? { shell } : {}), ...(gitState ? { gitState } : {}) };
  return buildEnvBlock(workspace, today(), lang, { ...known, sandbox });
}

/** The day in local time, `YYYY-MM-DD`. */
export function today(now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

function gitLine(workspace: string, state: string | undefined): string {
  const head = gitHead(workspace);
  if (!head) return "not a repository";
  const place = head.root === resolve(workspace) ? "" : ` at ${head.root}`;
  return `${head.branch}${place}${state ? `, ${state}` : ""}`;
}

function listing(workspace: string): string {
  if (resolve(workspace) === homedir()) return "(home folder, not listed)";
  try {
    const entries = readdirSync(workspace, { withFileTypes: true })
      .filter((entry) => entry.name !== ".git")
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort((a, b) => Number(b.endsWith("/")) - Number(a.endsWith("/")) || a.localeCompare(b));
    if (entries.length === 0) return "(empty folder)";
    const more = entries.length > MAX_ENTRIES ? ` … and ${entries.length - MAX_ENTRIES} more` : "";
    return entries.slice(0, MAX_ENTRIES).join(" ") + more;
  } catch {
    return "(cannot be listed)";
  }
}

/** How long git may take before the block goes without its state, in milliseconds: a huge tree must not hold up a prompt. */
const GIT_TIME_MS = 500;

/** `clean`, or how many files differ; undefined outside a repository. Rejects when git cannot say in time. */
async function describeChanges(workspace: string): Promise<string | undefined> {
  if (workTreeAround(workspace) === null) return undefined;
  const signal = AbortSignal.timeout(GIT_TIME_MS);
  const git = await readGit(workspace, signal);
  const status = await git?.run(["status", "--porcelain", "-z", "--untracked-files=normal"], {
    signal,
    maxBytes: 100_000,
  });
  if (!status) return undefined;
  const changed = status.text.split("\0").filter((entry) => entry !== "").length;
  if (changed === 0) return "clean";
  return `${status.cut ? "over " : ""}${changed} changed or new file${changed === 1 ? "" : "s"}`;
}

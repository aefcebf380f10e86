/** The repository behind a plan, opened once: checked, made where it is a shadow, with every git call of ours bound to it. */

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, messageOf, ZqError } from "../shared/errors";
import { type GitOutput, plumbGit } from "../shared/git";
import { shadowDir, type VcsPlan } from "./plan";

export interface CallOptions {
  stdin?: string | Buffer;
  indexFile?: string;
  env?: Record<string, string>;
  signal?: AbortSignal;
  mayFail?: boolean;
}

/** An open repository. */
export interface Repository {
  mode: "native" | "shadow";
  workspace: string;
  gitDir: string;
  /** Runs git in the workspace, bound to this repository and to nothing that a configuration says. */
  git(args: readonly string[], options?: CallOptions): Promise<GitOutput>;
}

/** Opens what the plan names. `fallback` says why a shadow was taken instead; throws `ZqError` when nothing can be used. */
export async function openRepository(plan: VcsPlan): Promise<{ repository: Repository; fallback?: string }> {
  if (plan.mode === "off") throw new ZqError("vcs_off", plan.reason ?? "Snapshots are off.");
  if (plan.mode === "shadow") return { repository: await openShadow(plan.workspace) };
  try {
    return { repository: await openNative(plan) };
  } catch (error) {
    if (!plan.mayShadow) throw error;
    return { repository: await openShadow(plan.workspace), fallback: messageOf(error) };
  }
}

async function openNative(plan: VcsPlan): Promise<Repository> {
  const { workspace, root = workspace } = plan;
  // Asked without naming the place, so that git's own check of the owner takes part.
  const found = await plumbGit(["rev-parse", "--absolute-git-dir"], { cwd: root, mayFail: true });
  if (found.code !== 0) throw unusable(found.stderr);
  const gitDir = found.stdout.toString("utf8").replace(/\r?\n$/, "");
  const repository = bind("native", { workspace, gitDir, workTree: root });
  // A folder that the repository ignores as a whole (a home folder kept in git) has nothing to offer.
  if (plan.mayShadow && workspace !== root) {
    const ignored = await repository.git(["check-ignore", "-q", "."], { mayFail: true });
    if (ignored.code === 0) throw unusable("the repository around this folder ignores it");
  }
  makeAgentFolder(gitDir);
  return repository;
}

async function openShadow(workspace: string): Promise<Repository> {
  const gitDir = shadowDir(workspace);
  if (!existsSync(join(gitDir, "HEAD"))) await makeShadow(workspace, gitDir);
  makeAgentFolder(gitDir);
  return bind("shadow", { workspace, gitDir, workTree: workspace });
}

/** Made aside and moved into place whole: two sessions may begin in one folder at the same moment. */
async function makeShadow(workspace: string, gitDir: string): Promise<void> {
  mkdirSync(dirname(gitDir), { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(`${gitDir}-`);
  try {
    await plumbGit(["init", "--quiet", "--bare", "--template=", fresh], { cwd: workspace });
    // Hidden from a repository around the workspace.
    writeFileSync(join(fresh, ".gitignore"), "*\n");
    renameSync(fresh, gitDir);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(gitDir, "HEAD"))) throw error;
  }
}

function bind(mode: Repository["mode"], place: { workspace: string; gitDir: string; workTree: string }): Repository {
  const { workspace, gitDir, workTree } = place;
  return {
    mode,
    workspace,
    gitDir,
    git: (args, options = {}) => plumbGit(args, { ...options, cwd: workspace, gitDir, workTree }),
  };
}

function makeAgentFolder(gitDir: string): void {
  try {
    mkdirSync(join(gitDir, "agent"), { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw unusable(messageOf(error));
  }
}

function unusable(why: string): ZqError {
  const line = why.split("\n").find((text) => text.trim() !== "") ?? "git gave no reason";
  const mend = /dubious ownership/.test(why) ? " (git config --global --add safe.directory <folder> allows it)" : "";
  return new ZqError("vcs_off", `The repository cannot be used for snapshots: ${line.trim()}${mend}`);
}

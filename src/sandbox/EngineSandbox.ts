/** The sandbox of one engine: wraps each command, keeps the temporary folder of the session, and tidies up behind both. */

import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { realPathOf, type WorkspaceRoots } from "../shared/paths";
import { buildBwrapArgs } from "./bwrapArgs";
import { cacheSettings } from "./caches";
import { findGuardedPlaces } from "./guardedPlaces";
import { buildMacProfile } from "./macProfile";
import { holdPlaceholders, isPlaceholder } from "./placeholders";
import type { SandboxPlan } from "./plan";
import { knownProbe, probe, probeNow } from "./probe";
import { describeSandbox } from "./sandbox";
import { createSessionFolder, removeSessionFolder } from "./sessionFolder";
import { watched } from "./watch";

/** One command, ready to be started. */
export interface WrappedCommand {
  argv: string[];
  confined: boolean;
  /** True when all that the command started ends with it. */
  endsWithCommand: boolean;
  /** To be called when the command has ended: tidies up, and returns what the model should be told. */
  finish(): string[];
}

const endedNote = "[a background process was ended with the command; use background]";

export class EngineSandbox {
  private folder: string | null = null;

  /** `roots`: what the person grants during the session becomes writable for commands too. */
  constructor(
    private readonly plan: SandboxPlan,
    private readonly roots: WorkspaceRoots,
  ) {}

  /** What the permission engine reads. Its first look may try the sandbox: `enforced` is never a guess. */
  get state(): { mode: string; readonly enforced: boolean } {
    const { plan } = this;
    return {
      mode: plan.mode,
      get enforced() {
        return "plan" in probeNow(plan);
      },
    };
  }

  /** One line for the model and for people. Tries nothing: a turn without commands must not pay for a sandbox. */
  describe(): string {
    return describeSandbox(this.plan);
  }

  /** Confines one command where the sandbox works; elsewhere it stays as it is. */
  async wrap(argv: readonly string[], cwd: string): Promise<WrappedCommand> {
    const found = knownProbe(this.plan) ?? (await probe(this.plan));
    if ("reason" in found) return { argv: [...argv], confined: false, endsWithCommand: false, finish: () => [] };
    const plan = { ...this.current(), forbidNesting: found.plan.forbidNesting };
    return plan.method === "bwrap" ? this.inBwrap(plan, argv, realPathOf(cwd)) : inSeatbelt(plan, argv);
  }

  /** Removes the session's temporary folder. Never throws. */
  dispose(): void {
    if (this.folder === null) return;
    removeSessionFolder(this.folder);
    this.folder = null;
  }

  /** The plan with what was granted since. */
  private current(): SandboxPlan {
    const { plan, roots } = this;
    const granted = roots.directories.filter((directory) => directory.writable).map(({ path }) => path);
    const readable = roots.directories.filter((directory) => !directory.writable).map(({ path }) => path);
    return {
      ...plan,
      extraWritable: [...plan.extraWritable, ...granted.map(realPathOf)],
      visible: [...plan.visible, ...[...readable, ...roots.readableDirectories].map(realPathOf)],
    };
  }

  private inBwrap(plan: SandboxPlan, argv: readonly string[], cwd: string): WrappedCommand {
    const folder = this.sessionFolder();
    const places = findGuardedPlaces(plan);
    const held = [...places.missing, ...places.readOnly.filter(isPlaceholder)];
    const release = holdPlaceholders(held);
    const markName = `.left-${randomBytes(6).toString("hex")}`;
    const sessionTemp = join(folder, "tmp");
    const call = { cwd, places, emptyFolder: join(folder, "empty") };
    const hadCommonDir = existsSync(join(plan.workspace, ".git", "commondir"));
    const mark = join(plan.tempFolders[0] ?? "/tmp", markName);
    const hostMark = isShadowed(plan) ? mark : join(sessionTemp, markName);
    const args = buildBwrapArgs({ ...plan, sessionTemp }, call);
    const finish = once(() => {
      release();
      if (!hadCommonDir) removeCommonDir(plan.workspace);
      const left = existsSync(hostMark);
      rmSync(hostMark, { force: true });
      return left ? [endedNote] : [];
    });
    return {
      argv: [plan.program, ...args, "--", ...watched(argv, mark)],
      confined: true,
      endsWithCommand: true,
      finish,
    };
  }

  /** Made with the first command, and again should somebody have swept it away. */
  private sessionFolder(): string {
    if (this.folder !== null && !existsSync(join(this.folder, "tmp"))) this.dispose();
    this.folder ??= createSessionFolder();
    return this.folder;
  }
}

function inSeatbelt(plan: SandboxPlan, argv: readonly string[]): WrappedCommand {
  const settings = cacheSettings(plan).map(([name, value]) => `${name}=${value}`);
  const wrapped = [plan.program, "-p", buildMacProfile(plan), "/usr/bin/env", ...settings, ...argv];
  return { argv: wrapped, confined: true, endsWithCommand: false, finish: () => [] };
}

/** In a repository of its own this file has no place; git would take settings and hooks from where it points. */
function removeCommonDir(workspace: string): void {
  try {
    rmSync(join(workspace, ".git", "commondir"), { force: true });
  } catch {
    // `.git` is no folder: nothing was planted.
  }
}

/** True when the temporary folder is itself writable by the plan, so that none of ours stands in for it. */
function isShadowed(plan: SandboxPlan): boolean {
  const temp = plan.tempFolders[0] ?? "/tmp";
  return [plan.workspace, ...plan.extraWritable].includes(temp);
}

function once<T>(work: () => T): () => T {
  let done: { value: T } | null = null;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

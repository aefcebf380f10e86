/** The one file that starts git for us: never a planted git, never a program that the repository configures. */

import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "./env";
import { messageOf, ZqError } from "./errors";
import { allowOurSettings, gitEnvironment, globalFlags, plumbSettings, readSettings } from "./gitSafety";
import { realPathOf } from "./paths";
import { findProgram } from "./programs";

export interface GitOutput {
  stdout: Buffer;
  stderr: string;
  code: number;
}

export interface PlumbOptions {
  cwd: string;
  stdin?: string | Buffer;
  indexFile?: string;
  gitDir?: string;
  workTree?: string;
  env?: Environment;
  signal?: AbortSignal;
  /** Also hand back a failed call; without it one throws. */
  mayFail?: boolean;
}

/**
 * Runs one git command for snapshots (`security.md` 2.8). Throws `ZqError` with code `git_missing`, `aborted` or
 * `git_failed` (git's own words in the message). Bytes in, bytes out.
 */
export async function plumbGit(args: readonly string[], options: PlumbOptions): Promise<GitOutput> {
  const git = requireGit(options.workTree ?? options.cwd);
  if (options.signal?.aborted) throw aborted();
  const { execa } = await import("execa");
  const child = execa(git, [...globalFlags, ...neutralFlags(plumbSettings), ...args], {
    cwd: options.cwd,
    env: { ...gitEnvironment(), ...placeVariables(options), ...options.env },
    extendEnv: false,
    ...(options.stdin === undefined ? { stdin: "ignore" as const } : { input: options.stdin }),
    encoding: "buffer",
    maxBuffer: MAX_OUTPUT_BYTES,
    stripFinalNewline: false,
    reject: false,
    cleanup: true,
    windowsHide: true,
  });
  const result = await untilAborted(child, options.signal, () => child.kill("SIGKILL"));
  const output: GitOutput = {
    stdout: Buffer.from(result.stdout),
    stderr: Buffer.from(result.stderr).toString("utf8").trim(),
    code: result.exitCode ?? -1,
  };
  if (output.code !== 0 && !options.mayFail) throw failed(args[0] ?? "git", output.stderr || messageOf(result));
  return output;
}

/** What the reading door gives: text, and whether it was cut at `maxBytes`. */
export interface GitText {
  text: string;
  cut: boolean;
}

export interface ReadOptions {
  signal?: AbortSignal;
  /** Stop git when it has written this much; the text so far is returned. Default 16 MB. */
  maxBytes?: number;
}

/** The door for status, log, diff, branch and ls-files. */
export interface GitReader {
  /** Root of the working tree around the workspace, real path. */
  readonly root: string;
  /** Runs a command that only reads. Throws `ZqError` with code `aborted` or `git_failed`. */
  run(args: readonly string[], options?: ReadOptions): Promise<GitText>;
}

/**
 * Opens the repository around a folder for reading (a simple-git instance behind it). Null: not in a repository.
 * Throws `ZqError` with code `git_missing`. Clean filters that any configuration names are switched off by name.
 */
export async function readGit(workspace: string, signal?: AbortSignal): Promise<GitReader | null> {
  const binary = requireGit(workspace);
  const root = workTreeAround(workspace);
  if (root === null) return null;
  const settings = [...readSettings, ...(await filterSettings(workspace, signal))];
  const env = { ...gitEnvironment(), GIT_WORK_TREE: root };
  const { simpleGit } = await import("simple-git");
  const run = async (args: readonly string[], options: ReadOptions = {}): Promise<GitText> => {
    if (options.signal?.aborted) throw aborted();
    const stop = new AbortController();
    const meter = { bytes: 0, cut: false, pieces: [] as Buffer[] };
    const git = simpleGit({
      baseDir: workspace,
      binary,
      abort: stop.signal,
      allowEnvironment: Object.keys(env),
      config: settings,
      unsafe: allowOurSettings,
    })
      .env(env)
      .outputHandler((_command, stdout) => {
        stdout.on("data", (piece: Buffer) => meterOutput(meter, piece, options.maxBytes ?? 16_000_000, stop));
      });
    try {
      await untilAborted(git.raw([...globalFlags, ...args]), options.signal, () => stop.abort());
    } catch (error) {
      if (options.signal?.aborted) throw aborted();
      if (!meter.cut) throw failed(args[0] ?? "git", messageOf(error));
    }
    return { text: Buffer.concat(meter.pieces).toString("utf8"), cut: meter.cut };
  };
  return { root, run };
}

/** The nearest folder, from here up, that holds a `.git`: found without git, so that no configuration can move it. */
export function workTreeAround(folder: string): string | null {
  for (let at = realPathOf(folder); ; at = dirname(at)) {
    if (isRepository(join(at, ".git"))) return at;
    if (dirname(at) === at) return null;
  }
}

/** The git to use, or null: absolute PATH entries only, nothing inside `workspace`. */
export function findGit(workspace: string): string | null {
  return findProgram("git", { outside: workTreeAround(workspace) ?? workspace });
}

const MAX_OUTPUT_BYTES = 512_000_000;

function neutralFlags(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

/** One `clean`, `process` and `required` override for each filter that is configured anywhere. Reading runs nothing. */
async function filterSettings(workspace: string, signal?: AbortSignal): Promise<string[]> {
  const listed = await plumbGit(
    ["config", "-z", "--name-only", "--get-regexp", "^filter\\..*\\.(clean|process|smudge|required)$"],
    { cwd: workspace, mayFail: true, ...(signal && { signal }) },
  );
  const keys = listed.stdout.toString("utf8").split("\0").filter(Boolean);
  const names = new Set(keys.map((key) => key.slice("filter.".length, key.lastIndexOf("."))));
  return [...names].flatMap((name) => {
    if (/[=\n]/.test(name)) throw failed("config", `the filter name ${JSON.stringify(name)} cannot be switched off`);
    return [`filter.${name}.clean=`, `filter.${name}.process=`, `filter.${name}.required=false`];
  });
}

function placeVariables(options: PlumbOptions): Environment {
  return {
    ...(options.gitDir && { GIT_DIR: options.gitDir }),
    ...(options.workTree && { GIT_WORK_TREE: options.workTree }),
    ...(options.indexFile && { GIT_INDEX_FILE: options.indexFile }),
  };
}

function isRepository(dotGit: string): boolean {
  try {
    if (statSync(dotGit).isDirectory()) return statSync(join(dotGit, "HEAD")).isFile();
    return readFileSync(dotGit, "utf8").startsWith("gitdir:");
  } catch {
    return false;
  }
}

function requireGit(workspace: string): string {
  const git = findGit(workspace);
  if (git) return git;
  throw new ZqError("git_missing", "git was not found on PATH. Install git, or work without it.");
}

function meterOutput(
  meter: { bytes: number; cut: boolean; pieces: Buffer[] },
  piece: Buffer,
  limit: number,
  stop: AbortController,
): void {
  if (meter.cut) return;
  meter.pieces.push(meter.bytes + piece.length > limit ? piece.subarray(0, limit - meter.bytes) : piece);
  meter.bytes += piece.length;
  if (meter.bytes <= limit) return;
  meter.cut = true;
  stop.abort();
}

/** Waits for git, but not after an abort: a child of git's that keeps a pipe open must not hold us. */
async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal | undefined, stop: () => void): Promise<T> {
  if (!signal) return work;
  let onAbort = () => {};
  const abort = new Promise<never>((_, reject) => {
    onAbort = () => {
      stop();
      reject(aborted());
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function aborted(): ZqError {
  return new ZqError("aborted", "git was stopped.");
}

function failed(command: string, words: string): ZqError {
  return new ZqError("git_failed", `git ${command} failed: ${words.trim().slice(0, 600) || "no reason given"}`);
}

/** A place to run the built command in: a project, a home of its own, and a scripted model to talk to. */

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ModelServer, type ModelServerOptions } from "../../src/cli/demo/ModelServer";
import type { Script } from "../../src/cli/demo/script";
import { type Pty, startPty } from "../support/pty";

export const BIN = join(import.meta.dirname, "..", "..", "bin", "zqagent.js");

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Workshop {
  cwd: string;
  home: string;
  server: ModelServer;
  env: NodeJS.ProcessEnv;
  /** Runs the command without a terminal; `input` is its stdin (default: none). */
  run(args: string[], options?: RunOptions): Promise<Finished>;
  /** Starts it on a terminal. */
  open(args?: string[], options?: OpenOptions): Pty;
  read(path: string): string;
  has(path: string): boolean;
  /** The ids of the sessions kept so far. */
  sessions(): string[];
}

interface RunOptions {
  input?: string;
  /** The Node that runs it; default: the one of the tests. */
  node?: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Called with the child's pid as soon as it runs. */
  started?: (pid: number) => void;
}

interface OpenOptions {
  cols?: number;
  rows?: number;
  env?: NodeJS.ProcessEnv;
  node?: string;
}

/** Makes a workshop that goes away with the test. */
export async function openWorkshop(
  files: Record<string, string>,
  script: Script,
  options: ModelServerOptions = {},
): Promise<Workshop> {
  const root = mkdtempSync(join(tmpdir(), "zqagent-e2e-"));
  const cwd = join(root, "project");
  const home = join(root, "home");
  for (const folder of [cwd, home]) mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const server = new ModelServer(script, { strict: true, side: [{ text: "A name" }], ...options });
  const { url } = await server.start();
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    ZQAGENT_HOME: join(home, ".zqagent"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    GIT_CONFIG_NOSYSTEM: "1",
    NETWORK_RETRY_BASE_MS: "10",
    OPENAI_API_KEY: "test-key",
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: "scripted",
  };
  onTestFinished(async () => {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    cwd,
    home,
    server,
    env,
    run: (args, runOptions = {}) => runCommand(args, { cwd, ...runOptions, env: { ...env, ...runOptions.env } }),
    open: (args = [], { node = process.execPath, cols = 80, rows = 24, env: more } = {}) => {
      const pty = startPty(node, [BIN, ...args], { cols, rows, cwd, env: { ...env, ...more } });
      onTestFinished(() => pty.kill());
      return pty;
    },
    read: (path) => readFileSync(join(cwd, path), "utf8"),
    has: (path) => existsSync(join(cwd, path)),
    sessions: () => {
      const folder = join(home, ".zqagent", "sessions");
      return existsSync(folder) ? readdirSync(folder).sort() : [];
    },
  };
}

function runCommand(args: string[], options: RunOptions & { cwd: string; env: NodeJS.ProcessEnv }): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const stdin = options.input === undefined ? "ignore" : "pipe";
    const child = spawn(options.node ?? process.execPath, [BIN, ...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: [stdin, "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    if (options.input !== undefined) child.stdin?.end(options.input);
    if (child.pid !== undefined) options.started?.(child.pid);
  });
}

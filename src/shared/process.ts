/** Starts a command in a process group of its own and ends it as a whole; waits for its exit, never for its pipes. */

import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import type { Environment } from "./env";
import { isTreeAlive, killTreeNow, MARKER, type ProcessTree, stopTree } from "./processTree";

export interface ProcessOptions {
  /** Absolute. */
  cwd: string;
  /** The whole environment of the child; nothing is inherited beside it. */
  env: Environment;
  /** Called for every piece of output, in order of arrival. */
  onData(stream: "stdout" | "stderr", chunk: Buffer): void;
}

/** How the first process of a command ended. Neither code nor signal: it could not be started, see `error`. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: Error;
  /** Something that the command started is still running. */
  leftBehind?: boolean;
}

/** A command under way. */
export interface RunningProcess {
  readonly pid: number | undefined;
  /**
   * Resolves when the first process has ended and its pipes are read, or 300 ms later, or when `stop` is done: somebody
   * else may hold the pipes, but nothing of ours writes into them any more. Never rejects.
   */
  readonly ended: Promise<ProcessEnd>;
  /** Resolves when both pipes are closed, which a child left behind may delay for ever. */
  readonly closed: Promise<void>;
  /** True while anything that the command started is running. */
  isAlive(): boolean;
  /** Ends all that the command started (TERM, two seconds later KILL), and resolves when it is gone. */
  stop(): Promise<void>;
  /** Stops reading: what is left behind writes into a closed pipe. */
  release(): void;
  /** Lets our own process end while this one runs; it is ended then. */
  unref(): void;
}

/** How long output is still read after the exit, in milliseconds. */
const DRAIN_MS = 300;

/** Starts `argv` with closed stdin. A program that cannot be started is told by `ended`. */
export async function startProcess(argv: readonly string[], options: ProcessOptions): Promise<RunningProcess> {
  const { execa } = await import("execa");
  const marker = randomBytes(9).toString("base64url");
  const [file = "", ...args] = argv;
  const child = execa(file, args, {
    cwd: options.cwd,
    env: { ...options.env, [MARKER]: marker },
    extendEnv: false,
    // Its own session: no terminal to read from, and one signal reaches the whole group.
    detached: process.platform !== "win32",
    stdin: "ignore",
    buffer: false,
    reject: false,
    // Ending processes is our work: execa would signal the first one only and then wait for whoever holds the pipe.
    cleanup: false,
    windowsHide: true,
    windowsVerbatimArguments: /(^|[\\/])cmd(\.exe)?$/i.test(file),
  });
  const pipes = [child.stdout, child.stderr];
  child.stdout.on("data", (chunk: Buffer) => options.onData("stdout", chunk));
  child.stderr.on("data", (chunk: Buffer) => options.onData("stderr", chunk));
  const closed = Promise.all(pipes.map((pipe) => new Promise<void>((resolve) => pipe.once("close", () => resolve()))));
  const tree: ProcessTree | null = child.pid === undefined ? null : { pid: child.pid, marker };
  if (tree) keepTrack(tree);
  let tellStopped = () => {};
  const stopped = new Promise<void>((resolve) => {
    tellStopped = resolve;
  });
  const exit = new Promise<ProcessEnd>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    // Without an `exit` event it never started. The promise is not awaited otherwise: it waits for the pipes.
    child.then(
      (result) => resolve({ code: result.exitCode ?? null, signal: null, error: causeOf(result) }),
      (error: unknown) => resolve({ code: null, signal: null, error: error instanceof Error ? error : undefined }),
    );
  });
  return {
    pid: child.pid,
    ended: exit.then(async (end) => {
      if (tree) await Promise.race([closed, pause(DRAIN_MS), stopped.then(readOut)]);
      if (tree && isTreeAlive(tree)) return { ...end, leftBehind: true };
      if (tree) forget(tree);
      return end;
    }),
    closed: tree ? closed.then(() => undefined) : Promise.resolve(),
    isAlive: () => tree !== null && isTreeAlive(tree),
    stop: async () => {
      if (!tree) return;
      await stopTree(tree, exit);
      forget(tree);
      tellStopped();
    },
    release: () => {
      for (const pipe of pipes) pipe.destroy();
    },
    unref: () => {
      child.unref();
      for (const pipe of pipes) if (pipe instanceof Socket) pipe.unref();
    },
  };
}

function causeOf(result: unknown): Error | undefined {
  if (!(result instanceof Error)) return undefined;
  return result.cause instanceof Error ? result.cause : result;
}

/** What is running now: ended at once when our own process exits, so that nothing is left behind. */
const running = new Set<ProcessTree>();

/** From here on the tree is ended with our own process, until `forget`. */
export function keepTrack(tree: ProcessTree): void {
  if (running.size === 0) process.on("exit", endAll);
  running.add(tree);
}

export function forget(tree: ProcessTree): void {
  running.delete(tree);
  if (running.size === 0) process.off("exit", endAll);
}

function endAll(): void {
  for (const tree of running) killTreeNow(tree);
}

/** Lets the event loop read what the pipes of a dead process still hold; the first turn may end before its read. */
async function readOut(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Waits without keeping the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

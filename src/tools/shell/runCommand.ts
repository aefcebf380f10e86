/** Starts one command line and waits for its end, its time limit, or an interrupt, whichever is first. */

import type { Environment } from "../../shared/env";
import { type ProcessEnd, type RunningProcess, startProcess } from "../../shared/process";
import { CommandOutput } from "./CommandOutput";

/** A command under way, with what it printed. */
export interface CommandRun {
  command: string;
  process: RunningProcess;
  output: CommandOutput;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Resolves when the shell has ended and `output` is complete as far as it goes. Never rejects. */
  ended: Promise<ProcessEnd>;
}

export interface CommandOptions {
  argv: readonly string[];
  cwd: string;
  env: Environment;
  /** Where output goes that outgrows memory. */
  file?: string;
  /** Told of text as it comes. */
  onText?(text: string): void;
}

export async function startCommand(command: string, options: CommandOptions): Promise<CommandRun> {
  const output = new CommandOutput(options.file);
  if (options.onText) output.onText(options.onText);
  const startedAt = Date.now();
  const process = await startProcess(options.argv, {
    cwd: options.cwd,
    env: options.env,
    onData: (pipe, chunk) => output.feed(pipe, chunk),
  });
  return { command, process, output, startedAt, ended: process.ended };
}

export type Outcome = { how: "ended" | "timeout" | "interrupted"; end: ProcessEnd | null };

/** Waits; at the limit and at an interrupt the whole tree is stopped before this returns. */
export async function awaitCommand(
  run: CommandRun,
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<Outcome> {
  const how = await firstOf(run.ended, limits);
  if (how === "ended") return { how, end: await run.ended };
  await run.process.stop();
  // A process in an uninterruptible wait outlives even SIGKILL; we do not.
  const end = await Promise.race([run.ended, pause(1000).then(() => null)]);
  return { how, end };
}

/** Which comes first: the end of `work`, the limit, or the interrupt. */
export function firstOf(
  work: Promise<unknown>,
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<Outcome["how"]> {
  return new Promise((resolve) => {
    const settle = (how: Outcome["how"]) => {
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", interrupt);
      resolve(how);
    };
    const interrupt = () => settle("interrupted");
    const timer = setTimeout(() => settle("timeout"), limits.timeoutMs);
    if (limits.signal?.aborted) return interrupt();
    limits.signal?.addEventListener("abort", interrupt);
    work.then(
      () => settle("ended"),
      () => settle("ended"),
    );
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** One run of ripgrep: its output goes to a reader, which may have enough at any moment. */

import { spawn } from "node:child_process";
import { messageOf, ZqError } from "../../shared/errors";

/** Takes standard output piece by piece. `isFull`: no more is wanted. */
export interface OutputReader {
  readonly isFull: boolean;
  take(piece: string): void;
}

export interface RipgrepEnd {
  stderr: string;
  isTimedOut: boolean;
  seconds: number;
}

const MAX_MS = 60_000;
const MAX_STDERR_CHARS = 20_000;
/** The words of a ripgrep that is too old for our flags. */
const MISUSED = /unrecognized flag|unexpected argument|Found argument/i;

/** Resolves when ripgrep has ended, by itself or by us. Throws `ZqError` (`RipgrepFailed`) when it cannot do its work. */
export function runRipgrep(
  program: string,
  args: string[],
  { cwd, reader, signal, maxMs = MAX_MS }: { cwd: string; reader: OutputReader; signal?: AbortSignal; maxMs?: number },
): Promise<RipgrepEnd> {
  const { promise, resolve, reject } = deferred<RipgrepEnd>();
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  const end: RipgrepEnd = { stderr: "", isTimedOut: false, seconds: maxMs / 1000 };
  const stop = () => child.kill("SIGKILL");
  const timer = setTimeout(() => {
    end.isTimedOut = true;
    stop();
  }, maxMs);
  signal?.addEventListener("abort", stop, { once: true });
  // Without free descriptors there are no pipes, only the error event.
  child.once("error", (error) => reject(new ZqError("RipgrepFailed", `ripgrep did not start: ${messageOf(error)}`)));
  child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
    if (!reader.isFull) reader.take(piece);
    if (reader.isFull) stop();
  });
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    if (end.stderr.length < MAX_STDERR_CHARS) end.stderr += piece;
  });
  child.once("close", (code, endedBy) => {
    // Its own codes end at 2; a crash, a shell that stands in for it, and wrong flags are none of them.
    const isBroken = !child.killed && (endedBy !== null || (code ?? 0) > 2 || (code === 2 && MISUSED.test(end.stderr)));
    if (isBroken) reject(new ZqError("RipgrepFailed", `ripgrep failed: ${endedBy ?? end.stderr.slice(0, 200).trim()}`));
    else resolve(end);
  });
  if (signal?.aborted) stop();
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  });
}

function deferred<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: Error): void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

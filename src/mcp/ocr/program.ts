/** Runs a local program on a picture: a private copy of it, no terminal, a time limit, and the whole tree ended at its end. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildChildEnvironment } from "../../shared/childEnvironment";
import type { Environment } from "../../shared/env";
import { startProcess } from "../../shared/process";

const LIMIT_MS = 120_000;
const MAX_OUTPUT = 4 * 1024 * 1024;

export interface ProgramOptions {
  env: Environment;
  signal?: AbortSignal;
}

/** Writes bytes to a file that only we can read, for as long as `work` takes. */
export async function withFile<T>(name: string, bytes: Buffer, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "zqagent-ocr-"));
  try {
    const path = join(folder, name);
    await writeFile(path, bytes, { mode: 0o600 });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the program prints on standard output. Throws with its last words where it fails. */
export async function outputOf(argv: readonly string[], { env, signal }: ProgramOptions): Promise<string> {
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let size = 0;
  const child = await startProcess(argv, {
    cwd: tmpdir(),
    env: buildChildEnvironment({ parent: env }),
    onData: (stream, chunk) => {
      size += chunk.length;
      if (size <= MAX_OUTPUT) said[stream].push(chunk);
    },
  });
  const stop = () => void child.stop();
  const timer = setTimeout(stop, LIMIT_MS);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    const { code, signal: killed, error } = await child.ended;
    if (code === 0) return Buffer.concat(said.stdout).toString("utf8");
    const words = Buffer.concat(said.stderr).toString("utf8").trim().slice(-300);
    throw new Error(error?.message ?? `it ended with ${killed ?? `code ${code}`}${words ? `: ${words}` : ""}`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await child.stop();
  }
}

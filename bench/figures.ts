/** Taking figures that can be trusted on a noisy machine: interleaved runs, medians, CPU before wall, ratios. */

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Run {
  /** Milliseconds of CPU: user and system, children included. */
  cpu: number;
  /** Milliseconds on the clock. */
  wall: number;
  /** Megabytes of memory at most, where they were taken. */
  rss?: number;
}

/** One line of the table: a figure, its goal, and whether it was met. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  goal: number;
}

/** Goals in milliseconds hold where `node -e 0` takes 30 ms; elsewhere they grow with it. */
export const REFERENCE_UNIT = "ms at 30 ms node -e 0";

/** Milliseconds as they would be where `node -e 0` takes 30 ms; `empty`: what it takes here, in the same run. */
export function inReference(ms: number, empty: number): number {
  return (ms * 30) / empty;
}

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
};

/** Runs each of the works in turn, `runs` times after one warm-up round that is not counted. */
export async function interleaved<K extends string>(
  works: Record<K, () => Promise<Run>>,
  runs: number,
): Promise<Record<K, Run>> {
  const names = Object.keys(works) as K[];
  const rows = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as unknown as Record<K, Run[]>;
  for (let round = 0; round <= runs; round++) {
    for (const name of names) {
      const run = await works[name]();
      if (round > 0) rows[name].push(run);
    }
  }
  const middle = (name: K): Run => ({
    cpu: median(rows[name].map((run) => run.cpu)),
    wall: median(rows[name].map((run) => run.wall)),
    rss: median(rows[name].map((run) => run.rss ?? Number.NaN)),
  });
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Record<K, Run>;
}

/** Runs a command to its end; bash's `time` tells the CPU of it and of all it waited for. Rejects on another exit code. */
export function timed(
  command: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; code?: number },
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const script = 'TIMEFORMAT="ZQTIME %R %U %S"; time "$@" </dev/null';
    const child = spawn("bash", ["-c", script, "bash", ...command], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const times = /ZQTIME ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr);
      if (code !== (options.code ?? 0) || !times)
        return reject(new Error(`${command.join(" ")} ended with ${code}: ${stderr}`));
      const [wall, user, system] = times.slice(1).map((text) => Number(text) * 1000) as [number, number, number];
      resolve({ wall, cpu: user + system });
    });
  });
}

/** A fresh home and workspace, and an environment that holds nothing of the developer's. */
export function surroundings(url: string): { cwd: string; home: string; env: NodeJS.ProcessEnv } {
  const cwd = mkdtempSync(join(tmpdir(), "zqagent-bench-ws-"));
  const home = mkdtempSync(join(tmpdir(), "zqagent-bench-home-"));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: "scripted",
  };
  return { cwd, home, env };
}

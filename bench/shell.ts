/** What run_shell promises about time and memory: limits that hold, a background child that does not, much output. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measured } from "./client";
import { type Figure, interleaved } from "./figures";

export async function measureShell(runs: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-bench-shell-"));
  const shell = (command: string, timeoutMs?: number) => () =>
    measured("shell", folder, command, ...(timeoutMs === undefined ? [] : [String(timeoutMs)]));
  try {
    const found = await interleaved(
      {
        timeout: shell("sleep 63 & sleep 64", 1_000),
        background: shell("sleep 3 & echo hi"),
        some: shell(flood(100)),
        much: shell(flood(200)),
      },
      Math.min(runs, 3),
    );
    const growth = (found.much.rss ?? Number.NaN) / (found.some.rss ?? Number.NaN);
    return [
      { name: "shell: a time limit of 1 s over two sleepers", value: found.timeout.wall, unit: "ms", goal: 1_700 },
      { name: "shell: `sleep 3 & echo hi`", value: found.background.wall, unit: "ms", goal: 500 },
      { name: "shell: memory of 200 MB of output to that of 100 MB", value: growth, unit: "×", goal: 1.2 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function flood(megabytes: number): string {
  return `yes "one of very many lines, as a build or a test prints them" | head -c ${megabytes * 1_000_000}`;
}

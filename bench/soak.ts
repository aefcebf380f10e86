/** A thousand turns over a server that fails in every way: nothing may hang, break the history, stay behind, or grow. */

import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SoakReport } from "../test/support/soak";
import { bundled } from "./bundle";
import type { Figure } from "./figures";

const TURNS = 1_000;
const SEED = 20_261_201;

export async function measureSoak(): Promise<Figure[]> {
  const report = await runSoak();
  const { requests, ends, errors, leaked, heap } = report;
  const words = `${JSON.stringify(ends)}, errors on the way ${JSON.stringify(errors)}`;
  console.log(`soak: ${report.turns} turns, ${requests} requests, ${words}`);
  const [, early = Number.NaN] = heap;
  return [
    { name: "soak: turns that hung", value: report.hangs, unit: "turns", goal: 0 },
    // The faults are one reply in three: more failures than this mean that something else is wrong.
    { name: "soak: turns given up", value: ends["error"] ?? 0, unit: "turns", goal: TURNS / 5 },
    { name: "soak: refused histories", value: report.refusedHistories.length, unit: "requests", goal: 0 },
    { name: "soak: sockets and timers left", value: leaked.length, unit: "kinds", goal: 0 },
    {
      name: "soak: heap at the end to a fifth of the way",
      value: (heap.at(-1) ?? Number.NaN) / early,
      unit: "×",
      goal: 1.3,
    },
  ];
}

async function runSoak(): Promise<SoakReport> {
  const folder = await bundled("soak");
  try {
    const args = ["--expose-gc", join(folder, "soak.mjs"), String(TURNS), String(SEED)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as SoakReport;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How soon a turn ends when it is interrupted: in each part of a model call, and while a command runs that dies when asked. */

import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundled } from "./bundle";
import { type Figure, inReference, median, REFERENCE_UNIT, surroundings, timed } from "./figures";

const EMPTY = [process.execPath, "-e", "0"];
const GOAL_MS = 200;

export async function measureInterrupt(runs: number): Promise<Figure[]> {
  const folder = await bundled("interrupt");
  const place = surroundings("http://127.0.0.1:9/v1");
  try {
    const before = await timed(EMPTY, place);
    const args = [join(folder, "interrupt.mjs"), String(Math.min(runs, 10))];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: place.env });
    const empty = median([before.wall, (await timed(EMPTY, place)).wall]);
    const found = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, number[]>;
    return Object.entries(found).map(([name, latencies]) => ({
      name: `interrupt, ${name}: to the end of the turn, slowest`,
      value: inReference(Math.max(...latencies), empty),
      unit: REFERENCE_UNIT,
      goal: GOAL_MS,
    }));
  } finally {
    for (const path of [folder, place.cwd, place.home]) rmSync(path, { recursive: true, force: true });
  }
}

/** A thousand turns over a server that fails in every way: nothing may hang, break the history, stay behind, or grow. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { soak } from "../test/support/soak";
import type { Figure } from "./figures";

const TURNS = 1_000;
const SEED = 20_261_201;

export async function measureSoak(): Promise<Figure[]> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const take = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const report = await soak({ turns: TURNS, seed: SEED, heap: { every: 100, take } });
  console.log(
    `soak: ${report.turns} turns, ${report.requests} requests, ${JSON.stringify(report.ends)}, errors on the way ${JSON.stringify(report.errors)}, ${report.leaked.join(", ") || "nothing left behind"}`,
  );
  const [, early = Number.NaN] = report.heap;
  const late = report.heap.at(-1) ?? Number.NaN;
  return [
    { name: "soak: turns that hung", value: report.hangs, unit: "of 1,000", goal: 0 },
    // The faults are one reply in three: more failures than this mean that something else is wrong.
    { name: "soak: turns given up", value: report.ends["error"] ?? 0, unit: "of 1,000", goal: 200 },
    { name: "soak: refused histories", value: report.refusedHistories.length, unit: "requests", goal: 0 },
    { name: "soak: sockets and timers left", value: report.leaked.length, unit: "kinds", goal: 0 },
    { name: "soak: heap, turn 1,000 to 200", value: late / early, unit: "×", goal: 1.3 },
  ];
}

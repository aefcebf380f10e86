/** The measures of `npm run bench`, one table; exit code 1 when a goal is missed. */

import { cpus, loadavg } from "node:os";
import { measureBigFile } from "./bigFile";
import { measurePipedTurn, measureVersion } from "./command";
import type { Figure } from "./figures";
import { measureGrep } from "./grep";
import { measureHistory } from "./history";
import { measureInterrupt } from "./interrupt";
import { measureLongLoop, measureLoop } from "./loop";
import { measureProvider } from "./provider";
import { measureFirstKey } from "./screen";
import { measureShell } from "./shell";
import { measureSoak } from "./soak";

const MEASURES: Record<string, (runs: number) => Promise<Figure[]>> = {
  version: measureVersion,
  key: measureFirstKey,
  turn: measurePipedTurn,
  provider: measureProvider,
  loop: measureLoop,
  loop1000: measureLongLoop,
  history: measureHistory,
  interrupt: measureInterrupt,
  grep: measureGrep,
  bigfile: measureBigFile,
  shell: measureShell,
  soak: measureSoak,
};

export async function main(args: string[]): Promise<number> {
  const at = args.indexOf("--runs");
  const runs = at < 0 ? 15 : Number(args[at + 1]);
  const wanted = args.filter((arg, index) => arg in MEASURES && (at < 0 || index !== at + 1));
  const figures: Figure[] = [];
  for (const name of wanted.length > 0 ? wanted : Object.keys(MEASURES)) {
    figures.push(...((await MEASURES[name]?.(runs)) ?? []));
  }
  print(figures, runs);
  return figures.every((figure) => figure.value <= figure.goal) ? 0 : 1;
}

function print(figures: Figure[], runs: number): void {
  const width = Math.max(...figures.map((figure) => figure.name.length));
  for (const { name, value, unit, goal } of figures) {
    const met = value <= goal ? "met" : "MISSED";
    console.log(`${name.padEnd(width)}  ${value.toFixed(2).padStart(8)} ${unit}  goal ≤ ${goal} ${unit}  ${met}`);
  }
  console.log(
    `\nMedians of ${runs} interleaved runs, one more as a warm-up. Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}.`,
  );
}

/** The agent loop as its model server sees it: the gap between a reply and the next request, CPU and memory of many steps. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundle";
import { type Figure, inReference, median, REFERENCE_UNIT, type Run, surroundings, timed } from "./figures";
import { LoopServer } from "./LoopServer";
import { writeNotes } from "./notes";

const bin = join(import.meta.dirname, "..", "bin", "zqagent.js");
const peakHook = join(import.meta.dirname, "clients", "peak.cjs");
const EMPTY = [process.execPath, "-e", "0"];

interface LoopRun extends Run {
  gaps: number[];
  /** Megabytes. */
  peak: number;
}

type Place = ReturnType<typeof surroundings>;
type Command = (place: Place) => string[];

const command: Command = () => [bin, "-p", "Read all the notes.", "--mode", "auto"];

export async function measureLoop(runs: number): Promise<Figure[]> {
  const folder = await bundled("engineLoop");
  const library: Command = ({ cwd, home }) => [join(folder, "engineLoop.mjs"), cwd, home];
  try {
    const short = await measureSteps({ steps: 50, runs: Math.min(runs, 5), commands: { command } });
    const long = await measureSteps({ steps: 200, runs: Math.min(runs, 5), commands: { command, library } });
    return [
      ...gapFigures("50 steps", short.command, short.empty),
      ...gapFigures("200 steps", long.command, long.empty),
      ...longFigures("200 steps", long.command),
      {
        name: "200 steps: CPU",
        value: inReference(middle(long.command, "cpu"), middle(long.empty, "cpu")),
        unit: REFERENCE_UNIT,
        goal: 1_500,
      },
      { name: "200 steps: memory", value: middle(long.command, "peak"), unit: "MB", goal: 130 },
      ...gapFigures("200 steps, library alone", long.library, long.empty),
      ...longFigures("200 steps, library alone", long.library),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureLongLoop(runs: number): Promise<Figure[]> {
  const found = await measureSteps({ steps: 1_000, runs: Math.min(runs, 3), commands: { command } });
  const last = median(found.command.map((run) => median(run.gaps.slice(-50))));
  return [
    {
      name: "1000 steps: median of the last 50 gaps",
      value: inReference(last, middle(found.empty, "wall")),
      unit: REFERENCE_UNIT,
      goal: 10,
    },
    { name: "1000 steps: memory", value: middle(found.command, "peak"), unit: "MB", goal: 220 },
  ];
}

interface Steps<K extends string> {
  steps: number;
  runs: number;
  commands: Record<K, Command>;
}

/** Each command in turn with empty processes around it, after one round that is not counted. */
async function measureSteps<K extends string>({ steps, runs, commands }: Steps<K>) {
  const server = await LoopServer.start();
  const names = Object.keys(commands) as K[];
  const rows = Object.fromEntries(names.map((name) => [name, [] as LoopRun[]])) as unknown as Record<K, LoopRun[]>;
  const empty: Run[] = [];
  const places = new Map(names.map((name) => [name, placeFor(server.url, steps)]));
  try {
    for (let round = 0; round <= runs; round += 1) {
      for (const name of names) {
        const place = places.get(name) as Place;
        const before = await timed(EMPTY, place);
        const run = await loopRun(server, { steps, place, argv: commands[name](place) });
        const after = await timed(EMPTY, place);
        if (round === 0) continue;
        rows[name].push(run);
        empty.push(before, after);
      }
    }
  } finally {
    server.close();
    for (const { cwd, home } of places.values())
      for (const folder of [cwd, home]) rmSync(folder, { recursive: true, force: true });
  }
  return { ...rows, empty };
}

function placeFor(url: string, steps: number): Place {
  const place = surroundings(url);
  writeNotes(place.cwd, steps);
  return place;
}

async function loopRun(server: LoopServer, options: { steps: number; place: Place; argv: string[] }): Promise<LoopRun> {
  const { steps, place, argv } = options;
  const folder = mkdtempSync(join(tmpdir(), "zqagent-bench-peak-"));
  const file = join(folder, "peak");
  const env = { ...place.env, MAX_ITERATIONS: String(steps + 10), ZQBENCH_PEAK: file };
  await server.script(steps);
  const run = await timed([process.execPath, "--require", peakHook, ...argv], { ...place, env });
  const { gaps, resultsBack } = await server.figures();
  if (resultsBack !== steps) throw new Error(`${resultsBack} of ${steps} results came back to the model.`);
  const peak = Number(readFileSync(file, "utf8")) / 1024;
  rmSync(folder, { recursive: true, force: true });
  return { ...run, gaps, peak };
}

function gapFigures(name: string, runs: LoopRun[], empty: Run[]): Figure[] {
  const scaled = (ms: number) => inReference(ms, middle(empty, "wall"));
  const p95 = median(runs.map(({ gaps }) => percentile(gaps, 0.95)));
  return [
    {
      name: `${name}: gap between reply and next request, median`,
      value: scaled(median(runs.map(({ gaps }) => median(gaps)))),
      unit: REFERENCE_UNIT,
      goal: 4,
    },
    { name: `${name}: gap, 95 of 100 below`, value: scaled(p95), unit: REFERENCE_UNIT, goal: 10 },
  ];
}

function longFigures(name: string, runs: LoopRun[]): Figure[] {
  const growth = runs.map(({ gaps }) => median(gaps.slice(-50)) / median(gaps.slice(0, 50)));
  return [{ name: `${name}: last 50 gaps to first 50`, value: median(growth), unit: "×", goal: 1.2 }];
}

function middle<K extends string>(runs: Record<K, number>[], key: K): number {
  return median(runs.map((run) => run[key]));
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

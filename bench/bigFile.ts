/** A page of a file of 50 MB, and one edit in it, against the least programs that read and write it plainly. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measured } from "./client";
import { type Figure, interleaved, type Run } from "./figures";

const MEGABYTE = 1024 * 1024;
const SIZE = 50;
/** What the edit changes, and back. */
const MARKED = "const wanted = 1;\n";

const LINES: Record<string, (at: number) => string> = {
  ASCII: (at) => `  const value${at} = compute(${at}, "some text here", { flag: true });\n`,
  Chinese: (at) => `  // 第${at}行：这里是一些中文注释，用来说明下面的代码做什么，以及为什么这样做。\n`,
};

const JOBS = ["plainBytes", "plainText", "readBytes", "readText", "replace", "patch", "page", "deepPage", "lastPage"];

export async function measureBigFile(runs: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-bench-big-"));
  const figures: Figure[] = [];
  try {
    for (const [kind, line] of Object.entries(LINES)) {
      const path = join(folder, `${kind}.ts`);
      const at = writeBigFile(path, line);
      const works = JOBS.map((job) => [job, () => measured("bigFile", job, path, String(at))] as const);
      const found = await interleaved(Object.fromEntries(works), Math.min(runs, 5));
      figures.push(...editFigures(`50 MB ${kind}`, found), ...pageFigures(`50 MB ${kind}`, found));
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the byte at which the marked line stands, behind the middle. */
function writeBigFile(path: string, line: (at: number) => string): number {
  const lines: string[] = [];
  let size = 0;
  let marked = 0;
  for (let at = 0; size < SIZE * MEGABYTE; at++) {
    const isHere = marked === 0 && size > SIZE * MEGABYTE * 0.55;
    const text = isHere ? MARKED : line(at);
    if (isHere) marked = size;
    lines.push(text);
    size += Buffer.byteLength(text);
  }
  writeFileSync(path, lines.join(""));
  return marked;
}

type Found = Record<string, Run>;

const BYTES = "× program on bytes";
const TEXT = "× program on text";

function editFigures(name: string, found: Found): Figure[] {
  const row = (what: string, key: "cpu" | "wall", [job, base]: [string, string], unit: string): Figure => ({
    name: `${name}: ${what}`,
    value: figureOf(found, job, key) / figureOf(found, base, key),
    unit,
    goal: 1.5,
  });
  return [
    row("edit, CPU", "cpu", ["replace", "plainBytes"], BYTES),
    row("edit, wall", "wall", ["replace", "plainBytes"], BYTES),
    row("edit, CPU", "cpu", ["replace", "plainText"], TEXT),
    row("patch, CPU", "cpu", ["patch", "plainBytes"], BYTES),
    { name: `${name}: edit, memory`, value: figureOf(found, "replace", "rss") / SIZE, unit: "× its size", goal: 5 },
  ];
}

/** The dearest of three pages: the first, one from far down, the last. */
function pageFigures(name: string, found: Found): Figure[] {
  const dearest = (key: keyof Run) =>
    Math.max(...["page", "deepPage", "lastPage"].map((job) => figureOf(found, job, key)));
  const row = (base: string, unit: string): Figure => ({
    name: `${name}: page, CPU`,
    value: dearest("cpu") / figureOf(found, base, "cpu"),
    unit,
    goal: 1.5,
  });
  return [
    row("readBytes", BYTES),
    row("readText", TEXT),
    { name: `${name}: page, memory`, value: dearest("rss") / SIZE, unit: "× its size", goal: 5 },
  ];
}

function figureOf(found: Found, job: string, key: keyof Run): number {
  return found[job]?.[key] ?? Number.NaN;
}

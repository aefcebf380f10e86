/** grep on 100,000 files against ripgrep alone, both from a process that has searched before. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measured } from "./client";
import { type Figure, interleaved } from "./figures";

const FOLDERS = 1_000;
const FILES_EACH = 100;
const PATTERN = "needle";
/** Every so many files one holds the pattern, so that all of its lines are shown. */
const FILES_A_NEEDLE = 1_999;

export async function measureGrep(runs: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-bench-tree-"));
  try {
    writeTree(folder);
    const found = await interleaved(
      {
        ripgrep: () => measured("grep", "ripgrep", folder, PATTERN),
        tool: () => measured("grep", "tool", folder, PATTERN),
      },
      Math.min(runs, 3),
    );
    const unit = "× ripgrep";
    return [
      { name: "grep, 100,000 files: CPU", value: found.tool.cpu / found.ripgrep.cpu, unit, goal: 1.3 },
      { name: "grep, 100,000 files: wall", value: found.tool.wall / found.ripgrep.wall, unit, goal: 1.3 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeTree(root: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(root, `part${folder % 10}`, `unit${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_EACH; file++) {
      const number = folder * FILES_EACH + file;
      writeFileSync(join(path, `file${file}.ts`), contentOf(number));
    }
  }
}

function contentOf(number: number): string {
  const lines = Array.from({ length: 12 }, (_, at) => `export const value${number}_${at} = compute(${at}, "text");\n`);
  return lines.join("") + (number % FILES_A_NEEDLE === 0 ? `// a ${PATTERN} lies here\n` : "");
}

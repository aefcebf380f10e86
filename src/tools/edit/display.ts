/** What the screen shows of an edit: a unified diff of every file, cut where it gets long. */

import type { Draft } from "./Draft";
import { type ChangedBlock, changedBlocks } from "./lineDiff";

/** One changed file. `diff` holds hunks only (`@@ …` and lines with ` `, `+`, `-`). Paths as the workspace shows them. */
export interface DiffDisplayFile {
  path: string;
  diff: string;
  added: number;
  removed: number;
  created?: boolean;
  deleted?: boolean;
  movedTo?: string;
}

/** The `display` of the four write tools. */
export interface DiffDisplay {
  kind: "diff";
  files: DiffDisplayFile[];
}

const MAX_DIFF_LINES = 400;
const MAX_LINE = 2_000;

/** True for the `display` of an edit, wherever it comes from. */
export function isDiffDisplay(value: unknown): value is DiffDisplay {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "diff" && "files" in value;
}

export function buildDisplayFile(draft: Draft, blocks: readonly ChangedBlock[], movedFrom?: string): DiffDisplayFile {
  const shown = draft.target.shown;
  return {
    path: movedFrom ?? shown,
    diff: renderBlocks(blocks),
    added: sum(blocks, "added"),
    removed: sum(blocks, "removed"),
    ...(draft.original === null && movedFrom === undefined ? { created: true } : {}),
    ...(draft.exists ? {} : { deleted: true }),
    ...(movedFrom === undefined ? {} : { movedTo: shown }),
  };
}

/** Hunks of a diff between two texts. */
export async function renderDiff(before: string, after: string): Promise<string> {
  return renderBlocks(await changedBlocks(before, [{ start: 0, end: before.length, text: after }]));
}

export function renderBlocks(blocks: readonly ChangedBlock[]): string {
  const lines = blocks.flatMap((block) => [header(block), ...block.lines.map(renderLine)]);
  if (lines.length <= MAX_DIFF_LINES) return lines.join("\n");
  return [...lines.slice(0, MAX_DIFF_LINES), `[${lines.length - MAX_DIFF_LINES} more lines of the diff]`].join("\n");
}

export function sum(blocks: readonly ChangedBlock[], side: "added" | "removed"): number {
  return blocks.reduce((total, block) => total + block[side], 0);
}

function header(block: ChangedBlock): string {
  const old = block.lines.filter((line) => line.kind !== "+").length;
  const fresh = block.lines.filter((line) => line.kind !== "-").length;
  const start = (line: number, count: number) => (count === 0 ? line : line + 1);
  return `@@ -${start(block.oldStart, old)},${old} +${start(block.newStart, fresh)},${fresh} @@`;
}

function renderLine(line: { kind: string; text: string; lacksNewline?: boolean }): string {
  const text = line.text.length > MAX_LINE ? `${line.text.slice(0, MAX_LINE)}…` : line.text;
  return line.kind + text + (line.lacksNewline ? "\n\\ No newline at end of file" : "");
}

/** What the screen shows of an edit: a unified diff of every file, cut where it gets long. */

import type { Draft } from "./disk/Draft";
import { type ChangedBlock, type DiffRun, type LineChanges, lineChanges, shownLine } from "./text/lineDiff";

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

export function buildDisplayFile(draft: Draft, changes: LineChanges, movedFrom?: string): DiffDisplayFile {
  const shown = draft.target.shown;
  const { added, removed } = changes;
  return {
    path: movedFrom ?? shown,
    diff: renderBlocks(changes.blocks),
    added,
    removed,
    ...(draft.original === null && movedFrom === undefined ? { created: true } : {}),
    ...(draft.exists ? {} : { deleted: true }),
    ...(movedFrom === undefined ? {} : { movedTo: shown }),
  };
}

/** Hunks of a diff between two texts. */
export function renderDiff(before: string, after: string): string {
  const { blocks } = lineChanges(before, [{ start: 0, end: before.length, text: after }]);
  return renderBlocks(blocks);
}

function renderBlocks(blocks: readonly ChangedBlock[]): string {
  const lines: string[] = [];
  for (const block of blocks) {
    const carriageReturn = mixesEndings(block) ? "␍" : "";
    lines.push(header(block));
    for (const { kind, texts } of block.runs) {
      for (const text of texts.slice(0, MAX_DIFF_LINES + 1)) lines.push(...renderLine(kind + text, carriageReturn));
    }
    if (lines.length > MAX_DIFF_LINES) {
      return [...lines.slice(0, MAX_DIFF_LINES), "[the rest of the diff is not shown]"].join("\n");
    }
  }
  return lines.join("\n");
}

/** Only where changed lines differ in their line ends are these worth a mark. */
function mixesEndings({ runs }: ChangedBlock): boolean {
  const ends = runs.flatMap((run) => (run.kind === " " ? [] : run.texts.map((text) => text.endsWith("\r"))));
  return ends.includes(true) && ends.includes(false);
}

function header({ oldStart, newStart, runs }: ChangedBlock): string {
  const range = (start: number, without: DiffRun["kind"]) => {
    const count = runs.reduce((sum, run) => sum + (run.kind === without ? 0 : run.texts.length), 0);
    return `${count === 0 ? start : start + 1},${count}`;
  };
  return `@@ -${range(oldStart, "+")} +${range(newStart, "-")} @@`;
}

function renderLine(line: string, carriageReturn: string): string[] {
  const { text, lacksNewline } = shownLine(line);
  const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
  const shown = cut.replace(/\r$/, carriageReturn);
  return lacksNewline ? [shown, "\\ No newline at end of file"] : [shown];
}

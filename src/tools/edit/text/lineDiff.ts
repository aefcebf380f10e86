/** The changed lines of a file, found around its splices only, so that a small edit in a huge file stays cheap. */

import { markChangedLines } from "./changedLines";
import { applySplices, type Splice } from "./splices";

/** Lines of one kind in a row: kept, added or removed. */
export interface DiffRun {
  kind: " " | "+" | "-";
  texts: readonly string[];
}

/** One hunk: changed lines with up to three kept ones around them. Starts count from 0. */
export interface ChangedBlock {
  oldStart: number;
  newStart: number;
  runs: DiffRun[];
}

/** All of a file's changes. Of very many only the first blocks are kept; counts and ranges are always whole. */
export interface LineChanges {
  blocks: ChangedBlock[];
  added: number;
  removed: number;
  /** Changed lines of the new text, from 0; `count` 0: lines only went, behind line `start`. */
  ranges: { start: number; count: number }[];
}

const CONTEXT = 3;
/** Bounds what is kept in memory for showing. */
const MAX_KEPT_LINES = 3_000;
const MAX_GROUP = 500;
/** Marks a last line without newline, so that it differs from the same line with one. */
const OPEN = "\u0000";

/** Works out what lines a change touches. `splices` sorted and apart, on `before`, of which `firstLine` is the first. */
export function lineChanges(before: string, splices: readonly Splice[], firstLine = 0): LineChanges {
  const changes: LineChanges = { blocks: [], added: 0, removed: 0, ranges: [] };
  let kept = 0;
  let at = { offset: 0, line: firstLine, shift: 0 };
  for (const group of groupChanges(before, toWholeLines(before, splices))) {
    const line = at.line + countNewlines(before, at.offset, group.start);
    const runs = groupRuns(before, group);
    for (const block of toBlocks(runs, { old: line, fresh: line + at.shift })) {
      record(changes, block);
      if (kept < MAX_KEPT_LINES) changes.blocks.push(block);
      kept += block.runs.reduce((sum, run) => sum + run.texts.length, 0);
    }
    const grown = linesOf(runs, "+") - linesOf(runs, "-");
    at = { offset: group.end, line: line + linesOf(runs, " ") + linesOf(runs, "-"), shift: at.shift + grown };
  }
  return changes;
}

/** The text of a line, and whether it is a last one without newline. */
export function shownLine(text: string): { text: string; lacksNewline: boolean } {
  const lacksNewline = text.endsWith(OPEN);
  return { text: lacksNewline ? text.slice(0, -1) : text, lacksNewline };
}

function record(changes: LineChanges, block: ChangedBlock): void {
  let line = block.newStart;
  let open: { start: number; count: number } | undefined;
  for (const { kind, texts } of block.runs) {
    if (kind === " ") open = undefined;
    else if (!open) {
      const last = changes.ranges.at(-1);
      open = last && last.count > 0 && last.start + last.count === line ? last : { start: line, count: 0 };
      if (open !== last) changes.ranges.push(open);
    }
    if (kind === "+") changes.added += texts.length;
    if (kind === "-") changes.removed += texts.length;
    if (kind === "+" && open) open.count += texts.length;
    if (kind !== "-") line += texts.length;
  }
}

function linesOf(runs: readonly DiffRun[], kind: DiffRun["kind"]): number {
  return runs.reduce((sum, run) => sum + (run.kind === kind ? run.texts.length : 0), 0);
}

/** The same changes as replacements of whole lines, those that touch in one. What lies between is known to be kept. */
function toWholeLines(before: string, splices: readonly Splice[]): Splice[] {
  const places: { start: number; end: number; own: Splice[] }[] = [];
  for (const splice of splices) {
    const start = linesBack(before, splice.start, 0);
    const end = linesAhead(before, splice.end, 1);
    const last = places.at(-1);
    if (last && start <= last.end) {
      last.own.push(splice);
      last.end = Math.max(last.end, end);
    } else places.push({ start, end, own: [splice] });
  }
  return places.map(({ start, end, own }) => {
    const moved = own.map((one) => ({ start: one.start - start, end: one.end - start, text: one.text }));
    return { start, end, text: applySplices(before.slice(start, end), moved) };
  });
}

/** Changes whose surroundings meet, with these: `[start, end)` of the old text. */
interface Group {
  start: number;
  end: number;
  changes: Splice[];
}

function groupChanges(before: string, changes: readonly Splice[]): Group[] {
  const groups: Group[] = [];
  for (const change of changes) {
    const start = linesBack(before, change.start, CONTEXT);
    const end = linesAhead(before, change.end, CONTEXT);
    const last = groups.at(-1);
    if (last && start <= last.end && last.changes.length < MAX_GROUP) {
      last.changes.push(change);
      last.end = end;
      continue;
    }
    // A full group gives the lines between to the next one.
    if (last) last.end = Math.min(last.end, Math.max(start, last.changes.at(-1)?.end ?? 0));
    groups.push({ start: Math.max(start, last?.end ?? 0), end, changes: [change] });
  }
  return groups;
}

function groupRuns(before: string, { start, end, changes }: Group): DiffRun[] {
  const runs: DiffRun[] = [];
  let at = start;
  for (const change of changes) {
    addRun(runs, " ", splitLines(before.slice(at, change.start)));
    const old = splitLines(before.slice(change.start, change.end));
    const fresh = splitLines(change.text);
    const changed = markChangedLines(old, fresh);
    at = change.end;
    for (let [x, y] = [0, 0]; x < old.length || y < fresh.length; ) {
      const [fromX, fromY] = [x, y];
      while (changed.old[x] === 1) x++;
      while (changed.fresh[y] === 1) y++;
      addRun(runs, "-", old.slice(fromX, x));
      addRun(runs, "+", fresh.slice(fromY, y));
      const same = x;
      while (x < old.length && changed.old[x] === 0 && changed.fresh[y] === 0) [x, y] = [x + 1, y + 1];
      addRun(runs, " ", old.slice(same, x));
    }
  }
  addRun(runs, " ", splitLines(before.slice(at, end)));
  return runs;
}

function addRun(runs: DiffRun[], kind: DiffRun["kind"], texts: readonly string[]): void {
  const last = runs.at(-1);
  if (texts.length === 0) return;
  if (last?.kind === kind) last.texts = [...last.texts, ...texts];
  else runs.push({ kind, texts });
}

/** Start of the line that is `count` above the one with `offset`. */
function linesBack(text: string, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line <= count && at > 0; line++) {
    const found = text.lastIndexOf("\n", at - 1);
    if (line === count) return found + 1;
    at = Math.max(found, 0);
  }
  return at;
}

/** Behind the `count`th newline from `offset` on. */
function linesAhead(text: string, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line < count; line++) {
    const found = text.indexOf("\n", at);
    if (found === -1) return text.length;
    at = found + 1;
  }
  return at;
}

function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Line ends count: a line that only changes from CRLF to LF is a changed line. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop();
  return last === "" || last === undefined ? lines : [...lines, last + OPEN];
}

/** Cuts runs into hunks: a kept run longer than twice the context parts two of them. */
function toBlocks(runs: readonly DiffRun[], start: { old: number; fresh: number }): ChangedBlock[] {
  const blocks: ChangedBlock[] = [];
  let { old, fresh } = start;
  let open: ChangedBlock | undefined;
  for (const [at, { kind, texts }] of runs.entries()) {
    const isLast = at === runs.length - 1;
    if (kind === " " && open && !isLast && texts.length <= 2 * CONTEXT) open.runs.push({ kind, texts });
    else if (kind === " ") {
      if (open) open.runs.push({ kind, texts: texts.slice(0, CONTEXT) });
      open = undefined;
    } else {
      if (!open) {
        const before = runs[at - 1]?.texts.slice(-CONTEXT) ?? [];
        const context: DiffRun[] = before.length > 0 ? [{ kind: " ", texts: before }] : [];
        open = { oldStart: old - before.length, newStart: fresh - before.length, runs: context };
        blocks.push(open);
      }
      open.runs.push({ kind, texts });
    }
    if (kind !== "+") old += texts.length;
    if (kind !== "-") fresh += texts.length;
  }
  return blocks;
}

/** The changed lines of a file, found around its splices only, so that a small edit in a huge file stays cheap. */

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
/** Bounds the search for the shortest difference; beyond it everything counts as removed and added. */
const MAX_EDIT_LENGTH = 1_500;
const MAX_MILLISECONDS = 300;
/** Bounds what is kept in memory for showing. */
const MAX_KEPT_LINES = 3_000;
const MAX_GROUP = 500;
/** Marks a last line without newline, so that it differs from the same line with one. */
const OPEN = "\u0000";

/** Works out what lines a change touches. `splices` sorted and apart, on `before`, of which `firstLine` is the first. */
export async function lineChanges(before: string, splices: readonly Splice[], firstLine = 0): Promise<LineChanges> {
  const changes: LineChanges = { blocks: [], added: 0, removed: 0, ranges: [] };
  const deadline = performance.now() + MAX_MILLISECONDS;
  let kept = 0;
  let at = { offset: 0, line: firstLine, shift: 0 };
  for (const group of groupSplices(before, splices)) {
    const line = at.line + countNewlines(before, at.offset, group.start);
    const old = splitLines(before.slice(group.start, group.end));
    const fresh = splitLines(group.text);
    for (const block of toBlocks(await diffRuns(old, fresh, deadline), { old: line, fresh: line + at.shift })) {
      record(changes, block);
      if (kept < MAX_KEPT_LINES) changes.blocks.push(block);
      kept += block.runs.reduce((sum, run) => sum + run.texts.length, 0);
    }
    at = { offset: group.end, line: line + old.length, shift: at.shift + fresh.length - old.length };
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

interface Group {
  start: number;
  end: number;
  splices: Splice[];
}

/** Splices whose surroundings meet, widened to whole lines with context, as one replacement each. */
function groupSplices(before: string, splices: readonly Splice[]): Splice[] {
  const groups: Group[] = [];
  for (const splice of splices) {
    const start = linesBack(before, splice.start, CONTEXT);
    const last = groups.at(-1);
    if (last && start <= last.end && !isFull(before, last, splice)) {
      last.splices.push(splice);
      last.end = Math.max(last.end, linesAhead(before, splice.end, CONTEXT));
    } else {
      const end = linesAhead(before, splice.end, CONTEXT);
      groups.push({ start: Math.max(start, last?.end ?? 0), end, splices: [splice] });
    }
  }
  return groups.map(({ start, end, splices: own }) => {
    const moved = own.map((one) => ({ start: one.start - start, end: one.end - start, text: one.text }));
    return { start, end, text: applySplices(before.slice(start, end), moved) };
  });
}

/** Ends a group that has grown large behind its last changed line, if the next splice begins behind that. */
function isFull(before: string, group: Group, next: Splice): boolean {
  if (group.splices.length < MAX_GROUP) return false;
  const end = linesAhead(before, group.splices.at(-1)?.end ?? group.end, 0);
  if (next.start < end) return false;
  group.end = end;
  return true;
}

function linesBack(text: string, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line <= count && at > 0; line++) {
    const found = text.lastIndexOf("\n", at - 1);
    if (line === count) return found + 1;
    at = Math.max(found, 0);
  }
  return at;
}

function linesAhead(text: string, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line <= count; line++) {
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

async function diffRuns(old: readonly string[], fresh: readonly string[], deadline: number): Promise<DiffRun[]> {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const [oldMiddle, freshMiddle] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  const middle = await middleRuns(oldMiddle, freshMiddle, deadline);
  const runs: DiffRun[] = [
    { kind: " ", texts: old.slice(0, head) },
    ...middle,
    { kind: " ", texts: old.slice(old.length - tail) },
  ];
  return runs.filter((run) => run.texts.length > 0);
}

async function middleRuns(old: string[], fresh: string[], deadline: number): Promise<DiffRun[]> {
  const whole: DiffRun[] = [
    { kind: "-", texts: old },
    { kind: "+", texts: fresh },
  ];
  const timeout = deadline - performance.now();
  if (timeout <= 0 || !sharesLines(old, fresh)) return whole;
  const { diffArrays } = await import("diff");
  const parts = diffArrays(old, fresh, { timeout, maxEditLength: MAX_EDIT_LENGTH });
  return parts?.map((part) => ({ kind: part.added ? "+" : part.removed ? "-" : " ", texts: part.value })) ?? whole;
}

function sharesLines(old: readonly string[], fresh: readonly string[]): boolean {
  const known = new Set(old);
  return fresh.some((text) => known.has(text));
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

/** The changed lines of a file, found around its splices only, so that a small edit in a huge file stays cheap. */

import { applySplices, type Splice } from "./splices";

export interface DiffLine {
  kind: " " | "+" | "-";
  text: string;
  /** The last line of a side that has no newline. */
  lacksNewline?: boolean;
}

/** One hunk: changed lines with up to three kept ones around them. Starts count from 0. */
export interface ChangedBlock {
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
  added: number;
  removed: number;
}

const CONTEXT = 3;
/** Bounds the search for the shortest difference; beyond it everything counts as removed and added. */
const MAX_EDIT_LENGTH = 1_500;
const MAX_MILLISECONDS = 250;

/** Blocks of a change. `splices` sorted and apart, on `before`. */
export async function changedBlocks(before: string, splices: readonly Splice[]): Promise<ChangedBlock[]> {
  const blocks: ChangedBlock[] = [];
  let position = { offset: 0, line: 0, shift: 0 };
  for (const group of groupSplices(before, splices)) {
    const oldStart = position.line + countNewlines(before, position.offset, group.start);
    const oldText = before.slice(group.start, group.end);
    const found = toBlocks(await diffScript(splitLines(oldText), splitLines(group.text)));
    for (const block of found) {
      blocks.push({
        ...block,
        oldStart: oldStart + block.oldStart,
        newStart: oldStart + position.shift + block.newStart,
      });
    }
    const shift = position.shift + lineCount(group.text) - lineCount(oldText);
    position = { offset: group.end, line: oldStart + countNewlines(oldText, 0, oldText.length), shift };
  }
  return blocks;
}

/** Splices whose surroundings meet, widened to whole lines with context, as one replacement. */
function groupSplices(before: string, splices: readonly Splice[]): Splice[] {
  const groups: { start: number; end: number; splices: Splice[] }[] = [];
  for (const splice of splices) {
    const start = linesBack(before, splice.start, CONTEXT);
    const end = linesAhead(before, splice.end, CONTEXT);
    const last = groups.at(-1);
    if (last && start <= last.end) {
      last.end = Math.max(end, last.end);
      last.splices.push(splice);
    } else groups.push({ start, end, splices: [splice] });
  }
  return groups.map((group) => {
    const moved = group.splices.map(({ start, end, text }) => ({
      start: start - group.start,
      end: end - group.start,
      text,
    }));
    return { start: group.start, end: group.end, text: applySplices(before.slice(group.start, group.end), moved) };
  });
}

function linesBack(text: string, offset: number, count: number): number {
  let at = offset;
  for (let line = 0; line <= count; line++) {
    if (at === 0) return 0;
    const found = text.lastIndexOf("\n", at - 1);
    if (found === -1) return 0;
    if (line === count) return found + 1;
    at = found;
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

function lineCount(text: string): number {
  return countNewlines(text, 0, text.length);
}

/** Line ends count: a line that only changes from CRLF to LF is a changed line. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else if (lines.length > 0) lines.push(`${lines.pop()}${OPEN}`);
  return lines;
}

/** Marks a last line without newline, so that it differs from the same line with one. */
const OPEN = "\u0000";

async function diffScript(old: readonly string[], fresh: readonly string[]): Promise<DiffLine[]> {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const middle = await middleScript(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  return [...old.slice(0, head).map(kept), ...middle, ...old.slice(old.length - tail).map(kept)];
}

function kept(text: string): DiffLine {
  return { kind: " ", text };
}

async function middleScript(old: string[], fresh: string[]): Promise<DiffLine[]> {
  if (old.length === 0 || fresh.length === 0) return wholeScript(old, fresh);
  const { diffArrays } = await import("diff");
  const options = { timeout: MAX_MILLISECONDS, maxEditLength: MAX_EDIT_LENGTH };
  const parts = diffArrays(old, fresh, options);
  if (!parts) return wholeScript(old, fresh);
  return parts.flatMap((part) => {
    const kind = part.added ? "+" : part.removed ? "-" : " ";
    return part.value.map((text): DiffLine => ({ kind, text }));
  });
}

function wholeScript(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const lines = (texts: readonly string[], kind: "+" | "-") => texts.map((text): DiffLine => ({ kind, text }));
  return [...lines(old, "-"), ...lines(fresh, "+")];
}

/** Cuts a script into hunks: changes no more than twice the context apart share one. */
function toBlocks(script: readonly DiffLine[]): ChangedBlock[] {
  const blocks: ChangedBlock[] = [];
  let [old, fresh, at] = [0, 0, 0];
  const changes = script.flatMap((line, index) => (line.kind === " " ? [] : [index]));
  for (let next = 0; next < changes.length; ) {
    const first = changes[next] ?? 0;
    let last = first;
    while (next < changes.length && (changes[next] ?? 0) - last <= 2 * CONTEXT + 1) last = changes[next++] ?? last;
    const start = Math.max(at, first - CONTEXT);
    const lines = script.slice(start, last + 1 + CONTEXT);
    old += start - at;
    fresh += start - at;
    const count = (kind: string) => lines.filter((line) => line.kind === kind).length;
    const [kept, added, removed] = [count(" "), count("+"), count("-")];
    blocks.push({ oldStart: old, newStart: fresh, lines: lines.map(unmark), added, removed });
    [old, fresh, at] = [old + kept + removed, fresh + kept + added, start + lines.length];
  }
  return blocks;
}

function unmark(line: DiffLine): DiffLine {
  return line.text.endsWith(OPEN) ? { kind: line.kind, text: line.text.slice(0, -1), lacksNewline: true } : line;
}

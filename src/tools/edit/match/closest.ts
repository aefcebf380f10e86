/** The lines of a file that come nearest to a text that is not in it: what a model needs to get the next try right. */

import { lineRange, visibleLines } from "../text/excerpt";
import { type LineTable, lineKey } from "../text/LineTable";
import type { TextModel } from "../text/TextModel";

interface ClosestWindow {
  /** First line, from 0. */
  start: number;
  length: number;
}

const LEAST_SHARE = 0.3;
/** Bounds the work on huge files and on files of few different lines. */
const MAX_PAIRS = 300_000;
const MAX_WORD_LINES = 60_000;
const MAX_LINE = 2_000;

/** The nearest lines to a text that was not found, as a sentence and lines below it; or that there are none. */
export function closestText(model: TextModel, wanted: string): string {
  const bare = wanted.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  const asked = bare.split("\n");
  const closest = findClosest(model.lines, asked);
  if (!closest) return "Nothing similar is in the file. Read it again.";
  const { start, length } = closest;
  const shown = model.lines.texts.slice(start, start + length);
  const texts = shown.map((text, at) => fromDifference(text, asked[at] ?? ""));
  const where = lineRange(start, length);
  if (length <= MAX_SHOWN) return `Closest text is at ${where}:\n${visibleLines(texts, start)}`;
  const first = shown.findIndex((text, at) => lineKey(text, "indent") !== lineKey(asked[at] ?? "", "indent"));
  const from = Math.max(0, Math.min(first - LINES_BEFORE, length - MAX_SHOWN));
  const part = visibleLines(texts.slice(from, from + MAX_SHOWN), start + from);
  return `Closest text is at ${where}; it first differs at line ${start + Math.max(first, 0) + 1}:\n${part}`;
}

const MAX_SHOWN = 20;
const LINES_BEFORE = 5;
const LONG_LINE = 300;
const CHARACTERS_BEFORE = 100;

/** Of a long line that begins as the quote does, the part where they part. */
function fromDifference(text: string, asked: string): string {
  if (text.length <= LONG_LINE) return text;
  let same = 0;
  while (same < text.length && text[same] === asked[same]) same++;
  if (same <= LONG_LINE / 2 || same === text.length) return text;
  return `…${text.slice(same - CHARACTERS_BEFORE).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

/**
 * The window of as many lines as `wanted` with the best share of equal or word-similar lines, at least 30 %.
 * Undefined when nothing is near. Deterministic: the first of equally good windows.
 */
function findClosest(lines: LineTable, wanted: readonly string[]): ClosestWindow | undefined {
  const score = new Map<number, number>();
  const asked = wanted.filter((line) => line.trim() !== "").length;
  if (asked === 0 || lines.count === 0) return undefined;
  voteForEqual(lines, wanted, score);
  voteForSimilar(lines, wanted, score);
  let best: number | undefined;
  for (const [start, points] of score) {
    const top = best === undefined ? 0 : (score.get(best) ?? 0);
    if (points > top || (points === top && start < (best ?? 0))) best = start;
  }
  if (best === undefined || (score.get(best) ?? 0) / asked < LEAST_SHARE) return undefined;
  const start = Math.max(0, best);
  const end = Math.max(start + 1, Math.min(lines.count, best + wanted.length));
  return withEnds(lines, wanted, { start, end });
}

/** How far outside of the window the quote's own first and last line are looked for: lines may be left out or added. */
const REACH = 5;

function withEnds(
  lines: LineTable,
  wanted: readonly string[],
  { start, end }: { start: number; end: number },
): ClosestWindow {
  const keys = lines.keysOf("indent");
  const [head = "", tail = ""] = [wanted[0], wanted.at(-1)].map((line) => lineKey(line ?? "", "indent"));
  const has = (key: string) => key !== "" && keys.slice(start, end).includes(key);
  const above = has(head) ? -1 : keys.slice(Math.max(0, start - REACH), start).lastIndexOf(head);
  const below = has(tail) ? -1 : keys.slice(end, end + REACH).indexOf(tail);
  const first = above === -1 || head === "" ? start : Math.max(0, start - REACH) + above;
  const last = below === -1 || tail === "" ? end : end + below + 1;
  return { start: first, length: last - first };
}

function voteForEqual(lines: LineTable, wanted: readonly string[], score: Map<number, number>): void {
  const places = new Map<string, number[]>();
  for (const [at, line] of wanted.entries()) {
    const key = lineKey(line, "indent");
    if (key !== "") places.set(key, [...(places.get(key) ?? []), at].slice(0, 50));
  }
  let pairs = 0;
  for (const [at, key] of lines.keysOf("indent").entries()) {
    for (const place of places.get(key) ?? []) {
      if (++pairs > MAX_PAIRS) return;
      add(score, at - place, 1);
    }
  }
}

/** A line is similar when at least half of its words are shared (Dice); such a line counts that share. */
function voteForSimilar(lines: LineTable, wanted: readonly string[], score: Map<number, number>): void {
  if (lines.count > MAX_WORD_LINES) return;
  const index = new Map<string, number[]>();
  const sizes = wanted.slice(0, 400).map((line, at) => {
    const words = wordsOf(line);
    for (const word of words) index.set(word, [...(index.get(word) ?? []), at]);
    return words.size;
  });
  const keys = wanted.map((line) => lineKey(line, "indent"));
  let pairs = 0;
  for (const [at, line] of lines.keysOf("indent").entries()) {
    const words = wordsOf(line);
    const shared = new Map<number, number>();
    for (const word of words) {
      for (const place of index.get(word) ?? []) {
        if (++pairs > MAX_PAIRS) return;
        add(shared, place, 1);
      }
    }
    for (const [place, count] of shared) {
      const share = (2 * count) / (words.size + (sizes[place] ?? 0));
      if (share >= 0.5 && line !== keys[place]) add(score, at - place, Math.min(share, 0.95));
    }
  }
}

function add(counts: Map<number, number>, key: number, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

function wordsOf(line: string): Set<string> {
  return new Set(line.slice(0, MAX_LINE).match(/[\p{L}\p{N}_]+/gu) ?? []);
}

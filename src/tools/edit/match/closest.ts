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
  const closest = findClosest(model.lines, bare.split("\n"));
  if (!closest) return "Nothing similar is in the file. Read it again.";
  const lines = model.lines.texts.slice(closest.start, closest.start + closest.length);
  return `Closest text is at ${lineRange(closest.start, closest.length)}:\n${visibleLines(lines, closest.start)}`;
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
  return { start, length: Math.max(1, Math.min(lines.count, best + wanted.length) - start) };
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

/** Where a hunk belongs in a file: one certain place, or a refusal that says why there is none. */

import { buildIndentMap, isBlank } from "../match/indent";
import { foldUnicode } from "../text/fold";
import { LINE_RUNGS, type LineRung, type LineTable } from "../text/LineTable";
import { type Hunk, type HunkLine, newLines, oldLines } from "./hunks";

/** `lines` are those of the hunk that were used: outer context may have been dropped. Lines count from 0. */
export interface Placement {
  start: number;
  lines: HunkLine[];
  rung: LineRung;
  /** How many outer context lines did not fit and were left out, at the top and in all. */
  droppedTop: number;
  dropped: number;
  note?: string;
}

export type Unplaced =
  | { fault: "ambiguous"; lines: number[] }
  | { fault: "present"; line: number }
  | { fault: "anchor"; anchor: string }
  | { fault: "above"; line: number; anchorLine: number }
  | { fault: "missing" }
  | { fault: "past-end"; line: number }
  | { fault: "no-context" };

export interface PlacingRules {
  /** The first line behind the hunk before. */
  cursor: number;
  /** How far the hunk before lay from its stated line. */
  drift: number;
  /** Outer context lines that may be dropped at each end (unified diffs: 2, as in `patch -F2`). */
  fuzz: number;
  /** Where lines without any context go when nothing says it. */
  appendsByDefault: boolean;
}

export function placeHunk(table: LineTable, hunk: Hunk, rules: PlacingRules): Placement | Unplaced {
  const anchor = findAnchors(table, hunk.anchors, rules.cursor);
  if (oldLines(hunk).length === 0) return placeInsertion(table, hunk, { anchor, rules });
  for (const lines of variants(hunk.lines)) {
    const placed = placeLines(table, { ...hunk, lines }, { anchor, rules });
    if (placed) return placed;
  }
  const present = findPresent(table, hunk);
  if (present !== undefined) return { fault: "present", line: present };
  const fuzzy = placeWithFuzz(table, hunk, rules);
  if (fuzzy) return fuzzy;
  if (anchor.missing !== undefined) return { fault: "anchor", anchor: anchor.missing };
  const above = anchor.line === undefined ? undefined : findAbove(table, hunk);
  return above === undefined ? { fault: "missing" } : { fault: "above", line: above, anchorLine: anchor.line ?? 0 };
}

/** Where lines stand that are not to be found below their anchor. */
function findAbove(table: LineTable, hunk: Hunk): number | undefined {
  return table.findBlock(oldLines(hunk), "trailing")[0];
}

/** The lines as they are; then without blank ones at the ends that may be mere separators. */
function variants(lines: readonly HunkLine[]): HunkLine[][] {
  const start = lines.findIndex((line) => !line.isBare);
  const end = lines.findLastIndex((line) => !line.isBare) + 1;
  const bare = [lines.slice(0, end), lines.slice(start), lines.slice(start, end)];
  return [[...lines], ...bare.filter((variant) => variant.length < lines.length && variant.length > 0)];
}

interface Anchor {
  /** The last anchor's line; undefined when there is none, or when one was not found. */
  line?: number;
  missing?: string;
  /** Another line that the last anchor fits as well. */
  other?: number;
}

/** Each anchor narrows the search: it is looked for behind the one before. */
function findAnchors(table: LineTable, anchors: readonly string[], cursor: number): Anchor {
  let from = cursor;
  let found: Anchor = {};
  for (const anchor of anchors) {
    const lines = anchorLines(table, anchor);
    const behind = lines.filter((line) => line >= from);
    const line = behind[0] ?? (lines.length === 1 && found.line === undefined ? lines[0] : undefined);
    if (line === undefined) return { missing: anchor };
    found = behind[1] === undefined ? { line } : { line, other: behind[1] };
    from = line + 1;
  }
  return found;
}

function anchorLines(table: LineTable, anchor: string): number[] {
  for (const rung of LINE_RUNGS) {
    const lines = table.findBlock([anchor], rung);
    if (lines.length > 0) return lines;
  }
  const part = foldUnicode(anchor).trim();
  const holding = table.texts.flatMap((text, line) => (foldUnicode(text).includes(part) ? [line] : []));
  return holding.length === 1 ? holding : [];
}

/** What a place has to agree with beside the lines. */
interface Bounds {
  anchor: Anchor;
  rules: PlacingRules;
}

function placeInsertion(table: LineTable, hunk: Hunk, { anchor, rules }: Bounds): Placement | Unplaced {
  const at = (start: number): Placement => ({ start, lines: hunk.lines, rung: "exact", droppedTop: 0, dropped: 0 });
  if (anchor.missing !== undefined) return { fault: "anchor", anchor: anchor.missing };
  if (anchor.line !== undefined && !hunk.isAtEnd) return { ...at(anchor.line + 1), ...anchorNote(anchor) };
  if (hunk.hint?.isAfter) {
    return hunk.hint.line <= table.count ? at(hunk.hint.line) : { fault: "past-end", line: hunk.hint.line };
  }
  if (table.count === 0) return at(0);
  return rules.appendsByDefault || hunk.isAtEnd ? at(table.count) : { fault: "no-context" };
}

/** By the first rung at which the old lines are anywhere that the anchors, the line number and the cursor allow. */
function placeLines(table: LineTable, hunk: Hunk, { anchor, rules }: Bounds): Placement | Unplaced | null {
  const old = oldLines(hunk);
  for (const rung of old.every(isBlank) ? LINE_RUNGS.slice(0, 2) : LINE_RUNGS) {
    const starts = candidates(table, old, rung);
    const chosen = starts.length === 0 ? null : choose(table, starts, { hunk, anchor, rules, length: old.length });
    if (typeof chosen === "number") {
      const note = anchor.line === undefined ? {} : anchorNote(anchor);
      return { start: chosen, lines: hunk.lines, rung, droppedTop: 0, dropped: 0, ...note };
    }
    if (chosen) return chosen;
  }
  return null;
}

function candidates(table: LineTable, old: readonly string[], rung: LineRung): readonly number[] {
  const starts = table.findBlock(old, rung);
  if (rung !== "indent") return starts;
  return starts.filter((start) => buildIndentMap(old, table.texts.slice(start, start + old.length)) !== null);
}

interface Choice extends Bounds {
  hunk: Hunk;
  /** Number of old lines. */
  length: number;
}

/** One of several places, or why none of them is certain. Null: none is allowed at this rung. */
function choose(table: LineTable, starts: readonly number[], choice: Choice): number | Unplaced | null {
  const { hunk, anchor, rules, length } = choice;
  const last = table.count - length;
  if (hunk.isAtEnd && starts.includes(last)) return last;
  if (anchor.line !== undefined) return starts.find((start) => start >= (anchor.line ?? 0)) ?? null;
  if (hunk.hint) return nearest(starts, hunk.hint, rules.drift);
  if (anchor.missing !== undefined) return starts.length === 1 ? (starts[0] ?? null) : null;
  const behind = starts.filter((start) => start >= rules.cursor);
  const allowed = behind.length > 0 ? behind : starts;
  return allowed.length === 1 ? (allowed[0] ?? null) : { fault: "ambiguous", lines: [...allowed] };
}

/** The place nearest to the stated line; of two equally near ones that which lies as the hunk before did. */
function nearest(starts: readonly number[], hint: { line: number }, drift: number): number | Unplaced {
  const away = (start: number, by: number) => Math.abs(start - (hint.line - 1 + by));
  const least = Math.min(...boundsNear(starts, hint.line - 1).map((start) => away(start, 0)));
  const near = boundsNear(starts, hint.line - 1).filter((start) => away(start, 0) === least);
  if (near.length === 1) return near[0] ?? 0;
  const [first = 0, second = 0] = near;
  if (drift !== 0 && away(first, drift) !== away(second, drift)) {
    return away(first, drift) < away(second, drift) ? first : second;
  }
  return { fault: "ambiguous", lines: near };
}

/** The two neighbours of a line among sorted starts. */
function boundsNear(starts: readonly number[], line: number): number[] {
  const next = starts.findIndex((start) => start >= line);
  const around = next === -1 ? [starts.at(-1)] : [starts[next - 1], starts[next]];
  return around.filter((start) => start !== undefined);
}

function anchorNote(anchor: Anchor): { note?: string } {
  if (anchor.other === undefined) return {};
  return { note: `the @@ line stands at line ${anchor.other + 1} too; its first place was used` };
}

/** The line at which the new side stands already. Only said when the old side stands nowhere. */
function findPresent(table: LineTable, hunk: Hunk): number | undefined {
  const fresh = newLines(hunk);
  const added = hunk.lines.filter((line) => line.kind === "+");
  if (added.every((line) => isBlank(line.text))) return undefined;
  return table.findBlock(fresh, "exact")[0] ?? table.findBlock(fresh, "trailing")[0];
}

/** Drops one, then two outer context lines: at the bottom, the top, both. Removed lines are never dropped. */
function placeWithFuzz(table: LineTable, hunk: Hunk, rules: PlacingRules): Placement | Unplaced | null {
  let ambiguous: Unplaced | null = null;
  for (const [top, bottom] of fuzzSteps(rules.fuzz)) {
    const lines = dropContext(hunk.lines, top, bottom);
    if (!lines) continue;
    const hint = hunk.hint && { ...hunk.hint, line: hunk.hint.line + top };
    const placed = placeLines(table, { ...hunk, lines, ...(hint ? { hint } : {}) }, { anchor: {}, rules });
    if (placed && "fault" in placed) ambiguous ??= placed;
    else if (placed) {
      const isCertain = isStrong(lines) || table.findBlock(oldLines({ lines }), placed.rung).length === 1;
      if (isCertain) return { ...placed, droppedTop: top, dropped: top + bottom };
    }
  }
  return ambiguous;
}

function fuzzSteps(most: number): [number, number][] {
  const steps: [number, number][] = [];
  for (let count = 1; count <= most; count++) steps.push([0, count], [count, 0], [count, count]);
  return steps;
}

function dropContext(lines: readonly HunkLine[], top: number, bottom: number): HunkLine[] | null {
  const outer = [...lines.slice(0, top), ...(bottom === 0 ? [] : lines.slice(-bottom))];
  if (top + bottom >= lines.length || outer.some((line) => line.kind !== " ")) return null;
  const kept = lines.slice(top, lines.length - bottom);
  return oldLines({ lines: kept }).some((line) => !isBlank(line)) ? kept : null;
}

/** Evidence enough to trust a line number among several places: a removed line, or two kept ones with words. */
function isStrong(lines: readonly HunkLine[]): boolean {
  const telling = lines.filter((line) => line.kind !== "+" && /[\p{L}\p{N}]/u.test(line.text));
  return telling.some((line) => line.kind === "-") || telling.length >= 2;
}

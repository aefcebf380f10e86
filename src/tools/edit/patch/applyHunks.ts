/** A file's hunks made into splices: placed on the text as it was, or, failing that, on what earlier hunks made of it. */

import { findPlaceholder, placeholderText } from "../match/placeholder";
import { EditRefused } from "../match/refusal";
import { composeSplices } from "../text/composeSplices";
import { applySplices, type Splice, sortSplices } from "../text/splices";
import { type EndingCounts, TextModel } from "../text/TextModel";
import { type NamedHunk, placementNote, unplacedText } from "./hunkMessages";
import { type Block, blockSplice, blocksOf } from "./hunkSplices";
import { type Hunk, hasChange, oldLines } from "./hunks";
import { type Placement, placeHunk, type Unplaced } from "./placing";

export interface HunkRules {
  /** Path in messages. */
  path: string;
  fuzz: number;
  appendsByDefault: boolean;
  /** Line ends of the file that are not in the text (TextModel). */
  outside?: EndingCounts;
}

export interface HunksApplied {
  splices: Splice[];
  notes: string[];
  /** True when every hunk matched exactly and whole. */
  isExact: boolean;
}

/** More failures than these are not looked into: the patch is for another text. */
const MAX_FAULTS = 8;

/** Throws `EditRefused` naming the hunks that have no certain place. */
export function applyHunks(raw: string, hunks: readonly Hunk[], rules: HunkRules): HunksApplied {
  const progress: Progress = { raw, rules, settled: [], stage: newStage(raw, rules), notes: [], isExact: true };
  const faults: string[] = [];
  for (const [at, hunk] of hunks.entries()) {
    if (!hasChange(hunk)) continue;
    try {
      applyHunk(progress, hunk, at);
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      faults.push(error.message);
    }
    if (faults.length === MAX_FAULTS) {
      faults.push(`The hunks of ${rules.path} behind these were not tried.`);
      break;
    }
  }
  if (faults.length > 0) throw new EditRefused(faults.join("\n"));
  const { notes, isExact } = progress;
  return { splices: settle(progress), notes, isExact };
}

interface Progress {
  raw: string;
  rules: HunkRules;
  /** Splices of the stages before this one, on the raw text. */
  settled: Splice[];
  stage: Stage;
  notes: string[];
  isExact: boolean;
}

/** One state of the text, with what was placed on it. */
interface Stage {
  model: TextModel;
  splices: Splice[];
  blocks: Block[];
  /** The first line behind the last change. */
  cursor: number;
  /** How far the last hunk lay from its stated line. */
  drift: number;
}

function newStage(raw: string, { outside }: HunkRules): Stage {
  return { model: new TextModel(raw, outside), splices: [], blocks: [], cursor: 0, drift: 0 };
}

function settle({ raw, settled, stage }: Progress): Splice[] {
  return composeSplices(raw.length, settled, sortSplices(stage.splices));
}

function applyHunk(progress: Progress, hunk: Hunk, at: number): void {
  const label = `hunk ${at + 1} of ${progress.rules.path}`;
  checkPlaceholder(hunk, label);
  const placed = place(progress, hunk);
  if ("fault" in placed) throw new EditRefused(unplacedText(progress.stage.model, { hunk, label }, placed));
  addPlacement(progress.stage, { hunk, label }, placed);
  if (placed.rung !== "exact" || placed.dropped > 0) progress.isExact = false;
  const note = placementNote(placed, at);
  if (note) progress.notes.push(note);
}

/** On the text as it stands; a hunk that quotes what the ones before it wrote is placed on their result. */
function place(progress: Progress, hunk: Hunk): Placement | Unplaced {
  const { stage, rules } = progress;
  const placed = placeOn(stage, hunk, rules);
  if (!("fault" in placed) || !MAY_BE_NEW.has(placed.fault) || stage.splices.length === 0) return placed;
  const next = newStage(applySplices(stage.model.raw, sortSplices(stage.splices)), rules);
  const again = placeOn(next, hunk, rules);
  if ("fault" in again) return placed;
  progress.settled = settle(progress);
  progress.stage = next;
  return again;
}

/** Faults that what earlier hunks wrote can mend. Line numbers are those of the text as it was. */
const MAY_BE_NEW = new Set<Unplaced["fault"]>(["missing", "anchor", "above"]);

function placeOn({ model, cursor, drift }: Stage, hunk: Hunk, { fuzz, appendsByDefault }: HunkRules) {
  return placeHunk(model.lines, hunk, { cursor, drift, fuzz, appendsByDefault });
}

function addPlacement(stage: Stage, { hunk, label }: NamedHunk, placed: Placement): void {
  const { blocks, end } = blocksOf(stage.model.lines, placed, label);
  checkEnd(stage.model, { hunk, label }, end);
  for (const block of blocks) {
    if (stage.blocks.some((other) => meets(block, other))) {
      throw new EditRefused(`${label} changes lines that an earlier hunk changed already.`);
    }
    stage.splices.push(blockSplice(stage.model, block, hunk));
  }
  stage.blocks.push(...blocks);
  stage.cursor = Math.max(...blocks.map((block) => block.to), 0);
  if (hunk.hint) stage.drift = placed.start - placed.droppedTop - (hunk.hint.line - 1);
}

/** Two blocks for the same lines, or the same lines added twice at one place (a hunk that was sent twice). */
function meets(block: Block, other: Block): boolean {
  if (other.from < block.to && block.from < other.to) return true;
  const isOnePlace = block.from === other.from && block.to === other.to && block.from === block.to;
  const texts = ({ added }: Block) => added.map((line) => line.text).join("\n");
  return isOnePlace && texts(block) === texts(other);
}

/** A diff that changes the final newline has to end where the file ends. */
function checkEnd(model: TextModel, { hunk, label }: NamedHunk, end: number): void {
  if (Boolean(hunk.newLacksNewline) === Boolean(hunk.oldLacksNewline) || end >= model.lines.count) return;
  throw new EditRefused(`${label} says "No newline at end of file", but the file goes on behind line ${end}.`);
}

function checkPlaceholder(hunk: Hunk, label: string): void {
  const added = hunk.lines.filter((line) => line.kind === "+").map((line) => line.text);
  const line = findPlaceholder(added.join("\n"), oldLines(hunk).join("\n"));
  if (line !== undefined) throw new EditRefused(placeholderText(label, line));
}

/** What the model reads about an edit: which lines changed, what was forgiven, and the new text around. */

import { counted } from "../text";
import type { Draft } from "./Draft";
import { buildDisplayFile, type DiffDisplay, sum } from "./display";
import { numberedLine } from "./excerpt";
import { type ChangedBlock, changedBlocks } from "./lineDiff";
import { splitLineTexts } from "./TextModel";

export interface Report {
  content: string;
  display: DiffDisplay;
}

const MAX_SNIPPET_LINES = 30;
const MAX_RANGES = 10;

/** `edit`: changed lines are told and shown. `whole`: the file was written as a whole, so counts are enough. */
export type ReportStyle = "edit" | "whole";

/** `head`: sentences before all else (what the person changed, a conflict that was harmless). */
export async function buildReport(
  drafts: readonly Draft[],
  { head, style }: { head: readonly string[]; style: ReportStyle },
): Promise<Report> {
  const parts: string[] = [...head];
  const display: DiffDisplay = { kind: "diff", files: [] };
  for (const draft of drafts) {
    if (draft.isNoChange || isMovedAway(draft, drafts)) continue;
    const blocks = await blocksOf(draft);
    const movedFrom = draft.isMoved ? draft.source?.target.shown : undefined;
    display.files.push(buildDisplayFile(draft, blocks, movedFrom));
    parts.push(style === "whole" ? wholeLine(draft, blocks) : headline(draft, blocks, movedFrom), ...draft.notes);
    const snippet = style === "edit" && (draft.original || draft.isMoved) ? snippetOf(blocks, draft) : "";
    if (snippet) parts.push(snippet);
  }
  if (display.files.length === 0) parts.push("No change: nothing was written.");
  return { content: parts.join("\n"), display };
}

/** The old place of a moved file is told with the new one. */
function isMovedAway(draft: Draft, drafts: readonly Draft[]): boolean {
  return !draft.exists && drafts.some((other) => other.isMoved && other.source === draft.original);
}

async function blocksOf(draft: Draft): Promise<ChangedBlock[]> {
  if (draft.splices === null) {
    const text = draft.before;
    return changedBlocks(text, [{ start: 0, end: text.length, text: "" }]);
  }
  return changedBlocks(draft.before, draft.splices);
}

function headline(draft: Draft, blocks: readonly ChangedBlock[], movedFrom: string | undefined): string {
  const shown = draft.target.shown;
  if (!draft.exists) return `Deleted ${shown}.`;
  const change = `(+${sum(blocks, "added")} −${sum(blocks, "removed")})`;
  if (movedFrom !== undefined) {
    return `Moved ${movedFrom} to ${shown}${blocks.length === 0 ? "" : `: ${ranges(blocks)} ${change}`}.`;
  }
  if (!draft.original) return `Created ${shown} (${counted(splitLineTexts(draft.after ?? "").length, "line")}).`;
  if (blocks.length === 0) return `Edited ${shown}${draft.isExecutable === undefined ? "" : ": mode changed"}.`;
  return `Edited ${shown}: ${ranges(blocks)} ${change}.`;
}

function wholeLine(draft: Draft, blocks: readonly ChangedBlock[]): string {
  const lines = counted(splitLineTexts(draft.after ?? "").length, "line");
  if (!draft.original) return `Created ${draft.target.shown} (${lines}).`;
  return `Replaced ${draft.target.shown} (${lines}, +${sum(blocks, "added")} −${sum(blocks, "removed")}).`;
}

/** Changed lines of the new text, from 1: `lines 12-14, 20`. Where lines only went: `after line 11`. */
function ranges(blocks: readonly ChangedBlock[]): string {
  const runs = blocks.flatMap(runsOf);
  const shown = runs.slice(0, MAX_RANGES).map(({ start, count }) => {
    if (count === 0) return start === 0 ? "before line 1" : `after line ${start}`;
    return count === 1 ? `${start + 1}` : `${start + 1}-${start + count}`;
  });
  const isNumber = (text: string) => /^\d/.test(text);
  const numbers = shown.filter(isNumber);
  const noun = numbers.length === 1 && !numbers[0]?.includes("-") ? "line" : "lines";
  const list = numbers.length === 0 ? [] : [`${noun} ${numbers.join(", ")}`];
  const more = runs.length > MAX_RANGES ? [`${runs.length - MAX_RANGES} more places`] : [];
  return [...list, ...shown.filter((text) => !isNumber(text)), ...more].join(", ");
}

function runsOf(block: ChangedBlock): { start: number; count: number }[] {
  const runs: { start: number; count: number }[] = [];
  let line = block.newStart;
  let isOpen = false;
  for (const { kind } of block.lines) {
    if (kind === " ") isOpen = false;
    else if (!isOpen) {
      runs.push({ start: line, count: 0 });
      isOpen = true;
    }
    const run = runs.at(-1);
    if (kind === "+" && run) run.count++;
    if (kind !== "-") line++;
  }
  return runs;
}

/** The new text of the blocks, with their context, as `N|text`. */
function snippetOf(blocks: readonly ChangedBlock[], draft: Draft): string {
  if (!draft.exists) return "";
  const lines: string[] = [];
  for (const [at, block] of blocks.entries()) {
    if (at > 0) lines.push("…");
    let number = block.newStart;
    for (const line of block.lines)
      if (line.kind !== "-") lines.push(numberedLine(number++, line.text.replace(/\r$/, "")));
  }
  if (lines.length <= MAX_SNIPPET_LINES) return lines.join("\n");
  return [
    ...lines.slice(0, MAX_SNIPPET_LINES),
    `[${lines.length - MAX_SNIPPET_LINES} more lines around the changes]`,
  ].join("\n");
}

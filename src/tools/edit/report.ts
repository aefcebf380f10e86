/** What the model reads about an edit: which lines changed, what was forgiven, and the new text around. */

import { counted } from "../text";
import { type Draft, isSameFile } from "./disk/Draft";
import { buildDisplayFile, type DiffDisplay } from "./display";
import { numberedLine } from "./text/excerpt";
import { type LineChanges, lineChanges, shownLine } from "./text/lineDiff";

export interface Report {
  content: string;
  display: DiffDisplay;
}

/** `edit`: changed lines are told and shown. `whole`: the file was written as a whole, so counts are enough. */
export type ReportStyle = "edit" | "whole";

const MAX_SNIPPET_LINES = 30;
const MAX_RANGES = 10;

/** `head`: sentences before all else (what the person changed, a conflict that was harmless). */
export function buildReport(
  drafts: readonly Draft[],
  { head, style }: { head: readonly string[]; style: ReportStyle },
): Report {
  const parts: string[] = [...head];
  const display: DiffDisplay = { kind: "diff", files: [] };
  for (const draft of drafts) {
    if (draft.isNoChange || isMovedAway(draft, drafts)) continue;
    const changes = changesOf(draft);
    const movedFrom = draft.isMoved ? draft.source?.target.shown : undefined;
    display.files.push(buildDisplayFile(draft, changes, movedFrom));
    parts.push(headline(draft, changes, { style, movedFrom }), ...draft.notes, ...otherNamesNote(draft));
    if (style === "edit") parts.push(...snippetOf(draft, changes));
  }
  if (display.files.length === 0) parts.push("No change: nothing was written.");
  return { content: parts.join("\n"), display };
}

/** The old place of a moved file is told with the new one. */
function isMovedAway(draft: Draft, drafts: readonly Draft[]): boolean {
  return !draft.exists && drafts.some((other) => other.isMoved && isSameFile(other.source, draft.original));
}

function changesOf(draft: Draft): LineChanges {
  const text = draft.before;
  const replaced = draft.source === null && draft.exists ? draft.original?.text?.decoded.text : undefined;
  if (replaced !== undefined) {
    return lineChanges(replaced, [{ start: 0, end: replaced.length, text: draft.after ?? "" }]);
  }
  const firstLine = draft.source?.text?.part.firstLine ?? 0;
  return lineChanges(text, draft.splices ?? [{ start: 0, end: text.length, text: "" }], firstLine);
}

function headline(
  draft: Draft,
  changes: LineChanges,
  { style, movedFrom }: { style: ReportStyle; movedFrom: string | undefined },
): string {
  const shown = draft.target.shown;
  const { added, removed, ranges } = changes;
  if (!draft.exists) return `Deleted ${shown}.`;
  const where = ranges.length === 0 ? "" : `: ${rangeList(ranges)} (+${added} −${removed})`;
  if (movedFrom !== undefined) return `Moved ${movedFrom} to ${shown}${where}.`;
  if (!draft.original) return `Created ${shown} (${linesIn(draft)}).`;
  if (style === "whole") return `Replaced ${shown} (${linesIn(draft)}, +${added} −${removed}).`;
  return `Edited ${shown}${where || ": mode changed"}.`;
}

function linesIn(draft: Draft): string {
  return counted(draft.lineCount, "line");
}

/** New content comes by a new file, for a hard link may lead out of the workspace: other names keep the old content. */
function otherNamesNote({ original, exists, hasNewText, target }: Draft): string[] {
  const others = (original?.content.stamp.names ?? 1) - 1;
  if (!exists || others < 1 || !hasNewText) return [];
  const keep =
    others === 1 ? "1 other name (hard link), which keeps" : `${others} other names (hard links), which keep`;
  return [`Note: ${target.shown} had ${keep} the old content.`];
}

/** Changed lines of the new text, from 1: `lines 12-14, 20`. Where lines only went: `after line 11`. */
function rangeList(ranges: LineChanges["ranges"]): string {
  const shown = ranges.slice(0, MAX_RANGES);
  const filled = shown.filter((range) => range.count > 0);
  const numbers = filled.map(({ start, count }) => (count === 1 ? `${start + 1}` : `${start + 1}-${start + count}`));
  const noun = filled.length === 1 && filled[0]?.count === 1 ? "line" : "lines";
  const gone = shown.filter((range) => range.count === 0);
  return [
    ...(numbers.length > 0 ? [`${noun} ${numbers.join(", ")}`] : []),
    ...gone.map(({ start }) => (start === 0 ? "before line 1" : `after line ${start}`)),
    ...(ranges.length > MAX_RANGES ? [`${ranges.length - MAX_RANGES} more places`] : []),
  ].join(", ");
}

/** The new text of the changed places, with their context, as `N|text`. Of a new file there is none. */
function snippetOf(draft: Draft, { blocks }: LineChanges): string[] {
  if (!draft.exists || (!draft.original && !draft.isMoved)) return [];
  const lines: string[] = [];
  for (const [at, block] of blocks.entries()) {
    if (lines.length > MAX_SNIPPET_LINES) break;
    if (at > 0) lines.push("…");
    let number = block.newStart;
    for (const text of block.runs.flatMap((run) =>
      run.kind === "-" ? [] : run.texts.slice(0, MAX_SNIPPET_LINES + 1),
    )) {
      lines.push(numberedLine(number++, shownLine(text).text.replace(/\r$/, "")));
    }
  }
  if (lines.length <= MAX_SNIPPET_LINES) return lines;
  return [...lines.slice(0, MAX_SNIPPET_LINES), "[the rest of the change is not shown]"];
}

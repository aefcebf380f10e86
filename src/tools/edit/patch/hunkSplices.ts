/** A placed hunk as splices: removed lines go, added lines come with the right line ends, kept lines keep their bytes. */

import { EditRefused } from "../match/refusal";
import { reindent } from "../match/reindent";
import type { LineTable } from "../text/LineTable";
import { type Splice, shrinkSplice } from "../text/splices";
import type { TextModel } from "../text/TextModel";
import { type Hunk, type HunkLine, oldLines } from "./hunks";
import type { Placement } from "./placing";

/** Lines `[from, to)` give way to `added`. */
export interface Block {
  from: number;
  to: number;
  added: HunkLine[];
}

/** The runs of removed and added lines; kept lines stay out, so that the file's own bytes of them stay. */
export function blocksOf(table: LineTable, placed: Placement, label: string): { blocks: Block[]; end: number } {
  const lines = placed.rung === "indent" ? reindentAdded(table, placed, label) : placed.lines;
  const blocks: Block[] = [];
  let at = placed.start;
  let open: Block | undefined;
  for (const line of lines) {
    if (line.kind === " ") {
      at++;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { from: at, to: at, added: [] };
      blocks.push(open);
    }
    if (line.kind === "-") open.to = ++at;
    else open.added.push(line);
  }
  return { blocks, end: at };
}

function reindentAdded(table: LineTable, placed: Placement, label: string): HunkLine[] {
  const old = oldLines(placed);
  const added = placed.lines.filter((line) => line.kind === "+").map((line) => line.text);
  const whole = table.texts;
  const file = whole.slice(placed.start, placed.start + old.length);
  const texts = reindent(added, { quoted: old, file, whole });
  if (!texts) {
    throw new EditRefused(
      `${label} fits only without its indentation, and its new lines cannot be indented to match. Send it with the file's own indentation.`,
    );
  }
  let next = 0;
  return placed.lines.map((line) => (line.kind === "+" ? { ...line, text: texts[next++] ?? line.text } : line));
}

export function blockSplice(model: TextModel, block: Block, hunk: Hunk): Splice {
  const { lines: table } = model;
  if (block.to < table.count) {
    const text = block.added.map((line, at) => line.text + endingFor(model, block, at)).join("");
    return shrinkSplice(model.raw, { start: table.start(block.from), end: table.start(block.to), text });
  }
  return shrinkSplice(model.raw, endSplice(model, block, hunk));
}

/** A new line takes the ending that the diff states, else that of the line in whose place it comes, else the file's. */
function endingFor(model: TextModel, block: Block, at: number): string {
  const stated = block.added[at]?.ending;
  if (stated !== undefined) return stated;
  const twin = Math.min(block.from + at, block.to - 1);
  const own = twin >= block.from ? model.lines.ending(twin) : "";
  return own || model.ending || "\n";
}

/** A change that reaches the end of the file: the final newline stays or lacks as before, unless the diff says so. */
function endSplice(model: TextModel, block: Block, hunk: Hunk): Splice {
  const { lines: table } = model;
  const hasNewline = finalNewline(table, hunk);
  const isAfterUnended = block.from > 0 && block.from === table.count && !table.hasFinalNewline;
  const before = isAfterUnended ? endingFor(model, block, 0) : "";
  const last = block.added.length - 1;
  const text = block.added.map((line, at) => {
    return line.text + (at === last && !hasNewline ? "" : endingFor(model, block, at));
  });
  if (last >= 0 || block.from === 0 || hasNewline) {
    return { start: table.start(block.from), end: model.raw.length, text: before + text.join("") };
  }
  return { start: table.contentEnd(block.from - 1), end: model.raw.length, text: "" };
}

function finalNewline(table: LineTable, hunk: Hunk): boolean {
  if (hunk.newLacksNewline) return false;
  if (hunk.oldLacksNewline) return true;
  return table.hasFinalNewline;
}

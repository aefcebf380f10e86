/** The draft as rows of the screen, the caret's place in them, and moving the caret by row. */

import { graphemeWidth } from "../../render/graphemes";
import { calmHidden } from "../../render/invisible";
import { cutLine, textWidth } from "../../render/width";
import { type EditBuffer, type Marker, moveTo, type Unit } from "./draft";

/** One row: the units from `start` to `end` (a line end is in no row's text). */
interface VisualRow {
  text: string;
  start: number;
  end: number;
}

interface VisualLayout {
  rows: VisualRow[];
  /** The caret's row, and its column in terminal cells. */
  row: number;
  column: number;
}

interface LayoutOptions {
  /** How a marker is written; the screen gives its own language. */
  label?(marker: Marker): string;
}

function markerLabel(marker: Marker): string {
  return `[Pasted text #${marker.number} +${marker.lines} lines]`;
}

/** Rows at most `width - 1` columns wide, so that the caret behind the last character has a cell. Never empty. */
export function visualRows(buffer: EditBuffer, width: number, options: LayoutOptions = {}): VisualLayout {
  const columns = Math.max(1, width - 1);
  const label = options.label ?? markerLabel;
  const rows = rowsOf(buffer.units, columns, label);
  const row = rowOf(rows, buffer.caret);
  const start = rows[row]?.start ?? 0;
  return { rows, row, column: widthOf(buffer.units.slice(start, buffer.caret), columns, label) };
}

/** The row up, at the same column as far as the row reaches; null on the first row (then history begins). */
export function moveUp(buffer: EditBuffer, width: number, options: LayoutOptions = {}): EditBuffer | null {
  return moveByRow(buffer, { width, options, step: -1 });
}

/** The row down; null on the last row. */
export function moveDown(buffer: EditBuffer, width: number, options: LayoutOptions = {}): EditBuffer | null {
  return moveByRow(buffer, { width, options, step: 1 });
}

function moveByRow(
  buffer: EditBuffer,
  move: { width: number; options: LayoutOptions; step: -1 | 1 },
): EditBuffer | null {
  const { rows, row, column } = visualRows(buffer, move.width, move.options);
  const target = rows[row + move.step];
  if (!target) return null;
  const goal = buffer.goalColumn ?? column;
  const columns = Math.max(1, move.width - 1);
  const label = move.options.label ?? markerLabel;
  const isWrapped = target.end < buffer.units.length && buffer.units[target.end] !== "\n";
  // The place behind a wrapped row is the beginning of the next one.
  const last = isWrapped ? Math.max(target.start, target.end - 1) : target.end;
  let caret = target.start;
  for (let used = 0; caret < last; caret++) {
    used += unitWidth(buffer.units[caret] ?? "", columns, label);
    if (used > goal) break;
  }
  return moveTo(buffer, caret, goal);
}

type Label = (marker: Marker) => string;

/** Layouts of the last few texts: moving the caret does not lay out a long draft again. */
const layouts = new WeakMap<readonly Unit[], { columns: number; label: Label; rows: VisualRow[] }>();

function rowsOf(units: readonly Unit[], columns: number, label: Label): VisualRow[] {
  const known = layouts.get(units);
  if (known && known.columns === columns && known.label === label) return known.rows;
  const rows: VisualRow[] = [];
  for (let start = 0; start <= units.length; ) {
    const found = units.indexOf("\n", start);
    const end = found < 0 ? units.length : found;
    addLine(rows, { units, start, end, columns, label });
    start = end + 1;
  }
  layouts.set(units, { columns, label, rows });
  return rows;
}

interface Line {
  units: readonly Unit[];
  start: number;
  end: number;
  columns: number;
  label: Label;
}

/** Breaks one line behind its blanks where it can, anywhere where it must. */
function addLine(rows: VisualRow[], { units, start, end, columns, label }: Line): void {
  let rowStart = start;
  let used = 0;
  let breakAt = -1;
  const close = (at: number) => {
    rows.push({ text: textOfUnits(units.slice(rowStart, at), columns, label), start: rowStart, end: at });
    rowStart = at;
    breakAt = -1;
  };
  for (let at = start; at < end; at++) {
    const unit = units[at] ?? "";
    const width = unitWidth(unit, columns, label);
    if (used + width > columns && at > rowStart) {
      close(breakAt > rowStart ? breakAt : at);
      used = widthOf(units.slice(rowStart, at), columns, label);
    }
    used += width;
    if (unit === " ") breakAt = at + 1;
  }
  close(end);
}

/** The last row that begins at or before the caret: at a wrap the caret stands at the new row's beginning. */
function rowOf(rows: readonly VisualRow[], caret: number): number {
  for (let i = rows.length - 1; i > 0; i--) if ((rows[i]?.start ?? 0) <= caret) return i;
  return 0;
}

function widthOf(units: readonly Unit[], columns: number, label: Label): number {
  return units.reduce((sum: number, unit) => sum + unitWidth(unit, columns, label), 0);
}

function unitWidth(unit: Unit, columns: number, label: Label): number {
  const text = unitText(unit, columns, label);
  return text.length === 1 ? graphemeWidth(text) : textWidth(text);
}

function textOfUnits(units: readonly Unit[], columns: number, label: Label): string {
  return units.map((unit) => unitText(unit, columns, label)).join("");
}

/** How a unit is shown: a tab as blanks, characters that hide or turn the text made visible. */
function unitText(unit: Unit, columns: number, label: Label): string {
  if (typeof unit !== "string") return cutLine(label(unit), columns);
  if (unit === "\t") return "    ".slice(0, columns);
  const shown = calmHidden(unit);
  return shown.length === 1 && columns > 1 ? shown : cutLine(shown, columns);
}

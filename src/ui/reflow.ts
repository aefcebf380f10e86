/** Where the cursor stands after the terminal has wrapped our rows anew for another width. */

import { atomsOf } from "../render/atoms";
import type { Caret } from "./view/face";

/** What stands on the terminal: the rows of the live region, and the caret in them. */
export interface DrawnFrame {
  rows: readonly string[];
  caret: Caret | null;
}

/**
 * `exact`: the cursor stays with its character. `xtermjs`: it moves down by all rows that wrapping adds, also by those
 * below it, and its own row is wrapped only if a row below it was (seen in xterm.js 5 and 6, so also in VS Code).
 */
export type CursorDrift = "exact" | "xtermjs";

/** xterm.js has no name of its own, but gives this answer to the secondary device attributes. */
export function driftOf(deviceAttributes: string): CursorDrift {
  return deviceAttributes === "0;276;0" ? "xtermjs" : "exact";
}

export interface Resizing {
  columns: number;
  drift: CursorDrift;
  /** Rows by which the screen became lower. xterm.js takes them away below the cursor before it wraps. */
  lost: number;
}

/** Rows from the top of the frame to the cursor. The cursor of a frame without caret stands below its last row. */
export function rowsAboveCursor({ rows, caret }: DrawnFrame, { columns, drift, lost }: Resizing): number {
  const place = caret ?? { x: 0, y: rows.length };
  const above = sum(rows.slice(0, place.y).map((row) => wrappedRows(row, columns)));
  if (drift === "exact") return above + Math.floor(place.x / Math.max(1, columns));
  // The empty row behind the frame goes first.
  const kept = rows.slice(place.y + 1, Math.max(place.y + 1, rows.length - Math.max(0, lost - 1)));
  const below = sum(kept.map((row) => wrappedRows(row, columns) - 1));
  const own = wrappedRows(rows[place.y] ?? "", columns) - 1;
  return above + below + (below > 0 ? own : 0);
}

/** The rows that a terminal needs for a row at a width; a wide character that does not fit goes to the next one whole. */
function wrappedRows(row: string, columns: number): number {
  let count = 1;
  let used = 0;
  for (const { width } of atomsOf(row)) {
    if (used + width > columns && used > 0) {
      count++;
      used = 0;
    }
    used += width;
  }
  return count;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

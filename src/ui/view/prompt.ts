/** The input box: the prompt mark, the draft, and the caret. */

import { visibleLine } from "../../render/sanitize";
import { cutLine, textWidth } from "../../render/width";
import { fill } from "../../shared/locales";
import { isEmpty, visualRows } from "../input/editBuffer";
import { currentMatch, type HistorySearch } from "../input/historyWalk";
import type { ScreenState } from "../state/ScreenState";
import type { TextKey } from "../state/texts";
import type { Caret } from "./face";
import type { Room } from "./room";

/** The one row of the screen that begins with this is the input row. */
const MARK = "❯ ";
const INDENT = "  ";

/** Any other row, kept from looking like the input row where there is no room for an indent. */
export function unlikePrompt(row: string): string {
  return /^(?:\u001b\[[\d;]*m)*❯/.test(row) ? ` ${row}` : row;
}

/** Cells for the draft: the marks stand at the left. */
export function draftWidth(columns: number): number {
  return Math.max(2, columns - 1 - MARK.length);
}

/** At most `max` rows, around the caret. The first row that is shown carries the mark. */
export function promptRows(state: ScreenState, room: Room, max: number): { rows: string[]; caret: Caret | null } {
  if (state.phase === "leaving") return { rows: [], caret: null };
  if (state.search) return searchRows(state.search, room);
  const { buffer } = state.draft;
  if (isEmpty(buffer)) return { rows: [emptyRow(state, room)], caret: { x: MARK.length, y: 0 } };
  const layout = visualRows(buffer, draftWidth(state.size.columns));
  const from = Math.min(Math.max(0, layout.row - max + 1), Math.max(0, layout.rows.length - max));
  const shown = layout.rows.slice(from, from + max);
  const rows = shown.map((row, index) => `${index === 0 ? room.paint("accent", MARK) : INDENT}${row.text}`);
  return { rows, caret: { x: MARK.length + layout.column, y: layout.row - from } };
}

/** The match where the draft stands otherwise, and below it what is looked for. */
function searchRows(search: HistorySearch, room: Room): { rows: string[]; caret: Caret } {
  const match = cutLine(visibleLine(currentMatch(search) ?? ""), Math.max(1, room.width - MARK.length));
  const label = `${INDENT}${room.texts.searchLabel} `;
  const query = visibleLine(search.query);
  const row = cutLine(`${room.paint("strong", label)}${query}`, room.width);
  const caret = { x: Math.min(textWidth(label) + textWidth(query), room.width), y: 1 };
  return {
    rows: [`${room.paint("accent", MARK)}${match}`, `${row}${room.paint("dim", `  ${room.texts.searchKeys}`)}`],
    caret,
  };
}

function emptyRow(state: ScreenState, room: Room): string {
  const text = cutLine(fill(room.texts[placeholder(state)], {}), room.width - textWidth(MARK));
  return `${room.paint("accent", MARK)}${room.paint("dim", text)}`;
}

function placeholder(state: ScreenState): TextKey {
  if (state.phase === "opening") return "placeholderStart";
  return state.phase === "working" ? "placeholderWorking" : "placeholderIdle";
}

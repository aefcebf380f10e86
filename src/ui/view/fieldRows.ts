/** A text field of a dialog as rows: its label, then the text, with the caret. */

import { type EditBuffer, visualRows } from "../input/editBuffer";
import type { Caret } from "./face";
import type { Room } from "./room";

const MAX_ROWS = 4;

export function fieldRows(label: string, buffer: EditBuffer, room: Room): { rows: string[]; caret: Caret } {
  const layout = visualRows(buffer, Math.max(2, room.width - 2));
  const from = Math.max(0, layout.row - MAX_ROWS + 1);
  const rows = layout.rows.slice(from, from + MAX_ROWS).map((row) => `${room.paint("accent", "›")} ${row.text}`);
  return { rows: [room.paint("strong", label), ...rows], caret: { x: 2 + layout.column, y: 1 + layout.row - from } };
}

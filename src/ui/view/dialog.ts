/** An open dialog as rows: a head, a body that scrolls when it is too tall, and a foot with the keys that is always there. */

import { cutLine } from "../../render/width";
import { fill } from "../../shared/locales";
import type { Dialog, ShownPart } from "../dialogs/dialog";
import type { Caret, Face } from "./face";
import { approvalFace, directoryFace } from "./permissionFaces";
import { confirmFace, pickerFace, planFace, questionFace } from "./questionFaces";
import type { Room } from "./room";

export interface DialogRows {
  rows: string[];
  caret: Caret | null;
  shown: ShownPart;
}

/** Which of several waiting requests this is. */
export interface Place {
  index: number;
  count: number;
}

/** At most `max` rows. Head and foot win over the body, for the keys must be seen; the body keeps at least one row. */
export function dialogRows(
  dialog: Dialog,
  room: Room,
  size: { columns: number; max: number; place: Place },
): DialogRows {
  const face = faceOf(dialog, room);
  if (size.place.count > 1)
    face.head[0] = `${face.head[0] ?? ""} ${room.paint("dim", `(${fill(room.texts.dialogCount, { ...size.place })})`)}`;
  const foot = face.foot.slice(0, Math.max(1, size.max - 1));
  const head = face.head.slice(0, Math.max(0, size.max - foot.length - (face.body.length > 0 ? 1 : 0)));
  const window = Math.max(0, Math.min(face.body.length, size.max - head.length - foot.length));
  const from = firstRow(dialog.scroll, face, window);
  const rows = [...head, ...face.body.slice(from, from + window), ...foot].map((row) => cutLine(row, room.width));
  const scrolled =
    window < face.body.length ? withScrollMark(rows, head.length, { from, window, of: face.body.length }, room) : rows;
  const caret =
    face.caret && face.caret.y < foot.length ? { x: face.caret.x, y: head.length + window + face.caret.y } : null;
  return {
    rows: scrolled,
    caret,
    shown: { id: dialog.id, width: size.columns, from, to: from + window, of: face.body.length },
  };
}

function firstRow(scroll: number, { body, focus }: Face, window: number): number {
  const last = Math.max(0, body.length - window);
  if (focus === undefined) return Math.min(scroll, last);
  return Math.min(Math.max(0, focus - Math.floor(window / 2)), last);
}

/** Tells at the end of the first row that there is more than is seen. */
function withScrollMark(
  rows: string[],
  headRows: number,
  part: { from: number; window: number; of: number },
  room: Room,
): string[] {
  const at = Math.max(0, headRows - 1);
  const mark = room.paint("warn", `↑↓ ${part.from + 1}-${part.from + part.window}/${part.of}`);
  return rows.map((row, index) => (index === at ? `${cutLine(row, room.width - 16)}  ${mark}` : row));
}

function faceOf(dialog: Dialog, room: Room): Face {
  const { ask } = dialog;
  switch (ask.kind) {
    case "approval":
      return approvalFace(ask, room);
    case "directory":
      return directoryFace(ask, room);
    case "question":
      return questionFace(ask, room);
    case "plan":
      return planFace(ask, room);
    case "picker":
      return pickerFace(ask, room);
    case "confirm":
      return confirmFace(ask, room);
  }
}

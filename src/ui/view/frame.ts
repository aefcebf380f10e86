/** The live region as rows: what stands below the printed output, never taller than the screen allows (tui rule 1). */

import { modelText, visibleLine } from "../../render/sanitize";
import { cutLine, wrapText } from "../../render/width";
import { fill } from "../../shared/locales";
import type { Dialog, ShownPart } from "../dialogs/dialog";
import type { ScreenState } from "../state/ScreenState";
import { cardRows } from "./card";
import { dialogRows } from "./dialog";
import type { Caret } from "./face";
import { popupRows } from "./popup";
import { promptRows, unlikePrompt } from "./prompt";
import { queueRows } from "./queueRows";
import { indentOf, type Room } from "./room";
import { statusRow } from "./statusLine";
import { workRow } from "./workRow";

export interface Frame {
  rows: string[];
  caret: Caret | null;
  /** The part of the open dialog that this frame shows. */
  shown: ShownPart | null;
}

/** Rows that the terminal keeps free: one for the cursor behind the last row, one against the clearing of the screen. */
const FREE_ROWS = 2;
/** What streams above the input box needs no more than this; fewer rows cost less to draw. */
const TAIL_ROWS = 12;
const CARD_ROWS = 14;
/** Characters of a pending block that can be seen at all. */
const TAIL_CHARS = 6_000;

export function buildFrame(state: ScreenState, room: Room): Frame {
  if (state.phase === "left") return { rows: [], caret: null, shown: null };
  const cap = Math.max(1, state.size.rows - FREE_ROWS);
  const bottom = bottomRows(state, room, cap);
  let left = cap - bottom.rows.length;
  const status = left > 0 ? [bottomLine(state, room)] : [];
  left -= status.length;
  const isAsking = state.dialogs[0]?.parked === false;
  const work = left > 0 && state.turn && !isAsking ? [workRow(state.turn, room, state.dialogs.length > 0)] : [];
  left -= work.length;
  const queue = queueRows(state.queue, room, Math.min(3, left));
  left -= queue.length;
  const popup = popupRows(state, room, left);
  left -= popup.length;
  const above = liveRows(state, room, left);
  const top = [...above, ...work, ...queue].map(unlikePrompt);
  const all = [...top, ...bottom.rows, ...popup, ...status];
  // On a screen of a row or two even the box and its hint are too much: the lower rows win.
  const over = Math.max(0, all.length - cap);
  const rows = all.slice(over).map((row) => cutLine(row, room.width));
  const caret = bottom.caret && {
    x: Math.min(bottom.caret.x, room.width),
    y: Math.max(0, bottom.caret.y + top.length - over),
  };
  return { rows, caret, shown: bottom.shown };
}

interface Bottom {
  rows: string[];
  caret: Caret | null;
  shown: ShownPart | null;
}

/** The open dialog, or the input box with the hint of a parked one above it. */
function bottomRows(state: ScreenState, room: Room, cap: number): Bottom {
  const [dialog] = state.dialogs;
  if (dialog && !dialog.parked) {
    const place = { index: 1, count: state.dialogs.length };
    return dialogRows(dialog, room, { columns: state.size.columns, max: Math.max(1, cap - 1), place });
  }
  const hint = dialog ? [parkedRow(dialog, state.dialogs.length, room)] : [];
  const prompt = promptRows(state, room, Math.max(1, cap - 3 - hint.length));
  return {
    rows: [...hint, ...prompt.rows],
    caret: prompt.caret && { x: prompt.caret.x, y: prompt.caret.y + hint.length },
    shown: null,
  };
}

function parkedRow(dialog: Dialog, count: number, room: Room): string {
  const { ask } = dialog;
  const text =
    ask.kind === "approval"
      ? fill(room.texts.parkedHint, { tool: visibleLine(ask.toolName) })
      : room.texts.parkedHintQuestion;
  return cutLine(
    `${room.paint("warn", "▲")} ${room.paint("strong", text)}${count > 1 ? room.paint("dim", ` (${count})`) : ""}`,
    room.width,
  );
}

/** The last row: the status, or for a moment what the person must know first. */
function bottomLine(state: ScreenState, room: Room): string {
  if (state.hint)
    return cutLine(room.paint("warn", fill(room.texts[state.hint.text], state.hint.values ?? {})), room.width);
  return statusRow(state.status, room);
}

/** The answer's tail and the open cards, parted by blank rows where there is room for them. */
function liveRows(state: ScreenState, room: Room, left: number): string[] {
  if (left <= 0) return [];
  if (!state.turn) return [""];
  const cards = openCards(state, room, Math.min(left, CARD_ROWS));
  const tailSpace = left - cards.length - 1;
  const tail = tailRows(state.turn.tail, room, Math.min(tailSpace, TAIL_ROWS));
  const parts = [tail, cards].filter((rows) => rows.length > 0);
  const rows = parts.flatMap((part) => ["", ...part]);
  if (rows.length + 1 <= left) rows.push("");
  return rows.length <= left ? rows : rows.slice(rows.length - left);
}

function openCards(state: ScreenState, room: Room, max: number): string[] {
  // The dialog shows what is proposed; its card would only say it again.
  const isAsking = state.dialogs[0]?.parked === false;
  const cards = (state.turn?.cards ?? []).filter((card) => !isAsking || card.state !== "proposed");
  if (max <= 0) return [];
  const each = Math.max(0, Math.min(state.wideOutput ? max : 6, Math.floor(max / Math.max(1, cards.length)) - 1));
  const rows = cards.flatMap((card) => cardRows(card, room, each));
  return rows.length <= max ? rows : rows.slice(rows.length - max);
}

/** The last rows of the pending block as plain text; the head tells how many are above it. */
function tailRows(tail: string, room: Room, max: number): string[] {
  if (tail.trim() === "" || max <= 0) return [];
  const indent = indentOf(room);
  const text = modelText(tail.slice(-TAIL_CHARS)).replace(/^\n+|\n+$/g, "");
  const rows = wrapText(text, room.width - indent.length).map((row) => `${indent}${row}`);
  if (rows.length <= max) return rows;
  const hidden = rows.length - max + 1;
  return [`${indent}${room.paint("dim", fill(room.texts.rowsAbove, { count: hidden }))}`, ...rows.slice(hidden)];
}

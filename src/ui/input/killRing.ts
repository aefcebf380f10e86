/** Killing and yanking: what a kill takes goes to a ring; kills in a row are one piece. */

import { change, type EditBuffer, replaceUnits, type Unit } from "./draft";
import { blankWordLeft, lineEnd, lineStart, wordLeft, wordRight } from "./motions";

const RING_SIZE = 30;

/** Ctrl-K: to the end of the line; at the end of it, the line end itself. */
export function killToLineEnd(buffer: EditBuffer): EditBuffer {
  const end = lineEnd(buffer);
  return killForward(buffer, end === buffer.caret ? end + 1 : end);
}

/** Ctrl-U: to the beginning of the line; at its beginning, the line end before it. */
export function killToLineStart(buffer: EditBuffer): EditBuffer {
  const start = lineStart(buffer);
  return killBack(buffer, start === buffer.caret ? start - 1 : start);
}

/** Ctrl-W: back over the piece between blanks. */
export const killBlankWordBack = (buffer: EditBuffer): EditBuffer => killBack(buffer, blankWordLeft(buffer));
/** Alt-Backspace: back over the word. */
export const killWordBack = (buffer: EditBuffer): EditBuffer => killBack(buffer, wordLeft(buffer));
/** Alt-D: over the word ahead. */
export const killWordForward = (buffer: EditBuffer): EditBuffer => killForward(buffer, wordRight(buffer));

function killBack(buffer: EditBuffer, from: number): EditBuffer {
  return kill(buffer, { start: Math.max(0, from), end: buffer.caret, action: "killBack" });
}

function killForward(buffer: EditBuffer, to: number): EditBuffer {
  return kill(buffer, { start: buffer.caret, end: Math.min(buffer.units.length, to), action: "killForward" });
}

interface Kill {
  start: number;
  end: number;
  action: "killBack" | "killForward";
}

function kill(buffer: EditBuffer, { start, end, action }: Kill): EditBuffer {
  if (start >= end) return buffer;
  const piece = buffer.units.slice(start, end);
  const next = change(buffer, replaceUnits(buffer, { start, end, units: [] }), action);
  return { ...next, kills: ringWith(buffer, piece, action) };
}

function ringWith(buffer: EditBuffer, piece: readonly Unit[], action: Kill["action"]): EditBuffer["kills"] {
  const joins = buffer.last === "killBack" || buffer.last === "killForward";
  const newest = joins ? buffer.kills.at(-1) : undefined;
  if (!newest) return [...buffer.kills, piece].slice(-RING_SIZE);
  const joined = action === "killBack" ? [...piece, ...newest] : [...newest, ...piece];
  return [...buffer.kills.slice(0, -1), joined];
}

/** Ctrl-Y: puts the newest piece at the caret. */
export function yank(buffer: EditBuffer): EditBuffer {
  const piece = buffer.kills.at(-1);
  if (!piece) return buffer;
  return change(buffer, replaceUnits(buffer, { start: buffer.caret, end: buffer.caret, units: piece }), "yank");
}

/** Alt-Y, right after a yank: the piece before it instead. */
export function yankPop(buffer: EditBuffer): EditBuffer {
  const newest = buffer.kills.at(-1);
  if (buffer.last !== "yank" || !newest || buffer.kills.length < 2) return buffer;
  const turned = [newest, ...buffer.kills.slice(0, -1)];
  const piece = turned.at(-1) ?? [];
  const start = buffer.caret - newest.length;
  return { ...change(buffer, replaceUnits(buffer, { start, end: buffer.caret, units: piece }), "yank"), kills: turned };
}

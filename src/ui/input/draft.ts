/** The draft as a value: graphemes and paste markers in a row, a caret between them, and what can be undone. */

import { graphemes } from "../../render/graphemes";

/** A large paste that stands in the draft as one unit; its text is sent literally. */
export interface Marker {
  readonly number: number;
  readonly text: string;
  readonly lines: number;
}

/** A grapheme (a line end is `\n`) or a marker. */
export type Unit = string | Marker;

/** What undo brings back. */
export interface Snapshot {
  readonly units: readonly Unit[];
  readonly caret: number;
}

/** The kind of the last change: neighbours of the same kind join (typing in undo, kills in the kill ring). */
export type LastAction = "type" | "killForward" | "killBack" | "yank" | "other";

export interface EditBuffer extends Snapshot {
  readonly undone: readonly Snapshot[];
  readonly redone: readonly Snapshot[];
  /** Killed pieces, newest last. */
  readonly kills: readonly (readonly Unit[])[];
  readonly last: LastAction;
  /** The column that moving up and down holds on to; null after any other key. */
  readonly goalColumn: number | null;
  /** Pastes folded so far; each keeps its number. */
  readonly markers: number;
}

/** A paste with more lines or more characters than these becomes a marker (tui rule 18). */
const MARKER_LINES = 5;
const MARKER_CHARACTERS = 800;
const MAX_UNDO = 500;

export function createBuffer(text = ""): EditBuffer {
  const units = unitsOf(text);
  return { units, caret: units.length, undone: [], redone: [], kills: [], last: "other", goalColumn: null, markers: 0 };
}

export function unitsOf(text: string): Unit[] {
  return graphemes(text.replace(/\r\n?/g, "\n"));
}

/** The text that is sent: markers stand for exactly what was pasted. */
export function textOf(buffer: EditBuffer): string {
  return buffer.units.map((unit) => (typeof unit === "string" ? unit : unit.text)).join("");
}

export function isEmpty(buffer: EditBuffer): boolean {
  return buffer.units.length === 0;
}

/** A new state of the text, with the old one to undo to. Typing that goes on joins the step before. */
export function change(buffer: EditBuffer, next: Snapshot, last: LastAction = "other"): EditBuffer {
  const joins = last === "type" && buffer.last === "type";
  const before = { units: buffer.units, caret: buffer.caret };
  const undone = joins ? buffer.undone : [...buffer.undone, before].slice(-MAX_UNDO);
  return { ...buffer, ...next, undone, redone: [], last, goalColumn: null };
}

/** The caret somewhere else, the text as it was. */
export function moveTo(buffer: EditBuffer, caret: number, goalColumn: number | null = null): EditBuffer {
  const place = Math.max(0, Math.min(buffer.units.length, caret));
  return { ...buffer, caret: place, last: "other", goalColumn };
}

/** Replaces the units from `start` to `end` and puts the caret behind the new ones. */
export function replaceUnits(
  buffer: EditBuffer,
  range: { start: number; end: number; units: readonly Unit[] },
): Snapshot {
  const { start, end, units } = range;
  const before = buffer.units.slice(0, start);
  const after = buffer.units.slice(end);
  return { units: [...before, ...units, ...after], caret: start + units.length };
}

/** Types text at the caret. A blank or a line end closes the undo step, so that undo goes back word by word. */
export function insertText(buffer: EditBuffer, text: string): EditBuffer {
  if (text === "") return buffer;
  const inserted = change(buffer, joinAtCaret(buffer, text), "type");
  return /\s$/.test(text) ? { ...inserted, last: "other" } : inserted;
}

/** A typed mark or joiner may belong to the grapheme before it, or bind the one behind it. */
function joinAtCaret(buffer: EditBuffer, text: string): Snapshot {
  const { units, caret } = buffer;
  const before = units[caret - 1];
  const after = units[caret];
  const left = typeof before === "string" && before !== "\n" ? before : "";
  const right = typeof after === "string" && after !== "\n" ? after : "";
  const joined = unitsOf(left + text + right);
  const start = left === "" ? caret : caret - 1;
  const next = replaceUnits(buffer, { start, end: right === "" ? caret : caret + 1, units: joined });
  const isApart = right !== "" && joined.at(-1) === right;
  return isApart ? { ...next, caret: next.caret - 1 } : next;
}

/** A paste: short text as if typed in one step, long text as a marker. */
export function insertPaste(buffer: EditBuffer, text: string): EditBuffer {
  const clean = text.replace(/\r\n?/g, "\n");
  if (clean === "") return buffer;
  const lines = countLines(clean);
  if (lines <= MARKER_LINES && clean.length <= MARKER_CHARACTERS) return change(buffer, joinAtCaret(buffer, clean));
  const marker: Marker = { number: buffer.markers + 1, text: clean, lines };
  const next = replaceUnits(buffer, { start: buffer.caret, end: buffer.caret, units: [marker] });
  return { ...change(buffer, next), markers: buffer.markers + 1 };
}

/** Lines of a text; a line end at its very end begins no further line. */
function countLines(text: string): number {
  const ends = text.split("\n").length;
  return text.endsWith("\n") ? ends - 1 : ends;
}

/** Turns the marker left of the caret (else the one right of it) into its text. The same buffer if there is none. */
export function expandMarker(buffer: EditBuffer): EditBuffer {
  for (const at of [buffer.caret - 1, buffer.caret]) {
    const unit = buffer.units[at];
    if (unit !== undefined && typeof unit !== "string") {
      return change(buffer, replaceUnits(buffer, { start: at, end: at + 1, units: unitsOf(unit.text) }));
    }
  }
  return buffer;
}

/** Removes units; the caret goes to where they stood. */
export function removeUnits(buffer: EditBuffer, start: number, end: number): EditBuffer {
  return start >= end ? buffer : change(buffer, replaceUnits(buffer, { start, end, units: [] }));
}

export function deleteBack(buffer: EditBuffer): EditBuffer {
  return removeUnits(buffer, Math.max(0, buffer.caret - 1), buffer.caret);
}

export function deleteForward(buffer: EditBuffer): EditBuffer {
  return removeUnits(buffer, buffer.caret, Math.min(buffer.units.length, buffer.caret + 1));
}

/** Another text in place of the whole draft (history, an editor's return), undoable; the caret at its end. */
export function setText(buffer: EditBuffer, text: string): EditBuffer {
  const units = unitsOf(text);
  return change(buffer, { units, caret: units.length });
}

/** Empties the draft; undo brings it back. */
export function clearBuffer(buffer: EditBuffer): EditBuffer {
  return isEmpty(buffer) ? buffer : change(buffer, { units: [], caret: 0 });
}

/** The empty draft after sending: nothing to undo, but what was killed can still be yanked. */
export function freshBuffer(buffer: EditBuffer): EditBuffer {
  return { ...createBuffer(), kills: buffer.kills };
}

/** A backslash left of the caret becomes a line end (`\` and Enter); null where there is none. */
export function continueLine(buffer: EditBuffer): EditBuffer | null {
  if (buffer.units[buffer.caret - 1] !== "\\") return null;
  return change(buffer, replaceUnits(buffer, { start: buffer.caret - 1, end: buffer.caret, units: ["\n"] }));
}

/** One step back; the same buffer at the beginning. */
export function undo(buffer: EditBuffer): EditBuffer {
  const before = buffer.undone.at(-1);
  if (!before) return buffer;
  const now = { units: buffer.units, caret: buffer.caret };
  const undone = buffer.undone.slice(0, -1);
  return { ...buffer, ...before, undone, redone: [...buffer.redone, now], last: "other", goalColumn: null };
}

/** One undone step forward again; the same buffer when there is none. */
export function redo(buffer: EditBuffer): EditBuffer {
  const after = buffer.redone.at(-1);
  if (!after) return buffer;
  const now = { units: buffer.units, caret: buffer.caret };
  const redone = buffer.redone.slice(0, -1);
  return { ...buffer, ...after, undone: [...buffer.undone, now], redone, last: "other", goalColumn: null };
}

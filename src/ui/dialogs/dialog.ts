/** A question on the screen: who asks, whether it is open, and whether a key may answer it yet. */

import type { InputEvent } from "../input/inputEvents";
import type { Approval } from "./approval";
import type { Confirm } from "./confirm";
import type { Directory } from "./directory";
import type { Picker } from "./picker";
import type { Plan } from "./plan";
import type { Question } from "./question";

export type Ask = Approval | Question | Plan | Directory | Picker | Confirm;

/** What of the body the person has seen so far, in rows at one width. */
export interface Seen {
  width: number;
  /** Rows 0 to `to` were on the screen, without a gap. */
  to: number;
  /** Rows that the body has, and how many fit at once. */
  of: number;
  window: number;
}

export interface Dialog {
  id: number;
  ask: Ask;
  /** It came over a draft and waits as a one-line hint until it is opened (tui rule 24). */
  parked: boolean;
  /** Since when no key was ignored: at first, when its first frame had been written; null before. */
  shownAt: number | null;
  /** First body row on the screen. */
  scroll: number;
  seen: Seen;
}

/** A new dialog and a changed one both begin here: unseen, and deaf to keys. */
export function openDialog(id: number, ask: Ask, parked: boolean): Dialog {
  return { id, ask, parked, shownAt: null, scroll: 0, seen: { width: 0, to: 0, of: 1, window: 0 } };
}

/** Milliseconds of silence before a new dialog takes a key. */
export const GUARD_MS = 500;

/** True once keys may reach the dialog at all. */
export function isListening(dialog: Dialog, now: number): boolean {
  return !dialog.parked && dialog.shownAt !== null && now - dialog.shownAt >= GUARD_MS;
}

/** The guard begins anew with each key that it keeps out: whoever was typing still is, and the next key is no answer. */
export function ignoreKey(dialog: Dialog, now: number): Dialog {
  return dialog.shownAt === null ? dialog : { ...dialog, shownAt: now };
}

/** True when every row of what is asked has been on the screen at this width. */
export function isWhollySeen(dialog: Dialog, width: number): boolean {
  return dialog.seen.width === width && dialog.seen.to >= dialog.seen.of;
}

/** The part of a body that a written frame showed. */
export interface ShownPart {
  id: number;
  width: number;
  from: number;
  to: number;
  of: number;
}

/** The dialog after a frame with it has been written. */
export function noteShown(dialog: Dialog, part: ShownPart, now: number): Dialog {
  const before = dialog.seen.width === part.width ? dialog.seen.to : 0;
  const to = part.from <= before ? Math.max(before, part.to) : before;
  const seen = { width: part.width, to, of: part.of, window: part.to - part.from };
  return { ...dialog, shownAt: dialog.shownAt ?? now, seen };
}

/** The dialog scrolled by a key, never over rows that were not on the screen yet; null when the key does not scroll. */
export function scrollDialog(dialog: Dialog, event: InputEvent): Dialog | null {
  const { of, window } = dialog.seen;
  const step = scrollStep(event, Math.max(1, window - 1), of);
  if (step === 0 || of <= window) return null;
  const furthest = Math.min(of - window, dialog.seen.to);
  return { ...dialog, scroll: Math.min(Math.max(0, dialog.scroll + step), furthest) };
}

function scrollStep(event: InputEvent, page: number, all: number): number {
  if (event.type === "text") return event.text === " " ? page : 0;
  if (event.type !== "key") return 0;
  const steps: Record<string, number> = { up: -1, down: 1, pageup: -page, pagedown: page, home: -all, end: all };
  return steps[event.name] ?? 0;
}

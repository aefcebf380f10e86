/** The text in the input box together with the earlier texts that the arrows walk through. */

import {
  clearBuffer,
  continueLine,
  createBuffer,
  type EditBuffer,
  freshBuffer,
  isEmpty,
  moveDown,
  moveUp,
  setText,
  textOf,
} from "../input/editBuffer";
import { type HistoryWalk, newerPrompt, olderPrompt, startWalk } from "../input/historyWalk";

export interface Draft {
  buffer: EditBuffer;
  walk: HistoryWalk;
}

export const emptyDraft: Draft = { buffer: createBuffer(), walk: startWalk([]) };

/** The text as it will be sent: pastes in full. */
export function draftText(draft: Draft): string {
  return textOf(draft.buffer);
}

export function isDraftEmpty(draft: Draft): boolean {
  return isEmpty(draft.buffer);
}

export function withDraftText(draft: Draft, text: string): Draft {
  return { ...draft, buffer: setText(draft.buffer, text) };
}

export function clearDraft(draft: Draft): Draft {
  return { ...draft, buffer: clearBuffer(draft.buffer) };
}

/** The box after sending: what was sent is now the newest of the earlier texts. */
export function sentDraft(draft: Draft): Draft {
  const text = draftText(draft);
  const { entries } = draft.walk;
  const walk = startWalk(text === entries.at(-1) ? entries : [...entries, text]);
  return { buffer: freshBuffer(draft.buffer), walk };
}

/** The earlier texts of this folder, once they are read; what was sent meanwhile stays behind them. */
export function withHistory(draft: Draft, entries: readonly string[]): Draft {
  return { ...draft, walk: startWalk([...entries, ...draft.walk.entries]) };
}

/** A backslash at the caret and Enter make a new line; null where there is none. */
export function continueDraft(draft: Draft): Draft | null {
  const buffer = continueLine(draft.buffer);
  return buffer && { ...draft, buffer };
}

/** Up and down: by row first, then through the earlier texts; the draft and edits made on the way are kept. */
export function moveDraft(draft: Draft, direction: "up" | "down", width: number): Draft {
  const buffer = direction === "up" ? moveUp(draft.buffer, width) : moveDown(draft.buffer, width);
  if (buffer) return { ...draft, buffer };
  return (direction === "up" ? olderPrompt(draft.walk, draft.buffer) : newerPrompt(draft.walk, draft.buffer)) ?? draft;
}

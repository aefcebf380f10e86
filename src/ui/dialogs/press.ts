/** What a dialog is told of the keyboard, and what it makes of it. */

import type { InputEvent } from "../input/inputEvents";

/**
 * What reaches a dialog: every event as it comes, for scrolling, moving and writing; and, a moment later, the key that
 * was pressed on its own, which alone may answer (tui rule 25). Pastes and bursts never become such a key.
 */
export type Press = { kind: "event"; event: InputEvent } | { kind: "single"; key: string };

/** The key that may answer, in lower case; null for all else. */
export function answerKey(press: Press): string | null {
  return press.kind === "single" ? press.key.toLowerCase() : null;
}

/** What a key did to a dialog: changed it, answered it (`stop`: and ends the turn), asked for the editor, or nothing (null). */
export type Outcome<T> = { ask: T } | { answer: unknown; stop?: boolean } | { wants: "editor" } | null;

/** Rings when something waits for the person, or a long turn is over, and the person looks elsewhere (tui rule 35). */

import type { InputEvent } from "./input/inputEvents";
import type { ScreenState } from "./state/ScreenState";

/** A turn that took less was waited for. */
const LONG_TURN_MS = 10_000;

/** Lists and confirmations were opened by the person: nobody has to be called to them. */
const ownQuestions = new Set(["picker", "confirm"]);

export interface Bell {
  /** Learns from the terminal's reports whether it has the focus. Until the first one that is unknown, and it rings. */
  hear(event: InputEvent): void;
  /** Compares what is shown with what was shown before. */
  follow(state: ScreenState, now: number): void;
}

export function createBell(ring: () => void): Bell {
  let isLookedAt = false;
  let last: ScreenState | null = null;
  return {
    hear(event) {
      if (event.type === "focus") isLookedAt = event.focused;
    },
    follow(state, now) {
      const before = last;
      last = state;
      if (before && !isLookedAt && (hasNewRequest(before, state) || hasLongTurnEnded(before, state, now))) ring();
    },
  };
}

/** One that joins others which wait already is heard with them. */
function hasNewRequest(before: ScreenState, state: ScreenState): boolean {
  return !hasRequest(before) && hasRequest(state);
}

function hasRequest({ dialogs }: ScreenState): boolean {
  return dialogs.some(({ ask }) => !ownQuestions.has(ask.kind));
}

/** Whoever stopped it is there. */
function hasLongTurnEnded({ turn }: ScreenState, state: ScreenState, now: number): boolean {
  return turn !== null && !turn.stopping && state.phase === "idle" && now - turn.startedAt >= LONG_TURN_MS;
}

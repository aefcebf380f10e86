/** Lets through only keys that a hand pressed on their own: the gate before every answer to an approval (tui rule 25). */

import { BURST_MS } from "./burst";
import type { InputEvent } from "./inputEvents";

/** A return right behind a key is itself held for a burst before it is an event. */
const GATE_MS = 2 * BURST_MS + 5;

export interface SingleKeyGate {
  take(event: InputEvent): void;
  close(): void;
}

/**
 * Hands on a key (`y`, `escape` …) that came alone in its read, with nothing close before it, and waits a moment
 * for what may follow: a paste in pieces begins with a key that looks typed.
 */
export function createSingleKeyGate(onKey: (key: string) => void): SingleKeyGate {
  let timer: NodeJS.Timeout | null = null;
  const drop = () => {
    if (timer) clearTimeout(timer);
    timer = null;
  };
  return {
    take(event) {
      const hadKey = timer !== null;
      drop();
      const key = singleKey(event);
      if (key === null || hadKey) return;
      timer = setTimeout(() => {
        timer = null;
        onKey(key);
      }, GATE_MS);
    },
    close: drop,
  };
}

function singleKey(event: InputEvent): string | null {
  if (event.type === "text") return event.alone ? event.text : null;
  if (event.type !== "key" || !event.alone) return null;
  return event.ctrl || event.alt || event.shift ? null : event.name;
}

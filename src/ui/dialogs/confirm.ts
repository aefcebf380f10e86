/** A yes or no before something that cannot be seen beforehand: what a rollback is about to do. */

import type { InputEvent } from "../input/inputEvents";
import type { TextKey } from "../state/texts";
import { answerKey, type Outcome } from "./dialog";

export interface Confirm {
  kind: "confirm";
  title: TextKey;
  values: Record<string, string | number>;
  /** What will happen, group by group. Paths are foreign text. */
  groups: readonly { title: TextKey; tone: "plain" | "warn"; paths: readonly string[] }[];
  refused: boolean;
}

/** The answer is true or false. */
export function confirmKey(ask: Confirm, event: InputEvent, seen: boolean): Outcome {
  const key = answerKey(event);
  if (key === "n" || key === "escape") return { answer: false };
  if (key !== "y") return null;
  return seen ? { answer: true } : { ask: { ...ask, refused: true } };
}

/** A yes or no before something that cannot be seen beforehand: what a rollback is about to do. */

import type { TextKey } from "../state/texts";
import { answerKey, type Outcome, type Press } from "./press";

export interface Confirm {
  kind: "confirm";
  title: TextKey;
  values: Record<string, string | number>;
  /** What will happen, group by group. Paths are foreign text. */
  groups: readonly { title: TextKey; tone: "plain" | "warn"; paths: readonly string[] }[];
  refused: boolean;
}

/** The answer is true or false. */
export function confirmKey(ask: Confirm, press: Press, seen: boolean): Outcome<Confirm> {
  const key = answerKey(press);
  if (key === "n" || key === "escape") return { answer: false };
  if (key !== "y") return null;
  return seen ? { answer: true } : { ask: { ...ask, refused: true } };
}

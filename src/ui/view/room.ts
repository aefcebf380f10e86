/** What every row builder is told: how wide, in which colours and language, and what time it is. */

import type { Paint } from "../../render/color";
import type { UiTexts } from "../state/texts";

export interface Room {
  /** Cells that a row may use; the terminal is at least one column wider, so that no row is ever as wide as it. */
  width: number;
  paint: Paint;
  /** Foreign colours may stay. */
  color: boolean;
  texts: UiTexts;
  /** Milliseconds of the screen's clock. */
  now: number;
  /** The spinner's frame number; stands still when nothing works. */
  beat: number;
}

/** Under 30 columns every cell counts: no indent. */
export function indentOf(room: Room): string {
  return room.width < 29 ? "" : "  ";
}

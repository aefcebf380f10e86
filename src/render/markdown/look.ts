/** What every part of a Markdown text is rendered with. */

import type { Paint } from "../color";
import type { Highlighter } from "../highlight";

export interface Look {
  /** Columns that a row may take. */
  width: number;
  paint: Paint;
  /** Without colour some marks of the source stay, or nothing would be left to tell a heading by. */
  color: boolean;
  /** The terminal understands OSC 8. */
  hyperlinks: boolean;
  /** Bars and rules are drawn; a screen reader would read them out. */
  boxArt: boolean;
  highlighter: Highlighter | null;
}

/** The same look in a narrower place. */
export function narrower(look: Look, columns: number): Look {
  return { ...look, width: Math.max(8, look.width - columns) };
}

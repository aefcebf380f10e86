/** The live region, with the terminal's real cursor at the caret in every frame (tui rule 21). */

import { useCursor } from "ink";
import { Rows } from "../Rows";

interface PromptProps {
  rows: readonly string[];
  /** Cells and rows from the region's top left; null: no caret, the cursor is hidden. */
  caret: { x: number; y: number } | null;
}

export function Prompt({ rows, caret }: PromptProps) {
  const { setCursorPosition } = useCursor();
  setCursorPosition(caret ?? undefined);
  return <Rows rows={rows} />;
}

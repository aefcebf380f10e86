/** The live region, with the terminal's real cursor at the caret in every frame (tui rule 21). */

import { Transform, useCursor } from "ink";

interface PromptProps {
  /** Stand-ins of the rows. */
  rows: readonly string[];
  /** Cells and rows from the region's top left; null: no caret, the cursor is hidden. */
  caret: { x: number; y: number } | null;
}

/**
 * Ink lays out one blank a row and puts the stand-ins in when it draws: its measuring caches keep every text that they
 * have seen for ever, and the blanks are always the same.
 */
export function Prompt({ rows, caret }: PromptProps) {
  const { setCursorPosition } = useCursor();
  setCursorPosition(caret ?? undefined);
  if (rows.length === 0) return null;
  return <Transform transform={(_, index) => rows[index] ?? ""}>{rows.map(() => " ").join("\n")}</Transform>;
}

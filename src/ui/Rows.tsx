/** Finished rows for Ink: it is told their number and puts them on the screen as they are, without measuring or wrapping. */

import { Transform } from "ink";

/**
 * A stand-in of one blank a row is what Ink lays out; the transform puts the real rows in. Ink's measuring caches keep
 * every text for ever, and this text is always the same.
 */
export function Rows({ rows }: { rows: readonly string[] }) {
  if (rows.length === 0) return null;
  const standIn = rows.map(() => " ").join("\n");
  return <Transform transform={(_, index) => rows[index] ?? ""}>{standIn}</Transform>;
}

/** A unified diff for the screen: file names only where there are several, and no more rows than there is room for. */

import { parseDiff, renderDiff } from "../../render/diff";
import { fill } from "../../shared/locales";
import type { Room } from "./room";

/** All rows, long lines wrapped: where everything must be shown. */
export function wholeDiffRows(diff: string, room: Room): string[] {
  return renderDiff(diff, { width: room.width, paint: room.paint, wrap: true, hideFiles: hasOneFile(diff) });
}

/** At most `max` rows, long lines cut; a last row tells how many are left out. */
export function diffRows(diff: string, room: Room, max: number): string[] {
  const rows = renderDiff(diff, { width: room.width, paint: room.paint, hideFiles: hasOneFile(diff) });
  if (rows.length <= max) return rows;
  const hidden = rows.length - max + 1;
  return [...rows.slice(0, max - 1), room.paint("dim", fill(room.texts.moreRows, { count: hidden }))];
}

function hasOneFile(diff: string): boolean {
  return parseDiff(diff).filter((line) => line.kind === "file").length < 2;
}

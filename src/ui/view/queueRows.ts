/** Texts that were sent while a turn runs and have not reached the model yet. */

import { visibleLine } from "../../render/sanitize";
import { cutLine, textWidth } from "../../render/width";
import { fill } from "../../shared/locales";
import type { Queued } from "../state/queue";
import type { Room } from "./room";

/** One row each, at most `max`; the last row counts the rest. */
export function queueRows(queue: readonly Queued[], room: Room, max: number): string[] {
  if (queue.length === 0 || max <= 0) return [];
  const shown = queue.length > max ? queue.slice(0, max - 1) : queue;
  const rows = shown.map((entry, index) => queuedRow(entry, room, index === shown.length - 1));
  if (shown.length < queue.length)
    rows.push(room.paint("dim", `  ${fill(room.texts.moreRows, { count: queue.length - shown.length })}`));
  return rows;
}

function queuedRow(entry: Queued, { paint, texts, width }: Room, isLast: boolean): string {
  const label = entry.when === "now" ? texts.queuedNow : texts.queuedLater;
  const hint = isLast && width >= 59 ? ` · ${texts.queuedHint}` : "";
  const space = width - textWidth(label) - textWidth(hint) - 6;
  const text = cutLine(visibleLine(entry.text), Math.max(4, space));
  return cutLine(`  ${paint("accent", "+")} ${text} ${paint("dim", `(${label}${hint})`)}`, width);
}

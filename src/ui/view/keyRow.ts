/** Keys and what they do, side by side, wrapped between entries. */

import { textWidth } from "../../render/width";
import type { Room } from "./room";

/** A key as a person presses it, and what it does. */
export type KeyHelp = readonly [key: string, does: string];

export function keyRows(keys: readonly KeyHelp[], room: Room): string[] {
  const rows: string[] = [];
  for (const [key, does] of keys) {
    const entry = `${room.paint("accent", key)} ${does}`;
    const last = rows.at(-1);
    const joined = `${last}${room.paint("dim", " · ")}${entry}`;
    if (last !== undefined && textWidth(joined) <= room.width) rows[rows.length - 1] = joined;
    else rows.push(entry);
  }
  return rows;
}

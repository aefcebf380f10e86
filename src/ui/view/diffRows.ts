/** A unified diff as rows: line numbers at the left, sign and colour, long lines wrapped so that nothing is hidden. */

import { collapseBlanks, visibleText } from "../../render/sanitize";
import { padStart, wrapText } from "../../render/width";
import type { Room } from "./room";

interface DiffLine {
  sign: "+" | "-" | " ";
  /** Number in the new file, in the old one for removed lines. */
  number: number;
  text: string;
}

type DiffEntry = DiffLine | { title: string } | { gap: true };

/** At most `max` rows; a last row tells how many are left out. */
export function diffRows(diff: string, room: Room, max = Number.POSITIVE_INFINITY): string[] {
  const entries = parseDiff(diff);
  const digits = String(
    entries.reduce((most, entry) => ("number" in entry ? Math.max(most, entry.number) : most), 1),
  ).length;
  const rows: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (rows.length >= max) {
      rows.push(room.paint("dim", room.texts.moreRows.replace("{count}", String(entries.length - index))));
      break;
    }
    rows.push(...entryRows(entry, room, digits));
  }
  return rows;
}

function entryRows(entry: DiffEntry, room: Room, digits: number): string[] {
  if ("title" in entry)
    return wrapText(visibleText(entry.title), room.width, whole).map((row) => room.paint("strong", row));
  if ("gap" in entry) return [room.paint("dim", "⋮")];
  const number = padStart(String(entry.number), digits);
  const rows = wrapText(collapseBlanks(visibleText(entry.text)), room.width - digits - 3, whole);
  return rows.map((row, index) => {
    const margin = room.paint("dim", index === 0 ? number : " ".repeat(digits));
    return `${margin} ${signed(entry.sign, row, room)}`;
  });
}

const whole = { maxChars: Number.POSITIVE_INFINITY };

function signed(sign: DiffLine["sign"], text: string, { paint }: Room): string {
  if (sign === "+") return paint("added", `+ ${text}`);
  return sign === "-" ? paint("removed", `- ${text}`) : `  ${text}`;
}

/** Reads hunks by their counted lengths, so that content that looks like a header is still content. */
function parseDiff(diff: string): DiffEntry[] {
  const entries: DiffEntry[] = [];
  const at = { old: 0, new: 0, oldLeft: 0, newLeft: 0 };
  for (const line of diff.split("\n")) {
    if (at.oldLeft > 0 || at.newLeft > 0) entries.push(...hunkLine(line, at));
    else entries.push(...headerLine(line, at, entries));
  }
  return severalFiles(entries) ? entries : entries.filter((entry) => !("title" in entry));
}

interface HunkPlace {
  old: number;
  new: number;
  oldLeft: number;
  newLeft: number;
}

function hunkLine(line: string, at: HunkPlace): DiffEntry[] {
  const sign = line[0];
  const text = line.slice(1);
  if (sign === "+") {
    at.newLeft--;
    return [{ sign, number: at.new++, text }];
  }
  if (sign === "-") {
    at.oldLeft--;
    return [{ sign, number: at.old++, text }];
  }
  if (sign === "\\") return [];
  at.oldLeft--;
  at.newLeft--;
  at.old++;
  return [{ sign: " ", number: at.new++, text }];
}

function headerLine(line: string, at: HunkPlace, entries: readonly DiffEntry[]): DiffEntry[] {
  const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (hunk) {
    const [, old, oldCount = "1", fresh, newCount = "1"] = hunk;
    Object.assign(at, { old: Number(old), new: Number(fresh), oldLeft: Number(oldCount), newLeft: Number(newCount) });
    const last = entries.at(-1);
    return last && "sign" in last ? [{ gap: true }] : [];
  }
  const file = /^(?:\+\+\+|---) (?:[ab]\/)?(.+?)\t?$/.exec(line)?.[1];
  if (file === undefined || file === "/dev/null") return [];
  const last = entries.at(-1);
  const isRepeated = last && "title" in last && (line.startsWith("+++") || last.title === file);
  return isRepeated ? [] : [{ title: file }];
}

function severalFiles(entries: readonly DiffEntry[]): boolean {
  return entries.filter((entry) => "title" in entry).length > 1;
}

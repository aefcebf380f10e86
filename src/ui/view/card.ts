/** Tool cards as rows: one line that says what ran and how it went, and a short look at what came of it. */

import type { Role } from "../../render/color";
import { countDiff } from "../../render/diff";
import { mainArgument } from "../../render/mainArgument";
import { sanitizeText, visibleLine, visibleText } from "../../render/sanitize";
import { cutLine, cutLongLine, MAX_LINE_CHARS, textWidth, wrapText } from "../../render/width";
import { fill } from "../../shared/locales";
import { type Card, LIVE_OUTPUT_CHARS } from "../state/cards";
import type { UiTexts } from "../state/texts";
import { diffRows } from "./diffRows";
import { durationText, elapsedText, spinner } from "./figures";
import { indentOf, type Room } from "./room";

/** How many rows of a result a card shows; an edit may show more, for its diff is what the person looks for. */
const PREVIEW_ROWS = 5;
const OUTPUT_ROWS = 6;
const DIFF_ROWS = 40;

export function cardRows(card: Card, room: Room, liveRows = OUTPUT_ROWS): string[] {
  return [headRow(card, room), ...bodyRows(card, room, liveRows)];
}

function headRow(card: Card, room: Room): string {
  const { paint } = room;
  const mark = markOf(card, room);
  const name = visibleLine(card.name);
  const tail = tailOf(card, room);
  const space = room.width - textWidth(mark) - textWidth(name) - textWidth(tail) - 3;
  const argument = space > 3 ? cutLine(visibleLine(mainArgument(card.args)), space) : "";
  const row = [mark, paint("strong", name), argument, paint(tailRole(card), tail)]
    .filter((part) => part !== "")
    .join(" ");
  return cutLine(row, room.width);
}

function markOf(card: Card, { paint, beat }: Room): string {
  switch (card.state) {
    case "ok":
      return paint("good", "✓");
    case "error":
      return paint("bad", "✗");
    case "denied":
      return paint("warn", "⊘");
    case "interrupted":
      return paint("warn", "■");
    case "running":
      return paint("accent", spinner(beat));
    case "past":
    case "proposed":
      return paint("dim", card.state === "past" ? "·" : "◦");
  }
}

/** The state in words where the mark alone could be missed, how much came of it, and how long it took. */
function tailOf(card: Card, { texts, now }: Room): string {
  if (card.state === "denied") return texts.cardDenied;
  if (card.state === "interrupted") return texts.cardInterrupted;
  if (card.state === "running") return sinceText(now - (card.startedAt ?? now));
  const parts =
    card.state === "error" ? [texts.cardError] : [changeText(card), isQuiet(card) ? linesText(card, texts) : ""];
  return [...parts, timeOf(card.durationMs)].filter((part) => part !== "").join(" · ");
}

/** Tools whose result is for the model: how much they found is enough for a person. */
const quietTools: ReadonlySet<string> = new Set([
  "read_file",
  "list_files",
  "grep",
  "git_status",
  "git_log",
  "git_diff",
]);

function isQuiet(card: Card): boolean {
  return quietTools.has(card.name) && (card.state === "ok" || card.state === "past");
}

/** The preview may be only the beginning of a result. */
const CUT_CHARS = 1_000;

function linesText({ preview }: Card, texts: UiTexts): string {
  const count = preview.replace(/\n+$/, "").split("\n").length;
  if (preview.trim() === "") return "";
  return fill(texts.cardLines, { count: preview.length >= CUT_CHARS ? `${count}+` : count });
}

function changeText({ diff }: Card): string {
  if (diff === undefined) return "";
  const { added, removed } = countDiff(diff);
  return `+${added} −${removed}`;
}

function sinceText(milliseconds: number): string {
  return milliseconds < 1_000 ? "" : elapsedText(milliseconds);
}

function tailRole(card: Card): Role {
  if (card.state === "denied" || card.state === "interrupted") return "warn";
  return card.state === "error" ? "bad" : "dim";
}

/** Less than a tenth of a second is not worth a word. */
function timeOf(ms: number | undefined): string {
  return ms === undefined || ms < 100 ? "" : durationText(ms);
}

function bodyRows(card: Card, room: Room, liveRows: number): string[] {
  if (card.state === "running") return lastRows(card, room, liveRows);
  if (card.state === "denied") return barred(reasonRows(card, room), room);
  if (card.diff !== undefined) return barred(diffRows(card.diff, { ...room, width: room.width - 4 }, DIFF_ROWS), room);
  if (isQuiet(card)) return [];
  if (card.output.trim() !== "") return lastRows(card, room, PREVIEW_ROWS);
  return firstRows(card.preview, room, card.state === "error" ? OUTPUT_ROWS : PREVIEW_ROWS);
}

function reasonRows(card: Card, room: Room): string[] {
  const reason = card.reason ?? card.preview;
  return reason === "" ? [] : wrapText(visibleText(reason), room.width - 4).slice(0, PREVIEW_ROWS);
}

/** The last rows of running output: what a person who waits wants to see. */
function lastRows({ output }: Card, room: Room, count: number): string[] {
  const lines = cleanLines(output, room.color);
  const isCut = output.length >= LIVE_OUTPUT_CHARS;
  const shown = lines.slice(-count).map((line) => fitLine(line, room, isCut));
  const hidden = lines.length - shown.length;
  const head = hidden > 0 ? [room.paint("dim", fill(room.texts.rowsAbove, { count: hidden }))] : [];
  return barred([...head, ...shown], room);
}

function firstRows(text: string, room: Room, count: number): string[] {
  const lines = cleanLines(text, room.color);
  const shown = lines.slice(0, count).map((line) => fitLine(line, room));
  const hidden = lines.length - shown.length;
  if (hidden > 0 || text.length >= CUT_CHARS) shown.push(room.paint("dim", room.texts.cardMore));
  return barred(shown, room);
}

function cleanLines(text: string, color: boolean): string[] {
  const lines = sanitizeText(text, { color }).split("\n");
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

/** A line that is far longer than any row says how many characters are hidden; `isCut`: there were more than are kept. */
function fitLine(line: string, room: Room, isCut = false): string {
  const width = room.width - 4;
  if (line.length <= MAX_LINE_CHARS) return cutLine(line, width);
  const space = Math.max(1, width - ` (+${line.length}+)`.length);
  const hidden = room.paint("dim", ` (+${line.length - space + 1}${isCut ? "+" : ""})`);
  return cutLine(cutLine(cutLongLine(line), space) + hidden, width);
}

/** A left bar ties rows to their card; there is never a right one. */
function barred(rows: string[], room: Room): string[] {
  const bar = `${indentOf(room)}${room.paint("dim", "│")} `;
  return rows.map((row) => `${bar}${row}`);
}

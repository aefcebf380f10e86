/** Printed items as rows: they are made once, at the width of that moment, and given to the terminal for good. */

import type { Role } from "../../render/color";
import type { Block } from "../../render/markdown/blocks";
import { modelText, sanitizeText, visibleLine, visibleText } from "../../render/sanitize";
import { cutLine, padEnd, textWidth, wrapText } from "../../render/width";
import { errorSentence } from "../../shared/errorSentence";
import { fill } from "../../shared/locales";
import type { Item, Tone } from "../state/items";
import { cardRows } from "./card";
import { wholeDiffRows } from "./diffRows";
import { unlikePrompt } from "./prompt";
import { indentOf, type Room } from "./room";

/** Markdown to rows of at most `width` columns; loaded late, so it comes from outside. */
export interface RenderMarkdown {
  text(markdown: string, width: number): string[];
  block(block: Block, width: number): string[];
}

/** What printing needs beside the room. */
export interface Press extends Room {
  markdown: RenderMarkdown;
}

/** A whole result is printed up to here; the rest stays in the session's files. */
const RESULT_LINES = 2_000;

/** The rows of an item, with the blank row that parts it from what stands before. */
export function itemRows(item: Item, before: Item["kind"] | null, press: Press): string[] {
  const rows = rowsOf(item, press).map((row) => cutLine(unlikePrompt(row), press.width));
  if (item.kind === "block" && !item.isFirst && before === "block") return item.block.gap ? ["", ...rows] : rows;
  const isTight = before === null || (item.kind === "card" && before === "card" && rows.length === 1);
  return isTight ? rows : ["", ...rows];
}

function rowsOf(item: Item, press: Press): string[] {
  switch (item.kind) {
    case "banner":
      return bannerRows(item, press);
    case "user":
      return hang(wrapText(modelText(item.text), press.width - 2), press.paint("accent", "› "), "  ");
    case "markdown":
      return indented(press.markdown.text(item.text, markdownWidth(press)), press);
    case "block":
      return indented(press.markdown.block(item.block, markdownWidth(press)), press);
    case "card":
      return cardRows(item.card, press);
    case "notice":
      return noticeRows(item, press);
    case "failure":
      return failureRows(item, press);
    case "thought":
      return item.isWhole ? wholeThoughtRows(item, press) : [thoughtRow(item, press)];
    case "diff":
      return wholeDiffRows(item.text, press);
    case "result":
      return resultRows(item, press);
    case "table":
      return tableRows(item, press);
  }
}

function bannerRows(item: Extract<Item, { kind: "banner" }>, { paint, texts, width }: Press): string[] {
  const title = `${paint("accent", "◆")} ${paint("strong", "zqagent")} ${paint("dim", item.version)}`;
  return [
    title,
    ...wrapText(visibleText(item.workspace), width - 2).map((row) => `  ${row}`),
    `  ${paint("dim", texts.bannerHint)}`,
  ];
}

function markdownWidth(press: Press): number {
  return press.width - indentOf(press).length;
}

function indented(rows: readonly string[], press: Press): string[] {
  const indent = indentOf(press);
  return rows.map((row) => (row === "" ? "" : `${indent}${row}`));
}

const toneRoles: Record<Tone, Role> = { plain: "dim", good: "good", warn: "warn", bad: "bad" };
const toneMarks: Record<Tone, string> = { plain: "·", good: "✓", warn: "!", bad: "✗" };

/** One to three lines: our sentence, then at most two rows of the foreign one. */
function noticeRows(item: Extract<Item, { kind: "notice" }>, { paint, texts, width }: Press): string[] {
  const mark = paint(toneRoles[item.tone], `${toneMarks[item.tone]} `);
  const sentence = wrapText(fill(texts[item.text], visibleValues(item.values ?? {})), width - 2);
  return hang([...sentence, ...foreignRows(item.detail ?? "", { paint, width })], mark, "  ");
}

/** Foreign text, two rows at most. */
function foreignRows(text: string, { paint, width }: Pick<Press, "paint" | "width">): string[] {
  const rows = text.trim() === "" ? [] : wrapText(visibleText(text.trim()), width - 2);
  const shown = rows.slice(0, 2).map((row) => paint("dim", row));
  if (rows.length > 2) shown[1] = paint("dim", cutLine(`${rows[1] ?? ""} …`, width - 2));
  return shown;
}

function failureRows({ data }: Extract<Item, { kind: "failure" }>, { paint, texts, width }: Press): string[] {
  const [what = "", todo = "", detail = ""] = errorSentence(texts.errors, data).split("\n");
  const mark = paint(toneRoles.bad, `${toneMarks.bad} `);
  const own = [what, todo].flatMap((line) => wrapText(line, width - 2));
  return hang([...own, ...foreignRows(detail, { paint, width })], mark, "  ");
}

/** One row: how long, and how it began. */
function thoughtRow({ text, seconds }: Extract<Item, { kind: "thought" }>, { paint, texts, width }: Press): string {
  const head = seconds === undefined ? texts.thoughtPast : fill(texts.thought, { seconds });
  const begin = visibleLine(text.slice(0, 4 * width));
  return cutLine(paint("dim", `· ${head}: ${begin}`), width);
}

function wholeThoughtRows({ text }: Extract<Item, { kind: "thought" }>, press: Press): string[] {
  return [press.paint("dim", `· ${press.texts.thoughtPast}`), ...quoted(text, press)];
}

function visibleValues(values: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? visibleText(value) : value]),
  );
}

function resultRows(item: Extract<Item, { kind: "result" }>, press: Press): string[] {
  const [head = ""] = cardRows({ ...item.card, preview: "", output: "", diff: undefined }, press);
  return [head, ...quoted(item.text, press)];
}

/** Foreign text at length, with a line at its side. */
function quoted(text: string, press: Press): string[] {
  const lines = sanitizeText(text, { color: press.color }).replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, RESULT_LINES).flatMap((line) => wrapText(line, press.width - 4));
  if (lines.length > RESULT_LINES)
    shown.push(press.paint("dim", fill(press.texts.resultCut, { count: lines.length - RESULT_LINES })));
  const body = text.trim() === "" ? [press.paint("dim", press.texts.resultEmpty)] : shown;
  return body.map((row) => `${indentOf(press)}${press.paint("dim", "│")} ${row}`);
}

/** Two columns where there is room for them, else one below the other. */
function tableRows(item: Extract<Item, { kind: "table" }>, { paint, texts, width }: Press): string[] {
  const left = Math.max(...item.rows.map(([text]) => textWidth(text))) + 2;
  const rows = item.rows.flatMap(([key, does]) => {
    if (width - left < 24)
      return [cutLine(paint("accent", key), width), ...wrapText(does, width - 2).map((row) => `  ${row}`)];
    return hang(wrapText(does, width - left - 2), `  ${paint("accent", padEnd(key, left))}`, " ".repeat(left + 2));
  });
  return [paint("strong", texts[item.title]), ...rows];
}

/** A first row with a mark, further ones beneath its text. */
function hang(rows: readonly string[], mark: string, indent: string): string[] {
  return rows.map((row, index) => `${index === 0 ? mark : indent}${row}`);
}

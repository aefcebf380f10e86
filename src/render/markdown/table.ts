/** Tables that keep their columns: cells are measured in terminal columns, wrapped to fit, or written as records where it is too narrow. */

import { graphemes } from "../graphemes";
import { padEnd, padStart, textWidth, wrapText } from "../width";
import { renderInline } from "./inline";
import type { Tokens } from "./lexer";
import type { Look } from "./look";

/** Below this a column cannot be read; then the table becomes records. */
const MIN_COLUMN = 4;

export function renderTable(token: Tokens.Table, look: Look): string[] {
  const header = token.header.map((cell) => renderCell(cell, look));
  const rows = token.rows.map((row) => row.map((cell) => renderCell(cell, look)));
  const natural = header.map((cell, i) => Math.max(1, textWidth(cell), ...rows.map((row) => textWidth(row[i] ?? ""))));
  const separator = look.boxArt ? " │ " : "  ";
  const room = look.width - separator.length * (natural.length - 1);
  if (room < natural.reduce((sum, width) => sum + Math.min(width, MIN_COLUMN), 0))
    return renderRecords(header, rows, look);
  const widths = fitColumns(natural, room);
  const draw = (cells: string[]) =>
    renderRow(cells, { widths, align: token.align, separator: look.paint("dim", separator) });
  const rule = look.boxArt
    ? widths.map((width) => "─".repeat(width)).join("─┼─")
    : widths.map((width) => "-".repeat(width)).join("  ");
  return [...draw(header.map((cell) => look.paint("strong", cell))), look.paint("dim", rule), ...rows.flatMap(draw)];
}

function renderCell(cell: Tokens.TableCell, look: Look): string {
  return certain(renderInline(cell.tokens, look));
}

/**
 * Clusters whose width terminals disagree about would shift all that stands right of them: a variation selector and a
 * keycap's frame go, of a joined or tinted emoji the first one stays.
 */
function certain(text: string): string {
  if (!uncertain.test(text)) return text;
  const parts = graphemes(text).map((part) => (joinedOrTinted.test(part) ? ([...part][0] ?? "") : part));
  return parts.join("").replace(/[\ufe00-\ufe0f]|\u20e3/g, "");
}

const joinedOrTinted = /\u200d|[\u{1f3fb}-\u{1f3ff}]/u;
const uncertain = /\u200d|[\u{1f3fb}-\u{1f3ff}]|[\ufe00-\ufe0f]|\u20e3/u;

/** Takes what is too much from the widest columns first, so that short ones stay whole. */
function fitColumns(natural: readonly number[], room: number): number[] {
  let limit = Math.max(...natural);
  const total = () => natural.reduce((sum, width) => sum + Math.min(width, limit), 0);
  while (limit > MIN_COLUMN && total() > room) limit--;
  const widths = natural.map((width) => Math.min(width, limit));
  let spare = room - widths.reduce((sum, width) => sum + width, 0);
  // What the rounding left goes to the columns that were cut, one each.
  for (let i = 0; i < widths.length && spare > 0; i++) {
    if ((natural[i] ?? 0) <= (widths[i] ?? 0)) continue;
    widths[i] = (widths[i] ?? 0) + 1;
    spare--;
  }
  return widths;
}

interface RowPlan {
  widths: readonly number[];
  align: Tokens.Table["align"];
  separator: string;
}

/** A row is as high as its highest cell. Blanks at the row's end are cut: nothing is as wide as the screen. */
function renderRow(cells: readonly string[], { widths, align, separator }: RowPlan): string[] {
  const wrapped = widths.map((width, i) => wrapText(cells[i] ?? "", width));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = widths.map((width, i) => alignCell(wrapped[i]?.[line] ?? "", width, align[i] ?? null));
    return parts.join(separator).trimEnd();
  });
}

function alignCell(text: string, width: number, align: "left" | "right" | "center" | null): string {
  if (align === "right") return padStart(text, width);
  if (align !== "center") return padEnd(text, width);
  const left = Math.floor((width - textWidth(text)) / 2);
  return padEnd(" ".repeat(Math.max(0, left)) + text, width);
}

/** One line a cell, `column: value`, a blank row between records. */
function renderRecords(header: readonly string[], rows: readonly string[][], look: Look): string[] {
  return rows.flatMap((row, at) => {
    const lines = row.flatMap((cell, i) =>
      wrapText(`${look.paint("strong", `${header[i] ?? ""}:`)} ${cell}`, look.width),
    );
    return at === 0 ? lines : ["", ...lines];
  });
}

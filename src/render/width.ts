/** How many columns text takes, and everything that cuts, wraps or pads by columns. Escape sequences take none. */

import { type Atom, atomsOf } from "./atoms";
import { openStyle, plainStyle, RESET, type Style } from "./sgr";

/** A line longer than this many characters is cut before anything else looks at it (tui rule 11). */
export const MAX_LINE_CHARS = 2000;

/** One column wide in every terminal tried, unlike three full stops it cannot be taken for text. */
const ELLIPSIS = "…";

/** Columns of a text; of several lines the widest. */
export function textWidth(text: string): number {
  if (!text.includes("\n")) return lineWidth(text);
  let widest = 0;
  for (const line of text.split("\n")) widest = Math.max(widest, lineWidth(line));
  return widest;
}

const ascii = /^[ -~]*$/;

function lineWidth(line: string): number {
  if (ascii.test(line)) return line.length;
  let width = 0;
  for (const atom of atomsOf(line)) width += atom.width;
  return width;
}

/** The line cut to `max` columns; a cut shows as `…`, and open styles and links are closed. */
export function cutLine(line: string, max: number): string {
  if (max <= 0) return "";
  if (line.length <= max && ascii.test(line)) return line;
  if (lineWidth(line) <= max) return line;
  const row = new Row();
  for (const atom of atomsOf(line)) {
    if (row.width + atom.width > max - 1) break;
    row.add(atom);
  }
  return row.finish(ELLIPSIS);
}

/** Adds blanks up to `width` columns; longer text stays as it is. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** The same in front. */
export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - textWidth(text))) + text;
}

export interface WrapOptions {
  /** Characters of one line that are kept; `Infinity` where nothing may be hidden. Default 2,000. */
  maxChars?: number;
}

/**
 * The rows of a text, each at most `width` columns. Breaks at blanks and between wide characters, else anywhere; styles
 * and links are closed at the end of a row and opened again on the next.
 */
export function wrapText(text: string, width: number, options: WrapOptions = {}): string[] {
  const columns = Math.max(1, width);
  return text.split("\n").flatMap((line) => wrapLine(cutLongLine(line, options.maxChars), columns));
}

/** A line over `max` characters loses its end, and says how much. */
export function cutLongLine(line: string, max = MAX_LINE_CHARS): string {
  if (line.length <= max) return line;
  const row = new Row();
  let kept = 0;
  for (const atom of atomsOf(line.slice(0, max + 64))) {
    if (kept + atom.text.length > max) break;
    kept += atom.text.length;
    row.add(atom);
  }
  return row.finish(` ${ELLIPSIS} (+${line.length - kept})`);
}

/** One pass over the atoms; a break looks back at most one long word, so the cost grows with the length alone. */
function wrapLine(line: string, columns: number): string[] {
  if (line.length <= columns && ascii.test(line)) return [line];
  const rows: string[] = [];
  let row: Atom[] = [];
  let width = 0;
  for (const atom of atomsOf(line)) {
    if (width + atom.width > columns && row.length > 0) {
      const at = breakPlace(row, atom);
      rows.push(rowText(row.slice(0, at.end)));
      row = row.slice(at.next);
      width = widthOf(row);
      // A blank that falls on the break is the break.
      if (row.length === 0 && atom.text === " ") continue;
    }
    row.push(atom);
    width += atom.width;
  }
  if (row.length > 0 || rows.length === 0) rows.push(rowText(row));
  return rows;
}

/** Closing marks that must not begin a row, opening ones that must not end it. */
const noStart = /^[,.;:!?)\]}%，。、；：！？）】》」』”’…·～]/;
const noEnd = /[([{（【《「『“‘]$/;

interface Break {
  /** Atoms that stay on the row. */
  end: number;
  /** First atom of the next row. */
  next: number;
}

/** Where a full row is best broken: the last blank, or the last place beside a wide character; else right at its end. */
function breakPlace(row: readonly Atom[], coming: Atom): Break {
  if (coming.text === " ") return { end: row.length, next: row.length };
  const indent = row.findIndex((atom) => atom.text !== " ");
  for (let i = row.length; i > Math.max(0, indent) && i > row.length - MAX_WORD; i--) {
    const before = row[i - 1];
    const after = row[i] ?? coming;
    if (!before) break;
    if (before.text === " ") return { end: trimmedEnd(row, i), next: i };
    if (mayBreakBetween(before, after)) return { end: i, next: i };
  }
  return { end: row.length, next: row.length };
}

/** A word longer than this is broken where the row ends; it also bounds the search back. */
const MAX_WORD = 80;

function trimmedEnd(row: readonly Atom[], end: number): number {
  let at = end;
  while (at > 0 && row[at - 1]?.text === " ") at--;
  return at;
}

/** Scripts that write without blanks break between any two characters, but for their punctuation. */
function mayBreakBetween(before: Atom, after: Atom): boolean {
  if (before.width < 2 && after.width < 2) return false;
  return !noStart.test(after.text) && !noEnd.test(before.text);
}

function widthOf(atoms: readonly Atom[]): number {
  let width = 0;
  for (const atom of atoms) width += atom.width;
  return width;
}

function rowText(atoms: readonly Atom[]): string {
  const row = new Row();
  for (const atom of atoms) row.add(atom);
  return row.finish("");
}

/** Builds one row: writes a style or a link where it changes, and closes both at the end. */
class Row {
  width = 0;
  private text = "";
  private style: Style = plainStyle;
  private open = "";
  private link = "";

  add(atom: Atom): void {
    this.change(atom.style, atom.link);
    this.text += atom.text;
    this.width += atom.width;
  }

  finish(ending: string): string {
    if (this.link !== "") this.text += "\u001b]8;;\u0007";
    if (this.open !== "") this.text += RESET;
    return this.text + ending;
  }

  private change(style: Style, link: string): void {
    if (link !== this.link) {
      this.text += `\u001b]8;;${link}\u0007`;
      this.link = link;
    }
    if (style === this.style) return;
    this.style = style;
    const open = openStyle(style);
    if (open === this.open) return;
    if (this.open !== "") this.text += RESET;
    this.text += open;
    this.open = open;
  }
}

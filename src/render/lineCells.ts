/** One line of tool output as a terminal would leave it: carriage returns and backspaces overwrite, tabs go to their stops. */

import { graphemes, graphemeWidth } from "./graphemes";
import { openStyle, plainStyle, RESET, type Style } from "./sgr";

interface Cell {
  text: string;
  style: Style;
}

export const TAB_STOP = 8;

/** The second column of a wide character. */
const continued: Cell = { text: "", style: plainStyle };

/** Cells by column. Tools draw progress with a handful of tricks on one line, and these are played out here. */
export class LineCells {
  private cells: Cell[] = [];
  private column = 0;

  /** Writes text at the cursor, over what stands there. */
  write(text: string, style: Style): void {
    for (const grapheme of graphemes(text)) this.put(grapheme, style);
  }

  /** Moves over what stands there; only beyond the end it writes blanks. */
  tab(style: Style): void {
    const stop = this.column + TAB_STOP - (this.column % TAB_STOP);
    while (this.column < stop) {
      if (this.cells[this.column]) this.column++;
      else this.put(" ", style);
    }
  }

  back(): void {
    this.column = Math.max(0, this.column - 1);
  }

  home(): void {
    this.column = 0;
  }

  /** Erase, but only at the beginning of the line: there it is a progress line's habit, elsewhere it could hide text. */
  eraseAtHome(): void {
    if (this.column === 0) this.cells = [];
  }

  clear(): void {
    this.cells = [];
    this.column = 0;
  }

  get isEmpty(): boolean {
    return this.cells.length === 0;
  }

  /** The line with its styles closed. `color` false: the text alone. */
  toString(color: boolean): string {
    let text = "";
    let open = "";
    let style: Style | null = null;
    for (const cell of this.cells) {
      if (color && cell !== continued && cell.style !== style) {
        style = cell.style;
        const next = openStyle(style);
        if (next !== open) text += (open === "" ? "" : RESET) + next;
        open = next;
      }
      text += cell.text;
    }
    return open === "" ? text : text + RESET;
  }

  private put(grapheme: string, style: Style): void {
    const width = graphemeWidth(grapheme);
    if (width === 0) {
      this.join(grapheme);
      return;
    }
    this.split(this.column);
    this.split(this.column + width);
    this.cells[this.column] = { text: grapheme, style };
    for (let i = 1; i < width; i++) this.cells[this.column + i] = continued;
    this.column += width;
  }

  /** A mark without a column of its own belongs to the character before it. */
  private join(mark: string): void {
    let at = this.column - 1;
    while (at > 0 && this.cells[at] === continued) at--;
    const cell = this.cells[at];
    if (cell) this.cells[at] = { ...cell, text: cell.text + mark };
  }

  /** A wide character that is overwritten by half leaves a blank in its other half. */
  private split(column: number): void {
    if (this.cells[column] !== continued) return;
    let start = column;
    while (start > 0 && this.cells[start] === continued) start--;
    const style = this.cells[start]?.style ?? plainStyle;
    for (let i = start; i < this.cells.length && (i === start || this.cells[i] === continued); i++)
      this.cells[i] = { text: " ", style };
  }
}

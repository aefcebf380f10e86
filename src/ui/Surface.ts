/**
 * Where Ink draws: hands its frames to the terminal, says when one was written, and redraws exactly after the terminal
 * changed its size or was somebody else's. Ink erases by counting its own rows, which is wrong once the terminal has
 * wrapped them anew (tui 1.7); so we erase first, and put the cursor where Ink believes it to be.
 */

import { textWidth } from "../render/width";
import { createInkOutput, type InkOutput } from "./terminal/inkStreams";
import type { Terminal } from "./terminal/Terminal";
import type { Caret } from "./view/dialog";

/** What stands on the terminal: the rows of the live region, and the caret in them. */
export interface DrawnFrame {
  rows: readonly string[];
  caret: Caret | null;
}

/** More rows than any frame has: Ink clears the whole screen with its scrollback when a frame is as tall as that. */
const NO_FULL_SCREEN = 100_000;

export class Surface {
  readonly output: InkOutput;
  private columns: number;
  private tellInk: () => void = () => {};

  constructor(
    private readonly terminal: Terminal,
    private readonly onWritten: (text: string) => void,
  ) {
    this.columns = terminal.columns;
    const source = this;
    this.output = createInkOutput({
      write: (text) => this.write(text),
      get columns() {
        return source.columns;
      },
      rows: NO_FULL_SCREEN,
      onResize: (callback) => {
        this.tellInk = callback;
        return () => {};
      },
    });
  }

  /** Erases the frame wherever the terminal's new width has moved it, and lets Ink draw it again. */
  redraw(frame: DrawnFrame): void {
    const above = frame.caret ? rowsAbove(frame, frame.caret, this.terminal.columns) : totalRows(frame.rows, this.terminal.columns);
    this.terminal.write(`\r${above > 0 ? `\u001b[${above}A` : ""}\u001b[J`);
    this.drawBelow(frame);
  }

  /** Draws the frame again from the cursor's row on; nothing is erased, for what stands there is not ours. */
  drawBelow(frame: DrawnFrame): void {
    const height = frame.rows.length;
    const up = frame.caret ? height - frame.caret.y : 0;
    this.terminal.write(`\r${"\n".repeat(height)}${up > 0 ? `\u001b[${up}A` : ""}`);
    // Ink forgets its last frame only when its output gets narrower.
    this.columns = Math.max(this.columns, this.terminal.columns) + 1;
    this.tellInk();
    this.columns = this.terminal.columns;
    this.tellInk();
  }

  private write(text: string): boolean {
    const isWritten = this.terminal.write(text);
    this.onWritten(text);
    return isWritten;
  }
}

/**
 * Rows from the top of the frame to the cursor, as the terminal shows them at its width now. Terminals differ on the
 * cursor's own row (some do not wrap it anew), so only the rows above it count as wrapped: too few is harmless here, for
 * every frame begins with a blank row.
 */
function rowsAbove(frame: DrawnFrame, caret: Caret, columns: number): number {
  return totalRows(frame.rows.slice(0, caret.y), columns);
}

function totalRows(rows: readonly string[], columns: number): number {
  return rows.reduce((total, row) => total + Math.max(1, Math.ceil(textWidth(row) / Math.max(1, columns))), 0);
}

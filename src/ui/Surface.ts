/**
 * Where Ink draws: hands its frames to the terminal, says when one was written, and draws anew after the terminal changed
 * its size or was somebody else's. Ink erases by counting its own rows, which is wrong once the terminal has wrapped them
 * anew (tui 1.7). So we erase, put the cursor where Ink believes it to be, and then let Ink draw.
 */

import { RowMarks } from "./RowMarks";
import { type CursorDrift, type DrawnFrame, rowsAboveCursor } from "./reflow";
import { createInkOutput, type InkOutput } from "./terminal/inkStreams";
import type { Terminal } from "./terminal/Terminal";

/** More rows than any frame has: Ink clears the screen with its scrollback when a frame is as tall as its output. */
const NO_FULL_SCREEN = 100_000;

/** Ink sees stand-ins that are narrower than this; rows are fitted to the terminal before. */
const INK_COLUMNS = 16;

export class Surface {
  readonly output: InkOutput;
  /** How the terminal moves the cursor when it wraps rows anew. */
  drift: CursorDrift = "exact";
  /** Stand-ins of the rows that Ink draws. */
  readonly marks = new RowMarks();
  private columns = INK_COLUMNS;
  private isMuted = false;
  private tellInk: () => void = () => {};

  constructor(
    private readonly terminal: Pick<Terminal, "write" | "columns">,
    private readonly onWritten: () => void,
  ) {
    const columns = () => this.columns;
    this.output = createInkOutput({
      write: (text) => this.write(text),
      get columns() {
        return columns();
      },
      rows: NO_FULL_SCREEN,
      onResize: (callback) => {
        this.tellInk = callback;
        return () => {};
      },
    });
  }

  /** Erases a frame wherever the terminal's new size has moved it; `lost`: rows by which the screen became lower. */
  erase(frame: DrawnFrame, lost = 0): void {
    const above = rowsAboveCursor(frame, { columns: this.terminal.columns, drift: this.drift, lost });
    this.terminal.write(`\r${above > 0 ? `\u001b[${above}A` : ""}\u001b[J`);
  }

  /** From here on Ink only believes that it draws. */
  mute(): void {
    this.isMuted = true;
  }

  /** Lets Ink draw the frame that it believes to have drawn while muted, from the cursor's row on. */
  drawAnew(frame: DrawnFrame): void {
    const height = frame.rows.length;
    const up = frame.caret ? height - frame.caret.y : 0;
    this.terminal.write(`\r${"\n".repeat(height)}${up > 0 ? `\u001b[${up}A` : ""}`);
    // Ink forgets its last frame only when its output gets narrower.
    this.columns = INK_COLUMNS + 1;
    this.tellInk();
    this.isMuted = false;
    this.columns = INK_COLUMNS;
    this.tellInk();
  }

  private write(text: string): boolean {
    if (this.isMuted) return true;
    const isWritten = this.terminal.write(this.marks.expand(text));
    this.onWritten();
    return isWritten;
  }
}

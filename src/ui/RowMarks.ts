/**
 * Short stand-ins for finished rows on their way through Ink, which would take every row apart into cells and put it
 * together again. Ink lays out and compares the stand-ins; where its output leaves for the terminal the rows come back.
 */

/** Private-use characters: no text that comes here holds them in this form, for a number stands between them. */
const OPEN = "\ue0f0";
const CLOSE = "\ue0f1";
const mark = new RegExp(`${OPEN}(\\d+)${CLOSE}`, "g");

/** Ink may still write a frame or two that is not the newest. */
const KEPT = 512;

export class RowMarks {
  private readonly rows = new Map<number, string>();
  private ids = new Map<string, number>();
  private last = 0;

  /** Stand-ins for the rows of a frame: the same row keeps its own from frame to frame, so that Ink sees what changed. */
  frame(rows: readonly string[]): string[] {
    const ids = new Map<string, number>();
    const marks = rows.map((row) => {
      if (row === "") return " ";
      const id = ids.get(row) ?? this.ids.get(row) ?? ++this.last;
      ids.set(row, id);
      return this.keep(id, row);
    });
    this.ids = ids;
    this.prune();
    return marks;
  }

  /** One stand-in for many rows that are written once. */
  batch(rows: readonly string[]): string {
    return this.keep(++this.last, rows.join("\n"));
  }

  /** What Ink writes, with the rows in place of their stand-ins. */
  expand(output: string): string {
    if (!output.includes(OPEN)) return output;
    return output.replace(mark, (_, id: string) => this.rows.get(Number(id)) ?? "");
  }

  /** Map order is age, so what is used is put in again. */
  private keep(id: number, text: string): string {
    this.rows.delete(id);
    this.rows.set(id, text);
    return `${OPEN}${id}${CLOSE}`;
  }

  private prune(): void {
    for (const id of this.rows.keys()) {
      if (this.rows.size <= KEPT) return;
      this.rows.delete(id);
    }
  }
}

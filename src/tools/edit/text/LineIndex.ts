/** Where each different line stands, so that a patch of thousands of hunks need not read the whole file for each. */

/** Built once for lines that do not change. */
export class LineIndex {
  private readonly lines: readonly string[];
  private readonly places = new Map<string, number[]>();

  constructor(lines: readonly string[]) {
    this.lines = lines;
    for (const [at, line] of lines.entries()) {
      const known = this.places.get(line);
      if (known) known.push(at);
      else this.places.set(line, [at]);
    }
  }

  /**
   * Every start of the block, by its rarest line. Undefined where even that one is so frequent that a plain search
   * through the whole is quicker.
   */
  find(block: readonly string[]): number[] | undefined {
    const rarest = this.rarestOf(block);
    if (!rarest) return [];
    const { offset, places } = rarest;
    if (places.length * block.length > this.lines.length) return undefined;
    const starts = places.map((place) => place - offset);
    return starts.filter((start) => start >= 0 && block.every((line, at) => this.lines[start + at] === line));
  }

  /** Undefined when one of the lines stands nowhere, or there are none. */
  private rarestOf(block: readonly string[]): { offset: number; places: readonly number[] } | undefined {
    let best: { offset: number; places: readonly number[] } | undefined;
    for (const [offset, line] of block.entries()) {
      const places = this.places.get(line);
      if (!places) return undefined;
      if (!best || places.length < best.places.length) best = { offset, places };
    }
    return best;
  }
}

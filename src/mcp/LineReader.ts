/** Cuts a stream of bytes into lines; one line without an end cannot fill the memory. */

export class LineReader {
  static readonly LIMIT_MB = 16;
  private parts: Buffer[] = [];
  private size = 0;
  private flooded = false;

  /** True once a line was longer than the limit; nothing is taken in any more. */
  get isFlooded(): boolean {
    return this.flooded;
  }

  /** The lines that this chunk finished, without their ends. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1 && !this.flooded; end = chunk.indexOf(10, from)) {
      this.add(chunk.subarray(from, end));
      if (!this.flooded) lines.push(this.take());
      from = end + 1;
    }
    this.add(chunk.subarray(from));
    return lines;
  }

  private add(part: Buffer): void {
    this.size += part.length;
    if (this.size > LineReader.LIMIT_MB * 1024 * 1024) {
      this.flooded = true;
      this.parts = [];
    } else if (part.length > 0) this.parts.push(part);
  }

  private take(): string {
    const line = Buffer.concat(this.parts).toString("utf8").replace(/\r$/, "");
    this.parts = [];
    this.size = 0;
    return line;
  }
}

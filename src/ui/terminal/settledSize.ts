/** The terminal's size as it is after a drag: a window that is being resized tells dozens of sizes that nobody should draw for. */

const QUIET_MS = 100;

/** The part of a terminal stream that knows its size. */
export interface SizedStream {
  readonly columns?: number;
  readonly rows?: number;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export class SettledSize {
  columns = 80;
  rows = 24;
  private readonly listeners = new Set<() => void>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly stream: SizedStream) {
    this.read();
  }

  watch(): void {
    this.stream.on("resize", this.onResize);
  }

  unwatch(): void {
    if (this.timer) clearTimeout(this.timer);
    this.stream.off("resize", this.onResize);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Takes the size as it is now, and tells it if it is another. */
  refresh(): void {
    const { columns, rows } = this;
    this.read();
    if (columns === this.columns && rows === this.rows) return;
    for (const listener of this.listeners) listener();
  }

  /** A terminal without a size (a bare serial line) counts as 80 by 24. */
  private read(): void {
    const { columns = 0, rows = 0 } = this.stream;
    this.columns = columns > 0 ? columns : 80;
    this.rows = rows > 0 ? rows : 24;
  }

  private readonly onResize = (): void => {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.refresh();
    }, QUIET_MS);
  };
}

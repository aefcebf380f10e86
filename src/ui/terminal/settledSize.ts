/** The terminal's size as it is after a drag: a window that is being resized tells dozens of sizes that nobody should draw for. */

import { DelayedCall } from "./delayedCall";

/** How long no further size must come before the last one is believed. */
const QUIET_MS = 100;

/** The part of a terminal stream that knows its size. */
export interface SizedStream {
  readonly columns?: number;
  readonly rows?: number;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

/** Columns and rows never change between two calls of `onChange` listeners. */
export class SettledSize {
  columns = 80;
  rows = 24;
  private readonly listeners = new Set<() => void>();
  private readonly settling = new DelayedCall(() => this.refresh());

  constructor(private readonly stream: SizedStream) {
    this.read();
  }

  /** Hears of new sizes from now on. */
  watch(): void {
    this.stream.on("resize", this.onResize);
  }

  unwatch(): void {
    this.settling.cancel();
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

  private readonly onResize = (): void => this.settling.in(QUIET_MS);
}

/** One call in the near future: asked for again it is put off, however many ask it happens once. */

export class DelayedCall {
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly callback: () => void) {}

  /** Calls in so many milliseconds, counted from the last time this was asked for. */
  in(milliseconds: number): void {
    this.cancel();
    this.timer = setTimeout(() => {
      this.timer = null;
      this.callback();
    }, milliseconds);
  }

  cancel(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}

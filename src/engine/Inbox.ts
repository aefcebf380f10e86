/** Events that arrive from the side while the loop waits for something: live output, approvals, retries. */

export class Inbox<T> {
  private readonly items: T[] = [];
  private wake: () => void = () => {};

  push(item: T): void {
    this.items.push(item);
    this.wake();
  }

  /** What is left, when nobody reads on. */
  rest(): T[] {
    return this.items.splice(0);
  }

  /**
   * Yields what is pushed until `work` has settled, then what is left, and returns the value of `work` (or throws its
   * error). The reader sets the pace: nothing is lost or reordered while it is slow.
   */
  async *during<R>(work: Promise<R>): AsyncGenerator<T, R> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
      this.wake();
    };
    work.then(settle, settle);
    for (;;) {
      for (let item = this.items.shift(); item !== undefined; item = this.items.shift()) yield item;
      if (isSettled) return await work;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}

/** Turns of one session, one after the other: each waits until those before it have ended. */

export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  /** Waits for those before; the returned function ends ours. */
  async take(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  /** Resolves when all that have been taken so far are over. */
  idle(): Promise<void> {
    return this.#last;
  }
}

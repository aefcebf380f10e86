/** One way to stop a turn: a signal for tools and providers, and waits that end when it comes. */

import { setMaxListeners } from "node:events";

/** How long work that runs may take to return what it has after an interrupt, in milliseconds. */
export const GRACE_MS = 3_000;

/** What begins only after the interrupt, when others have used up that time, has this much. */
const LAST_GRACE_MS = 200;

/** Timers stand still while a machine sleeps, and take no more than 24 days: long waits are cut up. */
const SLICE_MS = 60_000;

/** Thrown inside the loop when the turn was asked to stop; it never leaves the engine. */
export class Interrupted extends Error {
  constructor() {
    super("The turn was interrupted.");
    this.name = "Interrupted";
  }
}

/** Of anything thrown: a proxy may not even let itself be asked what it is. */
export function isInterrupted(error: unknown): error is Interrupted {
  try {
    return error instanceof Interrupted;
  } catch {
    return false;
  }
}

export class Interrupt {
  private readonly controller = new AbortController();
  private readonly stops = new Set<() => void>();
  private requestedAt = 0;

  constructor() {
    setMaxListeners(0, this.controller.signal);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get requested(): boolean {
    return this.controller.signal.aborted;
  }

  /** Asks the turn to stop. A second time does nothing. */
  request(): void {
    if (this.requested) return;
    this.requestedAt = performance.now();
    this.controller.abort();
    for (const stop of [...this.stops]) stop();
  }

  check(): void {
    if (this.requested) throw new Interrupted();
  }

  /**
   * The value of `work`, or `Interrupted` at once when the stop comes first. A listener per wait, not one promise raced
   * again and again: that would keep every wait in memory until the end of the turn.
   */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => settle(() => reject(new Interrupted()));
      const settle = (done: () => void) => {
        this.stops.delete(stop);
        done();
      };
      this.stops.add(stop);
      work.then(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(error)),
      );
      if (this.requested) stop();
    });
  }

  /** Waits `ms` milliseconds, or throws `Interrupted` as soon as the stop comes. A long wait goes by the clock on the wall. */
  async sleep(ms: number): Promise<void> {
    const end = Date.now() + ms;
    for (let left = ms; left > SLICE_MS; left = end - Date.now()) await this.sleepSlice(SLICE_MS);
    await this.sleepSlice(Math.max(0, ms > SLICE_MS ? end - Date.now() : ms));
  }

  private async sleepSlice(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.race(
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms);
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** The value of `work`; null when the stop came and `work` did not end within `GRACE_MS` after it. Never rejects first. */
  async grace<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await this.race(work);
    } catch (error) {
      if (!isInterrupted(error)) throw error;
    }
    const left = this.requestedAt + GRACE_MS - performance.now();
    return await withinTime(work, Math.max(LAST_GRACE_MS, left));
  }
}

/** The value of `work`, or null when it takes longer than `ms`. */
export async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

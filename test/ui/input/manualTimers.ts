/** Timers that fire when a test says so, in the order of their times. */
import type { Timers } from "../../../src/ui/input/decoder";

export class ManualTimers implements Timers {
  private now = 0;
  private next = 1;
  private readonly pending = new Map<number, { at: number; callback: () => void }>();

  setTimeout(callback: () => void, milliseconds: number): number {
    this.pending.set(this.next, { at: this.now + milliseconds, callback });
    return this.next++;
  }

  clearTimeout(timer: unknown): void {
    this.pending.delete(timer as number);
  }

  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const due = [...this.pending].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.pending.delete(due[0]);
      this.now = due[1].at;
      due[1].callback();
    }
    this.now = end;
  }
}

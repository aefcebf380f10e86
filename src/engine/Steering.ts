/** Texts that a person adds while a turn runs (guide 12.5): taken between iterations, in order. */

import type { MessageAttachment, StoredAttachment } from "../shared/messages";

export interface QueuedText {
  text: string;
  attachments?: MessageAttachment[];
  refs?: StoredAttachment[];
}

export class Steering {
  private queue: QueuedText[] = [];

  get isWaiting(): boolean {
    return this.queue.length > 0;
  }

  add(item: QueuedText): void {
    this.queue.push(item);
  }

  /** Removes the newest queued item with this text; false when there is none (already taken). */
  remove(text: string): boolean {
    const index = this.queue.findLastIndex((item) => item.text === text);
    if (index < 0) return false;
    this.queue.splice(index, 1);
    return true;
  }

  /** The oldest one, which waits no longer. */
  next(): QueuedText | undefined {
    return this.queue.shift();
  }

  /** All that waits, in order; nothing waits afterwards. */
  take(): QueuedText[] {
    const taken = this.queue;
    this.queue = [];
    return taken;
  }
}

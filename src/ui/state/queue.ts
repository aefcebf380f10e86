/** Texts that wait for their turn: steering for the one that runs, and prompts for after it. */

/**
 * `now`: handed to the running turn as steering; `later`: a prompt of its own; `next`: sent after the person had stopped
 * the turn, so it goes out as soon as that has ended, whichever way.
 */
export interface Queued {
  text: string;
  when: "now" | "later" | "next";
}

/** The queue without the first entry that has this text and kind. */
export function withoutQueued(queue: readonly Queued[], text: string, when: Queued["when"]): Queued[] {
  const at = queue.findIndex((entry) => entry.text === text && entry.when === when);
  return at < 0 ? [...queue] : [...queue.slice(0, at), ...queue.slice(at + 1)];
}

/** What goes back to the editor: the queued texts in order, then the draft that is there. */
export function joinTexts(queue: readonly Queued[], draft: string): string {
  return [...queue.map((entry) => entry.text), draft].filter((text) => text.trim() !== "").join("\n");
}

/** The next prompt once a turn is over: steering that came too late goes together, then prompts one by one. */
export function nextPrompt(queue: readonly Queued[]): { prompt: string; rest: Queued[] } | null {
  const late = queue.filter((entry) => entry.when === "now");
  if (late.length > 0) {
    return { prompt: joinTexts(late, ""), rest: queue.filter((entry) => entry.when === "later") };
  }
  const [first, ...rest] = queue;
  return first ? { prompt: first.text, rest } : null;
}

/** What goes out although the turn was broken off: only what was sent knowing that. */
export function promptAfterStop(queue: readonly Queued[]): { prompt: string; rest: Queued[] } | null {
  const sent = queue.filter((entry) => entry.when === "next");
  if (sent.length === 0) return null;
  return { prompt: joinTexts(sent, ""), rest: queue.filter((entry) => entry.when !== "next") };
}

/** Tells people, once each, what snapshots do not hold. */

import type { Uncovered } from "./listing";

const MOST_NAMES = 5;

export class Notices {
  private readonly told = new Set<string>();
  private readonly listeners: ((notice: string) => void)[] = [];

  listen(listener: (notice: string) => void): void {
    this.listeners.push(listener);
  }

  tell(text: string): void {
    if (this.told.has(text)) return;
    this.told.add(text);
    for (const listener of this.listeners) listener(text);
  }

  /** Names each left-out path once. */
  tellUncovered(uncovered: readonly Uncovered[]): void {
    const fresh = uncovered.filter(({ path, reason }) => !this.told.has(`${reason} ${path}`));
    for (const { path, reason } of fresh) this.told.add(`${reason} ${path}`);
    if (fresh.length === 0) return;
    const names = fresh.slice(0, MOST_NAMES).map(({ path, reason }) => `${path} (${reason.replaceAll("_", " ")})`);
    const rest = fresh.length > MOST_NAMES ? ` and ${fresh.length - MOST_NAMES} more` : "";
    this.tell(`Not in snapshots, so a rollback will not bring it back: ${names.join(", ")}${rest}.`);
  }
}

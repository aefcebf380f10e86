/** Puts a session's snapshots into the course of its turns (guide 17.2). */

import type { EngineHook } from "../shared/EngineHook";
import type { SessionVcs } from "../vcs/SessionVcs";
import { isDestructive } from "./destructive";

export interface VcsHookOptions {
  /** Told, in a sentence, what could not be saved. */
  onNotice?: ((notice: string) => void) | undefined;
  /**
   * Begin when a call may first change something (somebody is asked, or it is about to run) instead of at the turn's
   * start: a turn that only reads or answers costs nothing. Needs an engine that awaits `settle` and `saved`.
   */
  startsAtFirstChange?: boolean | undefined;
}

/**
 * A snapshot before and after each turn, and before a command that destroys. Nothing here throws; what fails is told to
 * `onNotice`. `settle` waits, so that nothing is changed before it is saved; `saved` waits for the turn's commit.
 */
export class VcsHook implements EngineHook {
  private input: string | null = null;
  private isOpen = false;
  /** A call that may change something was announced, and what ran after that may have done so. */
  private isAnnounced = false;
  private mayHaveChanged = false;
  private status = "completed";
  private pending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly vcs: SessionVcs,
    private readonly options: VcsHookOptions = {},
  ) {
    if (options.onNotice) vcs.onNotice(options.onNotice);
  }

  onTurnStart(input: string): void {
    this.input = input;
    this.status = "completed";
    this.isAnnounced = false;
    this.mayHaveChanged = false;
    if (!this.options.startsAtFirstChange) this.begin();
  }

  /** The snapshot is made while the person reads the question. */
  onPermissionRequired(): void {
    this.begin();
  }

  onToolStarted(): void {
    this.mayHaveChanged = this.isAnnounced;
  }

  onInterrupted(): void {
    this.status = "interrupted";
  }

  onError(): void {
    this.status = "error";
  }

  onIterationEnd(): void {
    // The turn went on after an error: it was not the last word.
    this.status = "completed";
  }

  /** Commits the turn, unless `settle` has done so already: an engine may tell the end before or after it. */
  onTurnEnd(status: string): void {
    this.commit(status);
  }

  async settle(next: { toolName: string; arguments: Record<string, unknown> } | "end"): Promise<void> {
    if (next === "end") return this.commit(this.status);
    this.isAnnounced = true;
    this.begin();
    const { command } = next.arguments;
    if (typeof command === "string" && isDestructive(command)) this.pending = this.vcs.snapshot(command);
    await this.pending;
  }

  /** The snapshot of a turn that may have changed something must not be lost; of any other it may come when it comes. */
  async saved(): Promise<void> {
    this.commit(this.status);
    if (this.mayHaveChanged) await this.pending;
  }

  private begin(): void {
    if (this.input === null) return;
    this.isOpen = true;
    this.pending = this.vcs.beginTurn(this.input);
    this.input = null;
  }

  private commit(status: string): void {
    this.input = null;
    if (!this.isOpen) return;
    this.isOpen = false;
    this.pending = this.vcs.commitTurn(status);
  }
}

/** The snapshots of one session: which turns changed what, and the way back. */

import { type RestoreResult, resolveVcsPlan, SessionVcs, type VcsMode } from "../index";

/** A turn that changed files. Turns count from 1; turns that changed nothing have no number (guide 17.2). */
export interface SnapshotTurn {
  turn: number;
  /** ISO time. */
  when: string;
  files: string[];
  prompt?: string;
}

export class SessionSnapshots {
  readonly sessionId: string;
  /** Why there are no snapshots; undefined when there are. */
  readonly off: string | undefined;
  readonly #vcs: SessionVcs;

  private constructor(sessionId: string, vcs: SessionVcs, off: string | undefined) {
    this.sessionId = sessionId;
    this.#vcs = vcs;
    this.off = off;
  }

  static async open(workspace: string, sessionId: string, mode: VcsMode): Promise<SessionSnapshots> {
    const plan = resolveVcsPlan(workspace, { mode });
    return new SessionSnapshots(
      sessionId,
      new SessionVcs(plan, sessionId),
      plan.mode === "off" ? plan.reason : undefined,
    );
  }

  async turns(): Promise<SnapshotTurn[]> {
    return this.off === undefined ? this.#vcs.listTurns() : [];
  }

  /** What a turn changed, as a unified diff alone: the bookkeeping in front of it is not for a person. */
  async diff(turn: number): Promise<string> {
    const patch = await this.#vcs.diffTurn(turn);
    const start = patch.search(/^diff --git /m);
    return start < 0 ? "" : patch.slice(start);
  }

  plan(turn: number, paths?: string[]): Promise<RestoreResult> {
    return this.#vcs.restoreTurn(turn, { dryRun: true, ...(paths ? { paths } : {}) });
  }

  restore(turn: number, paths?: string[]): Promise<RestoreResult> {
    return this.#vcs.restoreTurn(turn, paths ? { paths } : {});
  }

  /** Takes the newest restore back. Throws ZqError when there is none. */
  undo(dryRun: boolean): Promise<RestoreResult> {
    return this.#vcs.undoRestore({ dryRun });
  }
}

/** Turns as commits on a private ref: what each turn changed, and the way back (guide 17). */

import { isZqError, messageOf, ZqError } from "../shared/errors";
import { recordOfTurn, type SnapshotRecord } from "./history";
import type { Uncovered } from "./listing";
import { Notices } from "./Notices";
import type { VcsPlan } from "./plan";
import { type OpenTurn, type RestoreOptions, type RestoreResult, SnapshotStore } from "./SnapshotStore";

/** A turn that changed files (guide 17.2). */
export interface TurnEntry {
  /** From 1; turns without changes take no number. */
  turn: number;
  status: string;
  /** When it ended, ISO. */
  when: string;
  /** Changed paths, the first thousand. */
  files: string[];
  prompt?: string;
}

/** What `commitTurn` says. The turn's number is known to `listTurns` only: `turn` is always 0 (guide 17.2). */
export interface CommitResult {
  turn: 0;
  /** A snapshot of the turn was made: it changed files. */
  saved: boolean;
  /** Changed paths, the first thousand. */
  files: string[];
  /** What the turn may have changed without a snapshot holding it. */
  uncovered: Uncovered[];
}

export interface SessionVcsOptions {
  /** Larger files are left out of snapshots. Default 20 MB. */
  maxFileMb?: number | undefined;
  /** No more snapshots once they have taken this much disk. Default 2,000 MB. */
  maxDiskMb?: number | undefined;
  /** A snapshot that takes longer is given up, in milliseconds. Default 20,000. */
  timeBudgetMs?: number | undefined;
  /** Also keep what ignore rules hide (setting `snapshot.ignored`). */
  ignored?: boolean | undefined;
  /** See the method of that name. */
  onNotice?: ((notice: string) => void) | undefined;
}

/** The snapshots of one session (guide 17.2). Calls are carried out one after the other, in order. */
export class SessionVcs {
  private opened: Promise<SnapshotStore> | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private turn: OpenTurn | null = null;
  private readonly notices = new Notices();

  constructor(
    readonly plan: VcsPlan,
    readonly sessionId: string,
    private readonly options: SessionVcsOptions = {},
  ) {
    if (options.onNotice) this.onNotice(options.onNotice);
  }

  /** Addition: who is told, in a sentence, what is not kept: snapshots off, one that failed, files left out. */
  onNotice(listener: (notice: string) => void): void {
    this.notices.listen(listener);
  }

  /** Addition: whether snapshots work here, and if not, why. Never rejects. */
  ready(): Promise<{ mode: "off" | "native" | "shadow"; reason?: string }> {
    return this.serially(async () => {
      try {
        return { mode: (await this.open()).repository.mode };
      } catch (error) {
        return { mode: "off" as const, reason: messageOf(error) };
      }
    });
  }

  /** Takes the state before a turn. Never rejects: what goes wrong is told to `onNotice` (guide 17.2). */
  beginTurn(prompt?: string): Promise<void> {
    const startedAt = Date.now();
    return this.serially(async () => {
      this.turn = await this.guarded((store) => store.beginTurn(prompt && shortened(prompt), startedAt));
      if (this.turn) this.notices.tellUncovered(this.turn.uncovered);
    });
  }

  /** Takes the state after a turn and says what changed. Never rejects (guide 17.2). */
  commitTurn(status: string): Promise<CommitResult> {
    return this.serially(async () => {
      const turn = this.turn;
      this.turn = null;
      const result = turn && (await this.guarded((store) => store.closeTurn(turn, status)));
      if (!result) return { turn: 0, saved: false, files: [], uncovered: [] };
      this.notices.tellUncovered(result.uncovered);
      return { turn: 0, saved: result.files.length > 0, ...result };
    });
  }

  /** Addition: keeps the present state in mid-turn, before a command that destroys. Never rejects. */
  snapshot(about: string): Promise<void> {
    return this.serially(async () => {
      await this.guarded((store) => store.record({ kind: "command", about: shortened(about) }));
    });
  }

  /** The turns that changed files, oldest first (guide 17.2). Empty when snapshots are off. */
  async listTurns(): Promise<TurnEntry[]> {
    const turns = (await this.listSnapshots()).filter((record) => record.kind === "turn");
    return turns.map((record, index) => ({
      turn: index + 1,
      status: record.status ?? "completed",
      when: record.when,
      files: record.files ?? [],
      ...(record.prompt && { prompt: record.prompt }),
    }));
  }

  /** Addition: every snapshot, oldest first, also those around restores and before commands. Empty when off. */
  listSnapshots(): Promise<SnapshotRecord[]> {
    return this.serially(async () => (await this.openOrNull())?.history.read() ?? []);
  }

  /** What a turn changed, as `git show --patch` prints it (guide 17.2). Throws `ZqError` when there is no such turn. */
  diffTurn(turn: number): Promise<string> {
    return this.serially(async () => {
      const { repository, history } = await this.open();
      const record = recordOfTurn(await history.read(), turn);
      if (turn === 0)
        throw new ZqError("no_such_turn", "Turn 0 is the state before the first turn: it changed nothing.");
      const shown = await repository.git([
        ...["show", "--patch", "--first-parent", "-m", "--format=medium", "--no-color", "--no-ext-diff"],
        ...["--no-textconv", "--submodule=short", record.id, "--"],
      ]);
      return shown.stdout.toString("utf8");
    });
  }

  /**
   * Brings the files back to their state after a turn, 0 being the state before turn 1 (guide 17.2). The state before
   * the restore is kept, see `undoRestore`. Throws `ZqError`: no such turn, a path outside, snapshots off.
   */
  restoreTurn(turn: number, options: RestoreOptions = {}): Promise<RestoreResult> {
    return this.serially(async () => {
      const store = await this.open();
      const target = recordOfTurn(await store.history.read(), turn);
      return store.restoreTo(target, { ...options, about: `turn ${turn}` });
    });
  }

  /** Addition: what `restoreTurn` would do. */
  previewRestore(turn: number, options: RestoreOptions = {}): Promise<RestoreResult> {
    return this.restoreTurn(turn, { ...options, dryRun: true });
  }

  /** Addition: goes to any snapshot of `listSnapshots`, by its id. Throws as `restoreTurn` does. */
  restoreSnapshot(id: string, options: RestoreOptions = {}): Promise<RestoreResult> {
    return this.serially(async () => {
      const store = await this.open();
      const target = (await store.history.read()).find((record) => record.id === id);
      if (!target) throw new ZqError("no_such_turn", `This session has no snapshot ${id}.`);
      return store.restoreTo(target, { ...options, about: `snapshot ${id}` });
    });
  }

  /** Addition: brings back the state before the newest restore. Throws `ZqError` when there was none. */
  async undoRestore(options: RestoreOptions = {}): Promise<RestoreResult> {
    const undo = (await this.listSnapshots()).findLast((record) => record.undo !== undefined)?.undo;
    if (undo === undefined) throw new ZqError("no_such_turn", "There is no restore to undo.");
    return this.restoreSnapshot(undo, options);
  }

  /** Deletes the session's ref and index; no file is touched (guide 17.2). */
  forget(): Promise<void> {
    return this.serially(async () => {
      this.turn = null;
      const store = await this.openOrNull();
      await store?.forget();
      this.opened = null;
    });
  }

  private open(): Promise<SnapshotStore> {
    this.opened ??= this.openStore();
    return this.opened;
  }

  /** Null where snapshots are off, by choice or because the repository cannot be used. */
  private async openOrNull(): Promise<SnapshotStore | null> {
    try {
      return await this.open();
    } catch (error) {
      if (isZqError(error) && error.code === "vcs_off") return null;
      throw error;
    }
  }

  private async openStore(): Promise<SnapshotStore> {
    const { store, fallback } = await SnapshotStore.open(this.plan, this.sessionId, {
      maxFileBytes: (this.options.maxFileMb ?? 20) * 1_000_000,
      maxDiskBytes: (this.options.maxDiskMb ?? 2000) * 1_000_000,
      timeBudgetMs: this.options.timeBudgetMs ?? 20_000,
      ignored: this.options.ignored ?? false,
    });
    if (fallback) this.notices.tell(`${fallback} Snapshots go to .agent/vcs instead.`);
    return store;
  }

  /** A failed snapshot is told, never thrown: a turn goes on without it. */
  private async guarded<T>(work: (store: SnapshotStore) => Promise<T>): Promise<T | null> {
    try {
      return await work(await this.open());
    } catch (error) {
      const why = messageOf(error);
      if (this.plan.mode !== "off")
        this.notices.tell(`No snapshot was taken: ${why} What this turn changes cannot be rolled back.`);
      else if (this.plan.isDegraded) this.notices.tell(why);
      return null;
    }
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => {});
    return result;
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

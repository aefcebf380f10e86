/** An open session of snapshots: takes them, records them on the chain, and goes back to one. */

import { lstatSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ZqError } from "../shared/errors";
import { History, type RecordNote, type SnapshotRecord } from "./history";
import { withLock } from "./indexLock";
import { type Entry, listIgnored, type Uncovered } from "./listing";
import { agentRef, sessionIndexPath, type VcsPlan } from "./plan";
import { openRepository, type Repository } from "./repository";
import { type RestoreFailure, restoreFiles } from "./restoreFiles";
import { buildRestorePlan, normalizePaths } from "./restorePlan";
import { type Snapshot, type SnapshotLimits, Snapshots } from "./Snapshots";

export interface RestoreOptions {
  /** Only these files or folders, relative to the workspace. */
  paths?: string[] | undefined;
  /** Say what would be done and change nothing. */
  dryRun?: boolean | undefined;
}

/** What a restore did, or with `dryRun` would do. All paths are relative to the workspace. */
export interface RestoreResult {
  /** Written as they were. */
  restored: string[];
  /** Of `restored` and `deleted`: files that were changed after the newest snapshot, by whoever it was. */
  overwritten: string[];
  /** Requested paths that the snapshot does not hold, and those that could not be brought back (see `failed`). */
  missing: string[];
  /** Addition: files that came later and are gone now. */
  deleted: string[];
  /** Addition: what no snapshot holds and a restore leaves as it is. */
  uncovered: Uncovered[];
  /** Addition: paths that could not be brought back, and why. */
  failed: RestoreFailure[];
}

/** A turn under way. */
export interface OpenTurn {
  /** The snapshot before it. */
  begin: string;
  entries: ReadonlyMap<string, Entry>;
  uncovered: Uncovered[];
  prompt?: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
}

export interface StoreLimits extends SnapshotLimits {
  /** Milliseconds for one snapshot. */
  timeBudgetMs: number;
}

const MOST_IGNORED = 200;
/** A person waits for a restore and would rather have it late than not. */
const RESTORE_BUDGET_MS = 300_000;
const MOST_FILES = 1000;

export class SnapshotStore {
  readonly history: History;
  private readonly snapshots: Snapshots;
  private readonly indexFile: string;
  /** Files of the newest snapshot that this process knows. */
  private last: ReadonlyMap<string, Entry> | null = null;

  private constructor(
    readonly repository: Repository,
    sessionId: string,
    private readonly limits: StoreLimits,
  ) {
    this.indexFile = sessionIndexPath(repository.gitDir, sessionId);
    this.snapshots = new Snapshots(repository, this.indexFile, limits);
    this.history = new History(repository, agentRef(sessionId));
  }

  /** Throws `ZqError` when the plan's repository cannot be used; `fallback` says why another one was taken. */
  static async open(
    plan: VcsPlan,
    sessionId: string,
    limits: StoreLimits,
  ): Promise<{ store: SnapshotStore; fallback?: string }> {
    const { repository, fallback } = await openRepository(plan);
    return { store: new SnapshotStore(repository, sessionId, limits), ...(fallback && { fallback }) };
  }

  /** The workspace as it is now; nothing is recorded. Throws when no true snapshot can be made in time. */
  async take(forced?: ReadonlySet<string>, timeBudgetMs = this.limits.timeBudgetMs): Promise<Snapshot> {
    this.last ??= await this.newest();
    const known = this.last.keys();
    const signal = AbortSignal.timeout(timeBudgetMs);
    try {
      const snapshot = await withLock(`${this.indexFile}.owner`, () =>
        this.snapshots.take(known, { signal, ...(forced && { forced }) }),
      );
      this.last = snapshot.entries;
      return snapshot;
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new ZqError("vcs_slow", `A snapshot took longer than ${timeBudgetMs / 1000} s and was given up.`, {
        cause: error,
      });
    }
  }

  /** Takes and records; when nothing changed since the newest snapshot, that one stands for it. */
  async record(note: Omit<RecordNote, "when">): Promise<{ id: string; snapshot: Snapshot }> {
    const snapshot = await this.take();
    const tip = await this.history.lastKnownTip();
    const id = tip?.tree === snapshot.tree ? tip.id : await this.history.add(snapshot.tree, note);
    return { id, snapshot };
  }

  /** Takes the state before a turn. A turn that a crash left open is closed first, so that it is listed too. */
  async beginTurn(prompt: string | undefined, startedAt: number): Promise<OpenTurn> {
    const about = prompt ? { prompt } : {};
    await this.closeLeftTurn();
    const { id, snapshot } = await this.record({ kind: "begin", ...about });
    const turn = { begin: id, startedAt, ...about };
    writeFileSync(this.openTurnFile, JSON.stringify(turn), { mode: 0o600 });
    return { ...turn, entries: snapshot.entries, uncovered: snapshot.uncovered };
  }

  /** Records what a turn changed, if it changed anything. `files` holds the first thousand paths. */
  async closeTurn(
    turn: Omit<OpenTurn, "uncovered">,
    status: string,
  ): Promise<{ files: string[]; uncovered: Uncovered[] }> {
    const after = await this.take();
    const changed = changedPaths(turn.entries, after.entries);
    const files = changed.slice(0, MOST_FILES);
    const uncovered = [...after.uncovered, ...(await this.ignoredSince(turn.startedAt))];
    if (changed.length > 0) {
      const about = turn.prompt ? { prompt: turn.prompt } : {};
      const note = { kind: "turn" as const, status, ...about, files, fileCount: changed.length };
      await this.history.add(after.tree, note, turn.begin);
    }
    rmSync(this.openTurnFile, { force: true });
    return { files, uncovered };
  }

  async restoreTo(target: SnapshotRecord, options: RestoreOptions & { about: string }): Promise<RestoreResult> {
    const paths = options.paths && normalizePaths(options.paths);
    const files = await this.snapshots.read(target.id);
    const later = await this.history.addedSince(target.id);
    const last = await this.newest();
    const touched = new Set([...files.keys(), ...later]);
    const now = await this.take(touched, RESTORE_BUDGET_MS);
    const plan = buildRestorePlan({ target: files, now, last, later, ...(paths && { paths }) });
    const uncovered = [...now.uncovered, ...(await this.ignored())];
    const result = { restored: plan.write, deleted: plan.delete, overwritten: plan.overwritten, uncovered };
    if (options.dryRun || plan.write.length + plan.delete.length === 0) {
      return { ...result, missing: plan.missing, failed: [] };
    }
    const tip = await this.history.tip();
    const before =
      tip?.tree === now.tree
        ? tip.id
        : await this.history.add(now.tree, { kind: "before-restore", about: options.about });
    const failed = await restoreFiles({ repository: this.repository, plan, target: files, saved: now.entries });
    const after = await this.take(touched, RESTORE_BUDGET_MS);
    await this.history.add(after.tree, { kind: "after-restore", about: options.about, undo: before });
    const lost = new Set(failed.map((failure) => failure.path));
    const done = (path: string) => !lost.has(path);
    return {
      restored: plan.write.filter(done),
      deleted: plan.delete.filter(done),
      overwritten: plan.overwritten.filter(done),
      missing: [...plan.missing, ...lost],
      uncovered,
      failed,
    };
  }

  /** Ignored files that were written after a moment (epoch milliseconds): no snapshot holds the change. */
  private async ignoredSince(moment: number): Promise<Uncovered[]> {
    return (await this.ignored()).filter(({ path }) => {
      const stats = lstatSync(join(this.repository.workspace, path), { throwIfNoEntry: false });
      return stats !== undefined && !stats.isDirectory() && stats.mtimeMs >= moment;
    });
  }

  /** Deletes the session's ref and index, and of a shadow what nobody needs any more. */
  async forget(): Promise<void> {
    await this.history.forget();
    this.snapshots.dispose();
    rmSync(this.openTurnFile, { force: true });
    this.last = null;
    if (this.repository.mode === "shadow") await this.tidyShadow();
  }

  private async closeLeftTurn(): Promise<void> {
    const left = this.readOpenTurn();
    if (!left) return;
    const entries = await this.snapshots.read(left.begin).catch(() => null);
    if (entries) await this.closeTurn({ ...left, entries }, "interrupted");
    else rmSync(this.openTurnFile, { force: true });
  }

  private get openTurnFile(): string {
    return `${this.indexFile}.turn`;
  }

  private readOpenTurn(): { begin: string; startedAt: number; prompt?: string } | null {
    try {
      return JSON.parse(readFileSync(this.openTurnFile, "utf8"));
    } catch {
      return null;
    }
  }

  private async newest(): Promise<ReadonlyMap<string, Entry>> {
    const tip = await this.history.tip();
    return tip ? this.snapshots.read(tip.id) : new Map();
  }

  private async ignored(): Promise<Uncovered[]> {
    if (this.limits.ignored) return [];
    const paths = await listIgnored(this.repository);
    return paths.slice(0, MOST_IGNORED).map((path) => ({ path, reason: "ignored" as const }));
  }

  private async tidyShadow(): Promise<void> {
    const { gitDir } = this.repository;
    const { stdout } = await this.repository.git(["for-each-ref", "--count=1", "refs/agent/"]);
    // Objects of the last hour may belong to a snapshot that another session is just taking.
    if (stdout.length > 0) await this.repository.git(["prune", "--expire=1.hour.ago"]);
    else {
      rmSync(gitDir, { recursive: true, force: true });
      try {
        rmdirSync(dirname(gitDir));
      } catch {
        // Other things of the project lie there.
      }
    }
  }
}

function changedPaths(before: ReadonlyMap<string, Entry>, after: ReadonlyMap<string, Entry>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const differs = (path: string) => {
    const [old, now] = [before.get(path), after.get(path)];
    return old?.oid !== now?.oid || old?.mode !== now?.mode;
  };
  return [...paths].filter(differs).sort();
}

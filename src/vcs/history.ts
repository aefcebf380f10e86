/** The chain of a session's snapshots on its private ref: commits with a line of JSON that says what each is. */

import { ZqError } from "../shared/errors";
import type { Uncovered } from "./listing";
import type { Repository } from "./repository";

/**
 * `begin`: before a turn; `turn`: after one that changed files; `command`: before a command that destroys;
 * `before-restore`, `after-restore`: around a rollback.
 */
export type RecordKind = "begin" | "turn" | "command" | "before-restore" | "after-restore";

/** What is noted with a snapshot. */
export interface RecordNote {
  kind: RecordKind;
  /** ISO. */
  when: string;
  status?: string;
  prompt?: string;
  /** Changed paths, the first thousand of `fileCount`. */
  files?: string[];
  fileCount?: number;
  uncovered?: Uncovered[];
  /** What the command was, or the turn that was restored. */
  about?: string;
  /** After a restore: the snapshot of the state before it. */
  undo?: string;
}

/** A snapshot of the chain. */
export interface SnapshotRecord extends RecordNote {
  /** Commit id. */
  id: string;
  tree: string;
  parents: string[];
}

/** Commit and tree of the newest snapshot. */
export interface Tip {
  id: string;
  tree: string;
}

export class History {
  /** Null: there was no snapshot yet; undefined: nobody has looked. */
  private known: Tip | null | undefined;

  constructor(
    private readonly repository: Repository,
    private readonly ref: string,
  ) {}

  /** The newest snapshot's commit, or null. */
  async tip(): Promise<Tip | null> {
    const { stdout } = await this.repository.git(["for-each-ref", "--format=%(objectname) %(tree)", this.ref]);
    const [id, tree] = stdout.toString("latin1").trim().split(" ");
    this.known = id && tree ? { id, tree } : null;
    return this.known;
  }

  /** The newest snapshot (or none) as this process last saw it: enough to add to, for adding notices when it has moved. */
  async lastKnownTip(): Promise<Tip | null> {
    return this.known === undefined ? this.tip() : this.known;
  }

  /** All snapshots, oldest first. */
  async read(): Promise<SnapshotRecord[]> {
    if (!(await this.tip())) return [];
    const { stdout } = await this.repository.git([
      "log",
      "-z",
      "--topo-order",
      "--reverse",
      "--no-color",
      "--format=%H%n%T%n%P%n%B",
      this.ref,
      "--",
    ]);
    const records: SnapshotRecord[] = [];
    for (const text of stdout.toString("utf8").split("\0")) {
      const [id = "", tree = "", parents = "", ...message] = text.replace(/^\n/, "").split("\n");
      const note = parseNote(message.join("\n"));
      if (note) records.push({ ...note, id, tree, parents: parents.split(" ").filter(Boolean) });
    }
    return records;
  }

  /**
   * Adds a snapshot behind the newest one and moves the ref to it. `first`: the snapshot that it is compared with, where
   * that is not the newest. Throws when another process keeps moving the ref.
   */
  async add(tree: string, note: Omit<RecordNote, "when">, first?: string): Promise<string> {
    const stamped: RecordNote = { ...note, when: new Date().toISOString() };
    const tip = await this.lastKnownTip();
    const id = await this.commit(tree, stamped, [first ?? tip?.id, tip?.id]);
    if (await this.move(tip, { id, tree }, true)) return id;
    const moved = await this.tip();
    const again = await this.commit(tree, stamped, [first ?? moved?.id, moved?.id]);
    await this.move(moved, { id: again, tree }, false);
    return again;
  }

  private async commit(tree: string, note: RecordNote, parents: (string | undefined)[]): Promise<string> {
    const flags = [...new Set(parents)].flatMap((parent) => (parent === undefined ? [] : ["-p", parent]));
    const { stdout } = await this.repository.git(["commit-tree", tree, ...flags, "-F", "-"], {
      stdin: `${subjectOf(note)}\n\n${JSON.stringify(note)}\n`,
      env: identity,
    });
    return stdout.toString("latin1").trim();
  }

  /** Only from where we think it is: what another process added is never lost. */
  private async move(from: Tip | null, to: Tip, mayFail: boolean): Promise<boolean> {
    const old = from?.id ?? "0".repeat(to.id.length);
    const { code } = await this.repository.git(["update-ref", this.ref, to.id, old], { mayFail });
    if (code === 0) this.known = to;
    return code === 0;
  }

  /** Paths that came into a snapshot after `since`. */
  async addedSince(since: string): Promise<Set<string>> {
    const { stdout: ids } = await this.repository.git(["rev-list", `${since}..${this.ref}`, "--"]);
    const { stdout } = await this.repository.git(
      ["diff-tree", "--stdin", "-r", "-m", "-z", "--no-commit-id", "--name-only", "--no-renames", "--diff-filter=A"],
      { stdin: ids },
    );
    return new Set(stdout.toString("utf8").split("\0").filter(Boolean));
  }

  /** Deletes the ref; the objects go with the repository's own housekeeping. */
  async forget(): Promise<void> {
    if (await this.tip()) await this.repository.git(["update-ref", "-d", this.ref]);
    this.known = null;
  }
}

/** Author and committer: never the user's, and there even where none is configured. */
const identity = {
  GIT_AUTHOR_NAME: "zqagent",
  GIT_AUTHOR_EMAIL: "zqagent@localhost",
  GIT_COMMITTER_NAME: "zqagent",
  GIT_COMMITTER_EMAIL: "zqagent@localhost",
};

function subjectOf(note: RecordNote): string {
  const words = [note.kind, note.status, note.prompt ?? note.about].filter(Boolean).join(": ");
  return words.replace(/[\x00-\x1f\x7f]+/g, " ").slice(0, 100);
}

function parseNote(message: string): RecordNote | null {
  try {
    const note: unknown = JSON.parse(message.slice(message.indexOf("\n\n") + 2));
    return typeof note === "object" && note !== null && "kind" in note ? (note as RecordNote) : null;
  } catch {
    return null;
  }
}

/** The record of turn `n`, counted from 1; 0 is the state before turn 1. Throws `ZqError` where there is none. */
export function recordOfTurn(records: readonly SnapshotRecord[], turn: number): SnapshotRecord {
  const turns = records.filter((record) => record.kind === "turn");
  const first = turns[0];
  const before = first
    ? records.find((record) => record.id === first.parents[0])
    : records.findLast((record) => record.kind === "begin");
  const found = turn === 0 ? before : turns[turn - 1];
  if (found) return found;
  const known =
    turns.length === 0 ? "No turn has changed files yet." : `Turns that changed files: 1 to ${turns.length}.`;
  throw new ZqError("no_such_turn", `There is no turn ${turn} to go back to. ${known}`);
}

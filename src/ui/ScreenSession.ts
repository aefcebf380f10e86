/** What the screen needs of a session, and no more: the wall between the screen and everything that thinks. */

import type { SessionUsage } from "../sessions/Session";
import type { ApprovalAnswer, ApprovalOutcome, FileChange, PermissionRequest } from "../shared/contracts";
import type { WsEvent } from "../shared/events";
import type { Message } from "../shared/messages";

/** A turn that changed files. `turn` counts only such turns, from 1 (guide 17.2); `when` is an ISO time. */
export interface ChangedTurn {
  turn: number;
  files: string[];
  prompt?: string;
  when: string;
}

/** Paths that a rollback writes (`restored`), of those the ones changed since (`overwritten`), and the rest. */
export interface RollbackPlan {
  restored: string[];
  overwritten: string[];
  deleted: string[];
  /** In no snapshot, so they cannot be brought back. */
  missing: string[];
}

/** A past session of this folder; `updated` is an ISO time. */
export interface PastSession {
  id: string;
  name?: string;
  firstPrompt?: string;
  updated: string;
  turns: number;
}

/**
 * One conversation as the screen drives it. One `run` or `compact` at a time; the iterable must be read to its end.
 * `model` and `mode` are read anew after each event, for a turn can change them.
 */
export interface ScreenSession {
  readonly id: string;
  readonly workspace: string;
  readonly model: string;
  readonly mode: string;
  /** What went wrong beside the work, in sentences; only grows. */
  readonly problems?: readonly string[];
  /** The conversation so far, to show it again; also where whole tool results are looked up. */
  history(): readonly Message[];
  run(text: string): AsyncIterable<WsEvent>;
  /** Goes on with the last turn where it failed, was stopped or died; yields nothing where it came to its end. */
  retry(): AsyncIterable<WsEvent>;
  interrupt(): void;
  queueSteering(text: string): void;
  /** False when the text has reached the model already. */
  removeSteering(text: string): boolean;
  setModel(name: string): void;
  setMode(mode: string): void;
  setApprover(approver: (request: PermissionRequest) => Promise<ApprovalOutcome | ApprovalAnswer>): void;
  /** What a call would change, writing nothing; empty when nothing can be said. May reject. */
  preview(request: PermissionRequest): Promise<FileChange[]>;
  compact(focus?: string): AsyncIterable<WsEvent>;
  /** Takes the last compaction back; false when there is none. */
  uncompact(): boolean;
  usage(): SessionUsage;
  /** A unified diff of what a turn changed (default: the newest); empty when nothing did. */
  diff(turn?: number): Promise<string>;
  turns(): Promise<ChangedTurn[]>;
  previewRollback(turn: number): Promise<RollbackPlan>;
  rollback(turn: number): Promise<RollbackPlan>;
  /** Past sessions of this folder, the newest first. */
  sessions(): Promise<PastSession[]>;
  close(): Promise<void>;
}

/** Which session to open. */
export type SessionChoice = { kind: "new" } | { kind: "resume"; id: string };

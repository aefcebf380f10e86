/** What the screen needs of a session, and no more: the wall between the screen and everything that thinks. */

import type { RestoreResult } from "../index";
import type { SessionUsage } from "../sessions/Session";
import type { SnapshotTurn } from "../sessions/SessionSnapshots";
import type { SessionMeta } from "../sessions/SessionStore";
import type { ApprovalAnswer, ApprovalOutcome, FileChange, PermissionRequest } from "../shared/contracts";
import type { WsEvent } from "../shared/events";
import type { Message } from "../shared/messages";

/** A past session of this folder, as the list shows it. */
export type PastSession = Pick<SessionMeta, "id" | "name" | "firstPrompt" | "updated" | "turns">;

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
  turns(): Promise<SnapshotTurn[]>;
  previewRollback(turn: number): Promise<RestoreResult>;
  rollback(turn: number): Promise<RestoreResult>;
  /** Past sessions of this folder, the newest first. */
  sessions(): Promise<PastSession[]>;
  close(): Promise<void>;
}

/** Which session to open. */
export type SessionChoice = { kind: "new" } | { kind: "resume"; id: string };

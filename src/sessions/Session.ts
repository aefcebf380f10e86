/** One conversation on disk: the engine with its log, snapshots and lock, one turn at a time. */

import { rmSync } from "node:fs";
import {
  type Approver,
  EventType,
  FileLogHook,
  type Message,
  type Mode,
  type PermissionRequest,
  type RestoreResult,
  type SavedState,
  type TurnEngine,
  type WsEvent,
} from "../index";
import type { FileChange } from "../shared/contracts";
import { isEvent } from "../shared/events";
import { readState } from "./readState";
import { SessionSnapshots, type SnapshotTurn } from "./SessionSnapshots";
import { type SessionMeta, SessionStore } from "./SessionStore";
import { Spending } from "./Spending";
import { createSessionEngine, restoreSettings } from "./sessionEngine";
import { createSessionId } from "./sessionId";
import { type SessionLock, takeSessionLock } from "./sessionLock";
import { SessionMemory } from "./sessionMemory";
import type { SessionOptions } from "./sessionOptions";
import { createSessionProvider, type SessionProvider } from "./sessionProvider";
import { TurnQueue } from "./TurnQueue";

/** Tokens of the whole session, and how full the model's context is. `contextWindow` 0: not known. */
export interface SessionUsage {
  input: number;
  output: number;
  contextTokens: number;
  contextWindow: number;
  /** Some of the figures are our estimate: the endpoint reported none. */
  estimated?: boolean;
  /** US dollars since the session was opened; absent where a price is not known. */
  cost?: number;
}

export class Session {
  readonly id: string;
  readonly workspace: string;
  readonly engine: TurnEngine;
  readonly #store: SessionStore;
  readonly #memory: SessionMemory;
  readonly #lock: SessionLock;
  readonly #snapshots: SessionSnapshots;
  readonly #problems: string[];
  /** Told to the model with the next prompt: what happened outside its sight. */
  readonly #notices: string[] = [];
  readonly #spending = new Spending();
  readonly #provider: SessionProvider;
  readonly #turns = new TurnQueue();
  #closed = false;

  private constructor(parts: SessionParts) {
    const { options, store, meta, state, log } = parts;
    this.id = meta.id;
    this.workspace = options.workspace;
    this.#store = store;
    this.#lock = parts.lock;
    this.#snapshots = parts.snapshots;
    this.#problems = parts.problems;
    this.#provider = createSessionProvider(options);
    this.engine = createSessionEngine(options, {
      provider: this.#provider.client,
      id: meta.id,
      folder: store.folderOf(meta.id),
      log,
      state,
      notices: () => this.#notices.splice(0),
      onProblem: (problem) => this.#problems.push(problem),
    });
    if (state) restoreSettings(this.engine, state, options);
    this.#memory = new SessionMemory(store, log, meta);
    log.attach(this.engine);
  }

  /** Opens a new session, or goes on with an old one. Throws SessionHeldError, SessionNotFoundError. */
  static async open(options: SessionOptions): Promise<Session> {
    const store = new SessionStore(options.home);
    const meta = options.resume === undefined ? newMeta(options) : store.find(options.resume);
    const folder = options.resume === undefined ? store.create(meta.id) : store.folderOf(meta.id);
    const lock = takeSessionLock(folder, meta.id);
    try {
      const problems: string[] = [];
      const log = new FileLogHook(meta.id, folder, {
        onProblem: ({ message }) => problems.push(message),
        secrets: [options.apiKey ?? "", ...secretHeaders(options)],
      });
      const workspace = options.resume === undefined ? options.workspace : meta.workspace;
      const restored = options.resume === undefined ? null : readState(meta.id, folder);
      problems.push(...(restored?.warnings ?? []));
      const state = restored?.state ?? null;
      const snapshots = await SessionSnapshots.open(workspace, meta.id, options.vcs);
      return new Session({ options: { ...options, workspace }, store, meta, lock, log, state, snapshots, problems });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  get meta(): SessionMeta {
    return this.#memory.meta;
  }

  get model(): string {
    return this.engine.model;
  }

  get mode(): string {
    return this.engine.permissions.mode;
  }

  /** What went wrong beside the work (a full disk, a snapshot that could not be made), in sentences. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  history(): readonly Message[] {
    return this.engine.messages;
  }

  /** One turn. Turns of a session run one after the other; read the events to their end. */
  async *run(text: string): AsyncGenerator<WsEvent> {
    const turnIsOver = await this.#turns.take();
    try {
      this.#memory.promptTaken(text, this.engine.model);
      yield* this.#follow(this.engine.run(text));
    } finally {
      turnIsOver();
    }
  }

  /**
   * Goes on with the last turn where it failed, was stopped, or died with its process: no prompt is sent again, what
   * was done is not done twice. Yields nothing where the last turn came to its end.
   */
  async *retry(): AsyncGenerator<WsEvent> {
    const turnIsOver = await this.#turns.take();
    try {
      yield* this.#follow(this.engine.takeUp());
    } finally {
      turnIsOver();
    }
  }

  interrupt(): void {
    this.engine.requestInterrupt();
  }

  queueSteering(text: string): void {
    this.engine.queueSteering(text);
  }

  removeSteering(text: string): boolean {
    return this.engine.removeSteering(text);
  }

  setModel(name: string): void {
    this.engine.model = name;
  }

  setMode(mode: string): void {
    if (isMode(mode)) this.engine.permissions.mode = mode;
  }

  setApprover(approver: Approver): void {
    this.engine.setApprover(approver);
  }

  /** What a call would change, writing nothing; empty when its tool cannot say. */
  async preview(request: PermissionRequest): Promise<FileChange[]> {
    const tool = this.engine.registry.get(request.toolName);
    return (await tool?.metadata.preview?.(request.arguments)) ?? [];
  }

  /** Tokens asked and answered since this process opened the session, and how full the model's context is. */
  usage(): SessionUsage {
    const { tokens, contextWindow } = this.engine.compactionState;
    return { ...this.#spending.total, contextTokens: tokens, contextWindow };
  }

  /** Summarises the conversation now; yields what came of it. */
  async *compact(focus?: string): AsyncGenerator<WsEvent> {
    const turnIsOver = await this.#turns.take();
    try {
      const outcome = await this.engine.compact(focus);
      if (outcome) yield { type: EventType.COMPACTED, data: { ...outcome } };
      this.#memory.turnEnded(this.engine);
    } finally {
      turnIsOver();
    }
  }

  /** Takes the last compaction back; false when there is none. */
  uncompact(): boolean {
    return this.engine.uncompact();
  }

  diff(turn?: number): Promise<string> {
    return this.#lastTurn(turn).then((wanted) => (wanted === undefined ? "" : this.#snapshots.diff(wanted)));
  }

  turns(): Promise<SnapshotTurn[]> {
    return this.#snapshots.turns();
  }

  /** Why there are no snapshots; undefined when there are. */
  get snapshotsOff(): string | undefined {
    return this.#snapshots.off;
  }

  previewRollback(turn: number): Promise<RestoreResult> {
    return this.#snapshots.plan(turn);
  }

  /** Brings the files back; the model is told with the next prompt. */
  async rollback(turn: number): Promise<RestoreResult> {
    const turnIsOver = await this.#turns.take();
    try {
      const done = await this.#snapshots.restore(turn);
      const files = [...done.restored, ...done.deleted].slice(0, 50).join(", ");
      this.#notices.push(
        `The user rolled the files back to how they were after turn ${turn}. Changed by that: ${files || "nothing"}. Read files again before you edit them.`,
      );
      return done;
    } finally {
      turnIsOver();
    }
  }

  /** Past sessions of this folder, the newest first, this one left out. */
  async sessions(): Promise<SessionMeta[]> {
    return this.#store.list(this.workspace).filter((meta) => meta.id !== this.id);
  }

  /** Saves and lets go. A session in which nothing was asked leaves no trace. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.engine.requestInterrupt();
    await this.#turns.idle();
    await this.engine.dispose();
    await this.#provider.keep();
    this.#memory.closed(this.engine);
    this.#lock.release();
    if (this.meta.turns === 0) rmSync(this.#store.folderOf(this.id), { recursive: true, force: true });
  }

  /** Counts what a turn costs, and keeps what its end must keep. */
  async *#follow(events: AsyncIterable<WsEvent>): AsyncGenerator<WsEvent> {
    for await (const event of events) {
      if (isEvent(event, "assistant_message") || isEvent(event, "compacted"))
        this.#spending.add(event.data.usage, this.engine.model);
      yield event;
    }
    void this.#provider.keep();
    this.#memory.turnEnded(this.engine);
  }

  async #lastTurn(turn: number | undefined): Promise<number | undefined> {
    return turn ?? (await this.#snapshots.turns()).at(-1)?.turn;
  }
}

/** Headers of the user's own may carry a key. */
function secretHeaders({ headers = {} }: SessionOptions): string[] {
  return Object.values(headers).filter((value) => value.length >= 12);
}

function isMode(mode: string): mode is Mode {
  return ["discuss", "plan", "interactive", "auto"].includes(mode);
}

interface SessionParts {
  options: SessionOptions;
  store: SessionStore;
  meta: SessionMeta;
  lock: SessionLock;
  log: FileLogHook;
  state: SavedState | null;
  snapshots: SessionSnapshots;
  problems: string[];
}

function newMeta(options: SessionOptions): SessionMeta {
  const now = new Date();
  const time = now.toISOString();
  return { id: createSessionId(now), workspace: options.workspace, created: time, updated: time, turns: 0 };
}

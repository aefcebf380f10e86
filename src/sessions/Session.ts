/** One conversation on disk: the engine with its log, snapshots and lock, one turn at a time. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  type Approver,
  createDefaultEngine,
  FileLogHook,
  type Lang,
  type Message,
  type Mode,
  OpenAIProvider,
  type PermissionRequest,
  type ProviderClient,
  type SavedState,
  type TurnEngine,
  type VcsMode,
  type WsEvent,
} from "../index";
import type { FileChange } from "../shared/contracts";
import { readState } from "./readConversation";
import { type RestorePlan, SessionSnapshots, type SnapshotTurn } from "./SessionSnapshots";
import { type SessionMeta, SessionStore } from "./SessionStore";
import { createSessionId } from "./sessionId";
import { type SessionLock, takeSessionLock } from "./sessionLock";
import { SessionMemory } from "./sessionMemory";

export interface SessionOptions {
  workspace: string;
  /** The folder that is `~/.zqagent` by default. */
  home: string;
  lang: Lang;
  vcs: VcsMode;
  /** Id of the session to go on with; absent: a new one. */
  resume?: string;
  model?: string;
  apiKey?: string;
  baseUrl?: string;
  apiMode?: "responses" | "chat";
  /** Instead of the endpoint of the options above. */
  provider?: ProviderClient;
  reasoningEffort?: string;
  mode?: Mode;
  agent?: "code" | "cowork";
  allow?: string[];
  maxIterations?: number;
  contextWindow?: number;
  thresholdPct?: number;
  softThresholdPct?: number;
  capTokens?: number;
  logDir?: string;
}

export class Session {
  readonly id: string;
  readonly workspace: string;
  readonly engine: TurnEngine;
  readonly #store: SessionStore;
  readonly #memory: SessionMemory;
  readonly #lock: SessionLock;
  readonly #snapshots: SessionSnapshots;
  readonly #log: FileLogHook;
  /** Told to the model with the next prompt: what happened outside its sight. */
  readonly #notices: string[] = [];
  #queue: Promise<void> = Promise.resolve();
  #closed = false;

  private constructor(parts: SessionParts) {
    this.id = parts.meta.id;
    this.workspace = parts.options.workspace;
    this.#store = parts.store;
    this.#lock = parts.lock;
    this.#log = parts.log;
    this.#memory = new SessionMemory(parts.store, parts.log, parts.meta);
    this.#snapshots = parts.snapshots;
    this.engine = createEngine(parts, this.#notices);
    if (parts.state) restore(this.engine, parts.state, parts.options);
  }

  /** Opens a new session, or goes on with an old one. Throws SessionHeldError, SessionNotFoundError. */
  static async open(options: SessionOptions): Promise<Session> {
    const store = new SessionStore(options.home);
    const meta = options.resume === undefined ? newMeta(options) : store.find(options.resume);
    const folder = options.resume === undefined ? store.create(meta.id) : store.folderOf(meta.id);
    const lock = takeSessionLock(folder, meta.id);
    try {
      const state = options.resume === undefined ? null : readState(store, meta.id);
      const workspace = options.resume === undefined ? options.workspace : meta.workspace;
      const snapshots = await SessionSnapshots.open(workspace, meta.id, options.vcs);
      const log = new FileLogHook(meta.id, folder);
      return new Session({ options: { ...options, workspace }, store, meta, lock, log, state, snapshots });
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
  get problems(): string[] {
    return [...this.#log.problems];
  }

  history(): readonly Message[] {
    return this.engine.messages;
  }

  /** One turn. Turns of a session run one after the other; read the events to their end. */
  async *run(text: string): AsyncGenerator<WsEvent> {
    const turnIsOver = await this.#takeTurn();
    try {
      this.#memory.promptTaken(text, this.engine.model);
      yield* this.engine.run(text);
      this.#memory.turnEnded(this.engine);
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

  previewRollback(turn: number): Promise<RestorePlan> {
    return this.#snapshots.plan(turn);
  }

  /** Brings the files back; the model is told with the next prompt. */
  async rollback(turn: number): Promise<RestorePlan> {
    const turnIsOver = await this.#takeTurn();
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
    await this.#queue;
    await this.engine.dispose();
    this.#memory.closed(this.engine);
    this.#lock.release();
    if (this.meta.turns === 0) rmSync(this.#store.folderOf(this.id), { recursive: true, force: true });
  }

  async #lastTurn(turn: number | undefined): Promise<number | undefined> {
    return turn ?? (await this.#snapshots.turns()).at(-1)?.turn;
  }

  /** Waits until those before have had their turn; the returned function ends ours. */
  async #takeTurn(): Promise<() => void> {
    const before = this.#queue;
    let release: () => void = () => {};
    this.#queue = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}

interface SessionParts {
  options: SessionOptions;
  store: SessionStore;
  meta: SessionMeta;
  lock: SessionLock;
  log: FileLogHook;
  state: SavedState | null;
  snapshots: SessionSnapshots;
}

function newMeta(options: SessionOptions): SessionMeta {
  const now = new Date();
  const time = now.toISOString();
  return { id: createSessionId(now), workspace: options.workspace, created: time, updated: time, turns: 0 };
}

/** What a session keeps on disk beside its log: the checkpoint, when it is due, and `meta.json`. */

import type { FileLogHook, TurnEngine } from "../index";
import type { SessionMeta, SessionStore } from "./SessionStore";

export class SessionMemory {
  readonly #store: SessionStore;
  readonly #log: FileLogHook;
  #meta: SessionMeta;

  constructor(store: SessionStore, log: FileLogHook, meta: SessionMeta) {
    this.#store = store;
    this.#log = log;
    this.#meta = meta;
  }

  get meta(): SessionMeta {
    return this.#meta;
  }

  /** A prompt was taken: from now on the session can be found by `-c`, the picker and the list. */
  promptTaken(prompt: string, model: string): void {
    if (this.#meta.turns === 0)
      this.#log.record("session_started", { workspace: this.#meta.workspace, version: ZQAGENT_VERSION });
    const firstPrompt = this.#meta.firstPrompt ?? prompt.slice(0, 500);
    this.#update({ firstPrompt, turns: this.#meta.turns + 1, model });
  }

  /** After a turn: the checkpoint, when the log has grown enough to be worth it. */
  turnEnded(engine: TurnEngine): void {
    if (this.#log.checkpointDue()) this.save(engine);
    this.#update({ model: engine.model });
  }

  /** At a clean exit. */
  closed(engine: TurnEngine): void {
    if (this.#meta.turns > 0 && this.#log.checkpointDue("exit")) this.save(engine);
    this.#log.close();
  }

  save(engine: TurnEngine): void {
    const { name, nameSource, turns } = this.#meta;
    this.#log.saveState(engine, {
      ...(name === undefined ? {} : { name }),
      ...(nameSource === undefined ? {} : { nameSource }),
      taskCount: turns,
    });
  }

  #update(change: Partial<SessionMeta>): void {
    this.#meta = { ...this.#meta, ...change, updated: new Date().toISOString() };
    try {
      this.#store.writeMeta(this.#meta);
    } catch {
      // A full disk: the log has told it once already; the meta file can be rebuilt from the log.
    }
  }
}

/** Keeps a session on disk: its events as a log that only grows, and a checkpoint (guide 11.3). */

import type { EngineHook } from "../shared/EngineHook";
import { ZqError } from "../shared/errors";
import type { WsEvent } from "../shared/events";
import { plainData } from "../shared/plainData";
import { AppendLog } from "./AppendLog";
import { checkpointExtent, checkpointText, markLog, replaceFile } from "./checkpoint";
import { rebuildFromLog, restoreSession } from "./restore";
import {
  buildSettings,
  isMessage,
  isPlainObject,
  type Saveable,
  type SavedState,
  type StateMeta,
  withoutBytes,
} from "./savedState";
import { type SaveProblem, saveProblem } from "./saveProblem";
import type { LogRecord } from "./sessionLog";
import { isFileName, logPath, statePath } from "./sessionPaths";

export interface FileLogOptions {
  /** Told once when saving begins to fail; the turn goes on. */
  onProblem?: ((problem: SaveProblem) => void) | undefined;
  /** Texts that must not reach the disk; default is the value of `OPENAI_API_KEY`. */
  secrets?: string[] | undefined;
}

/** Whole messages follow these, so the log does without them. */
const leftOut = new Set<string>(["assistant_delta", "reasoning_delta", "tool_output"]);
/** Behind a clean exit at most so much log is left to play again. */
const EXIT_SLACK_BYTES = 64 << 10;
/** Shorter secrets would hide ordinary words. */
const MIN_SECRET_LENGTH = 8;

export class FileLogHook implements EngineHook {
  readonly sessionId: string;
  readonly stateDir: string;
  private readonly log: AppendLog;
  private readonly secrets: string[];
  private engine: Saveable | undefined;
  private meta: StateMeta = {};
  private loggedSettings = "";
  private readonly told = new Set<string>();
  private replacedSinceSave = false;
  private extent: { logLength: number; size: number } | undefined;
  private currentProblem: SaveProblem | null = null;

  /** Throws when the id cannot be a file name. Nothing is touched on disk before the first record. */
  constructor(
    sessionId: string,
    stateDir: string,
    private readonly options: FileLogOptions = {},
  ) {
    if (!isFileName(sessionId))
      throw new ZqError("invalid_option", `sessionId cannot be a file name: ${JSON.stringify(sessionId)}.`);
    this.sessionId = sessionId;
    this.stateDir = stateDir;
    this.log = new AppendLog(logPath(sessionId, stateDir), (error) => this.outcome(error));
    this.extent = checkpointExtent(statePath(sessionId, stateDir));
    const secrets = options.secrets ?? [process.env.OPENAI_API_KEY ?? ""];
    // As they stand in JSON, for that is what is searched.
    this.secrets = secrets
      .filter((text) => text.length >= MIN_SECRET_LENGTH)
      .map((text) => JSON.stringify(text).slice(1, -1));
  }

  /** The checkpoint with the log after it, or null when the checkpoint cannot be read. Never throws (guide 11.3). */
  static loadState(sessionId: string, stateDir: string): SavedState | null {
    const { state, source } = restoreSession(sessionId, stateDir);
    return source === "checkpoint" ? state : null;
  }

  /** Addition: the session from its log alone, or null when that holds no conversation. Never throws. */
  static rebuild(sessionId: string, stateDir: string): SavedState | null {
    return rebuildFromLog(sessionId, stateDir).state;
  }

  /** Addition: from now on changes of the engine's model, mode and allow lists are logged as they are noticed. */
  attach(engine: Saveable, meta: StateMeta = {}): void {
    this.engine = engine;
    this.meta = { ...this.meta, ...meta };
  }

  onEach(event: WsEvent): void {
    if (leftOut.has(event.type)) return;
    this.record(event.type, event.data);
    this.recordSettings();
    if (event.type === "iteration_end" || event.type === "turn_end") this.log.sync();
  }

  /** Only the two records that go to hooks alone; every event comes through `onEach`. */
  onEvent(type: string, data: Record<string, unknown>): void {
    if (type === "message_appended") this.record(type, { ...data, message: kept(data.message) });
    if (type !== "history_replaced") return;
    this.replacedSinceSave ||= Array.isArray(data.messages);
    this.record(type, keptHistory(data));
  }

  /** Notes that the session waits (guide 11.3); not part of `EngineHook`. */
  onPaused(data: Record<string, unknown> = {}): void {
    this.record("paused", data);
    this.log.sync();
  }

  /** Notes that the session goes on (guide 11.3). */
  onResumed(data: Record<string, unknown> = {}): void {
    this.record("resumed", data);
  }

  /** Addition: one line of the host's own. Never throws. */
  record(type: string, data: Record<string, unknown>): void {
    const t = new Date().toISOString();
    this.log.append(this.withoutSecrets(lineOf({ t, type, data })));
  }

  /** Writes the checkpoint at once (guide 11.3). Returns false when the disk refused; the old one then stands. */
  saveState(engine: Saveable, meta: StateMeta = {}): boolean {
    this.attach(engine, meta);
    try {
      this.writeState(engine);
      return true;
    } catch (error) {
      this.outcome(error);
      return false;
    }
  }

  /**
   * Addition: whether a checkpoint is worth its cost now. After a turn: the first, one with a compaction, or when the
   * log has grown by more than the last checkpoint weighs. At an exit: when more than 64 KB of log lie behind it.
   */
  checkpointDue(moment: "turn" | "exit" = "turn"): boolean {
    const { extent } = this;
    if (!extent) return this.log.length > 0;
    const behind = this.log.length - extent.logLength;
    if (moment === "exit") return behind > EXIT_SLACK_BYTES || behind < 0;
    return this.replacedSinceSave || behind > extent.size || behind < 0;
  }

  /** What keeps the session from being saved at present, or null. */
  get problem(): SaveProblem | null {
    return this.currentProblem;
  }

  /** Addition: closes the log file; a later record opens it again. */
  close(): void {
    this.log.close();
  }

  private writeState(engine: Saveable): void {
    const path = statePath(this.sessionId, this.stateDir);
    this.recordSettings();
    const file = this.log.open();
    // The log first: a checkpoint must never speak of lines that a power cut may take.
    this.log.syncNow();
    const mark = markLog(file, this.log.length);
    const text = this.withoutSecrets(checkpointText(this.currentState(engine), mark));
    this.extent = { logLength: mark.logLength, size: replaceFile(path, text) };
    this.replacedSinceSave = false;
  }

  private currentState(engine: Saveable): SavedState {
    return {
      sessionId: this.sessionId,
      savedAt: new Date().toISOString(),
      ...buildSettings(engine, this.meta),
      compaction: isPlainObject(engine.compactionState) ? engine.compactionState : null,
      messages: engine.messages.map(withoutBytes),
    };
  }

  /** Logs the settings where they differ from the last logged ones. */
  private recordSettings(): void {
    if (!this.engine) return;
    const settings = buildSettings(this.engine, this.meta);
    const text = JSON.stringify(settings);
    if (text === this.loggedSettings) return;
    this.loggedSettings = text;
    this.record("session_state", settings);
  }

  private withoutSecrets(text: string): string {
    return this.secrets.reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), text);
  }

  private outcome(error?: unknown): void {
    this.currentProblem = error === undefined ? null : saveProblem(error, this.stateDir);
    if (!this.currentProblem || this.told.has(this.currentProblem.code)) return;
    this.told.add(this.currentProblem.code);
    try {
      this.options.onProblem?.(this.currentProblem);
    } catch {
      // The listener's own affair: saving and the turn go on.
    }
  }
}

/** A host's data may hold what JSON cannot; what it can is kept. */
function lineOf(record: LogRecord): string {
  try {
    return JSON.stringify(record);
  } catch {
    return JSON.stringify({ ...record, data: plainData(record.data) });
  }
}

function kept(message: unknown): unknown {
  return isMessage(message) ? withoutBytes(message) : message;
}

function keptHistory(data: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(data.messages)) return { ...data, messages: data.messages.map(kept) };
  if (!Array.isArray(data.changed)) return data;
  return { ...data, changed: data.changed.map((pair) => (Array.isArray(pair) ? [pair[0], kept(pair[1])] : pair)) };
}

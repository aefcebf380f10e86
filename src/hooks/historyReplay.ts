/** Plays log records over a conversation: what was appended or replaced, in order, is the history again. */

import type { Message } from "../shared/messages";
import { markStarted, takeStarted } from "../shared/startedCalls";
import { isMessage, type SavedState } from "./savedState";
import type { LogRecord } from "./sessionLog";

/** The types of records that `HistoryReplay` understands. */
export const replayedTypes: ReadonlySet<string> = new Set([
  "message_appended",
  "history_replaced",
  "session_state",
  "session_named",
  "turn_start",
  "tool_started",
  "llm_request",
]);

export class HistoryReplay {
  private messages: (Message | undefined)[];
  private state: Partial<SavedState>;
  private turns: number;
  private lastTime: string | undefined;
  /** Calls of the last reply that had begun to run. */
  private readonly begun: Set<string>;

  /** Begins with a checkpoint, or with nothing. */
  constructor(checkpoint?: SavedState) {
    const { messages, begun } = takeStarted(checkpoint?.messages ?? []);
    this.messages = messages;
    this.begun = begun;
    this.state = checkpoint ? { ...checkpoint } : {};
    this.turns = checkpoint?.taskCount ?? 0;
    this.lastTime = checkpoint?.savedAt;
  }

  apply({ t, type, data }: LogRecord): void {
    this.lastTime = t;
    if (type === "message_appended") this.append(data);
    else if (type === "history_replaced") this.replace(data);
    else if (type === "session_state") Object.assign(this.state, settingsOf(data));
    else if (type === "session_named") this.rename(data);
    else if (type === "turn_start") this.turns += 1;
    else if (type === "tool_started") this.begun.add(String(data.reqId));
    else if (type === "llm_request" && typeof data.model === "string" && !data.compact) this.state.model = data.model;
  }

  /** How many places of the history are missing, because their records are lost. A missing system message is no loss. */
  get gaps(): number {
    let lost = 0;
    for (let at = 1; at < this.messages.length; at++) if (!this.messages[at]) lost += 1;
    return lost;
  }

  /** The session as played so far. */
  finish(sessionId: string): SavedState {
    return {
      ...this.state,
      sessionId,
      model: this.state.model ?? "",
      messages: markStarted(
        this.messages.filter((message) => message !== undefined),
        this.begun,
      ),
      compaction: this.state.compaction ?? null,
      savedAt: this.lastTime ?? new Date().toISOString(),
      taskCount: Math.max(this.turns, this.state.taskCount ?? 0),
    };
  }

  get isEmpty(): boolean {
    return this.messages.length === 0;
  }

  /** Appending at an index says that the history ended there: what a lost record had cut off goes too. */
  private append({ index, message }: Record<string, unknown>): void {
    if (typeof index !== "number" || !Number.isSafeInteger(index) || index < 0 || !isMessage(message)) return;
    // A wild index in a damaged record must not make an array of that length.
    if (index > this.messages.length + 100_000) return;
    this.messages.length = index;
    this.messages[index] = message;
    if (message.role === "assistant") this.begun.clear();
  }

  private replace({ messages, changed }: Record<string, unknown>): void {
    if (Array.isArray(messages)) this.messages = messages.filter(isMessage);
    if (!Array.isArray(changed)) return;
    for (const pair of changed) {
      const [at, message] = Array.isArray(pair) ? pair : [];
      if (typeof at === "number" && at >= 0 && at < this.messages.length && isMessage(message))
        this.messages[at] = message;
    }
  }

  private rename({ name, source }: Record<string, unknown>): void {
    if (typeof name !== "string") return;
    this.state.name = name;
    this.state.nameSource = source === "user" ? "user" : "auto";
  }
}

/** The known fields of a `session_state` record, each only where it has its own type. */
function settingsOf(data: Record<string, unknown>): Partial<SavedState> {
  const found: Partial<SavedState> = {};
  if (typeof data.model === "string") found.model = data.model;
  if (typeof data.name === "string") found.name = data.name;
  if (data.nameSource === "auto" || data.nameSource === "user") found.nameSource = data.nameSource;
  if (typeof data.taskCount === "number") found.taskCount = data.taskCount;
  if (typeof data.permissionMode === "string") found.permissionMode = data.permissionMode;
  if (isTextList(data.allowTools)) found.allowTools = data.allowTools;
  if (isTextList(data.allowCommands)) found.allowCommands = data.allowCommands;
  return found;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

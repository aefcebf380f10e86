/** The side channel of a turn (guide 11). */

import type { WsEvent } from "./events";
import type { TokenUsage } from "./messages";

/**
 * Callbacks of a turn (guide 11.1). All optional and synchronous; the engine does not await them, and what they throw
 * is swallowed. `onEach`, `settle` and `saved` are additions of ours.
 */
export interface EngineHook {
  onTurnStart?(input: string): void;
  onTurnEnd?(status: string, iterations: number, producedFiles: string[]): void;
  onAssistantDelta?(text: string): void;
  onReasoningDelta?(text: string): void;
  onAssistantMessage?(text: string, toolCalls: string[], usage?: TokenUsage): void;
  onToolProposed?(name: string, args: Record<string, unknown>): void;
  onToolStarted?(name: string): void;
  onToolFinished?(name: string, status: string, resultPreview: string): void;
  onPermissionRequired?(name: string, reason: string): void;
  onIterationEnd?(iteration: number): void;
  onCompacting?(info: Record<string, unknown>): void;
  onCompacted?(text: string, info: Record<string, unknown>): void;
  onError?(error: string, errorType: string, info?: Record<string, unknown>): void;
  onRetry?(attempt: number, max: number, reason: string): void;
  onInterrupted?(iterations: number): void;
  /**
   * Events without a callback of their own, and two records that go to hooks only: `message_appended`
   * `{ index, message }` and `history_replaced` `{ messages }` or `{ changed: [[index, message], …] }`. From these a log
   * alone rebuilds the history.
   */
  onEvent?(type: string, data: Record<string, unknown>): void;
  /** Every event whole, before it is yielded, beside the callbacks above. */
  onEach?(event: WsEvent): void;
  /**
   * Awaited by the engine before each call that is not read-only and before `turn_end` is yielded, so that a snapshot
   * is whole before anything changes. It has a time budget of 30 seconds; after an interrupt the turn ends within three
   * seconds of it. Running over or throwing is passed over with a notice.
   */
  settle?(next: { toolName: string; arguments: Record<string, unknown> } | "end"): Promise<void>;
  /**
   * Awaited beside `settle("end")`: resolves when what would be lost if the host left now is written down. It has the 30
   * seconds also after an interrupt, so return at once where there is nothing to lose. Running over or throwing is passed
   * over with a notice.
   */
  saved?(): Promise<void>;
}

/** How long `settle` and `saved` may take, in milliseconds. */
export const SETTLE_BUDGET_MS = 30_000;

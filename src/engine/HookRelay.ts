/** Tells the host's hook what happens (guide 11): whatever a hook does, the turn goes on. */

import type { EngineHook } from "../shared/EngineHook";
import { SETTLE_BUDGET_MS } from "../shared/EngineHook";
import { messageOf } from "../shared/errors";
import { EventType, isEvent, type WsEvent } from "../shared/events";
import type { Message } from "../shared/messages";
import { type Interrupt, withinTime } from "./interrupt";

interface Call {
  toolName: string;
  arguments: Record<string, unknown>;
}

export class HookRelay {
  private readonly hook: EngineHook;

  constructor(hook?: EngineHook) {
    this.hook = hook ?? {};
  }

  /** Tells an event, before it is yielded: whole to `onEach`, then to the callback of its kind. */
  tell(event: WsEvent): void {
    this.quietly(() => this.hook.onEach?.(event));
    this.quietly(() => callBack(this.hook, event));
  }

  /** A message was added to the history; `index` is its place. */
  messageAppended(index: number, message: Message): void {
    this.quietly(() => this.hook.onEvent?.("message_appended", { index, message }));
  }

  /** The history was replaced whole, or some messages of it. */
  historyReplaced(change: { messages: Message[] } | { changed: [number, Message][] }): void {
    this.quietly(() => this.hook.onEvent?.("history_replaced", change));
  }

  /** Something a person may want to know but that changes nothing in the turn. */
  notice(text: string): void {
    this.quietly(() => this.hook.onEvent?.("notice", { text }));
  }

  /** Waits for the hook to be ready for the call that comes next. Never rejects. */
  async settle(next: Call): Promise<void> {
    await this.await(next.toolName, () => this.hook.settle?.(next));
  }

  /**
   * Waits for the hook to be done with the turn: not for long once the turn is interrupted, but for what must not be
   * lost, since the host may leave afterwards. Never rejects.
   */
  async settleEnd(interrupt: Interrupt): Promise<void> {
    const subject = "the end of the turn";
    await Promise.all([
      this.await(subject, () => this.hook.settle?.("end"), interrupt),
      this.await(subject, () => this.hook.saved?.()),
    ]);
  }

  private async await(subject: string, wait: () => Promise<void> | undefined, interrupt?: Interrupt): Promise<void> {
    const began = performance.now();
    try {
      const done = Promise.resolve(wait()).then(() => true);
      if ((await withinTime(interrupt?.grace(done) ?? done, SETTLE_BUDGET_MS)) !== null) return;
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      this.notice(`A hook did not settle before ${subject} within ${seconds} s; the turn went on without it.`);
    } catch (error) {
      this.notice(`A hook failed before ${subject}: ${messageOf(error)}. The turn went on without it.`);
    }
  }

  private quietly(call: () => void): void {
    try {
      call();
    } catch {
      // Guide 11.1: what a hook throws is swallowed.
    }
  }
}

function callBack(hook: EngineHook, event: WsEvent): void {
  if (isEvent(event, EventType.TURN_START)) hook.onTurnStart?.(event.data.input);
  else if (isEvent(event, EventType.TURN_END)) {
    hook.onTurnEnd?.(event.data.status, event.data.iterations, event.data.produced_files);
  } else if (isEvent(event, EventType.ASSISTANT_DELTA)) hook.onAssistantDelta?.(event.data.text);
  else if (isEvent(event, EventType.REASONING_DELTA)) hook.onReasoningDelta?.(event.data.text);
  else if (isEvent(event, EventType.ASSISTANT_MESSAGE)) {
    hook.onAssistantMessage?.(event.data.text, event.data.tool_calls, event.data.usage);
  } else if (isEvent(event, EventType.TOOL_PROPOSED)) hook.onToolProposed?.(event.data.name, event.data.arguments);
  else if (isEvent(event, EventType.TOOL_STARTED)) hook.onToolStarted?.(event.data.name);
  else if (isEvent(event, EventType.TOOL_FINISHED)) {
    hook.onToolFinished?.(event.data.name, event.data.status, event.data.result_preview ?? "");
  } else callBackRare(hook, event);
}

function callBackRare(hook: EngineHook, event: WsEvent): void {
  if (isEvent(event, EventType.PERMISSION_REQUIRED)) hook.onPermissionRequired?.(event.data.name, event.data.reason);
  else if (isEvent(event, EventType.ITERATION_END)) hook.onIterationEnd?.(event.data.iteration);
  else if (isEvent(event, EventType.COMPACTING)) hook.onCompacting?.(event.data);
  else if (isEvent(event, EventType.COMPACTED)) hook.onCompacted?.(event.data.summaryPreview ?? "", event.data);
  else if (isEvent(event, EventType.ERROR)) hook.onError?.(event.data.error, event.data.error_type, event.data);
  else if (isEvent(event, EventType.LLM_RETRY)) {
    hook.onRetry?.(event.data.attempt, event.data.max, event.data.reason);
  } else if (isEvent(event, EventType.INTERRUPTED)) hook.onInterrupted?.(event.data.iterations);
  else hook.onEvent?.(event.type, event.data);
}

/**
 * One turn: run → iterations → model call → tool calls. A turn has one `turn_start` and one `turn_end`, and whatever
 * happens between them the history is valid afterwards.
 */

import type { Mode, PermissionEngine } from "../permissions/PermissionEngine";
import type { Approver, ProviderClient, ToolSchema } from "../shared/contracts";
import { isModelError, isZqError, messageOf } from "../shared/errors";
import { type EventData, EventType, event, type TurnStatus, type WsEvent } from "../shared/events";
import type { Message } from "../shared/messages";
import { asReminder } from "../shared/reminders";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { ApproverFailure } from "./approval";
import type { Context } from "./Context";
import type { History } from "./History";
import type { HookRelay } from "./HookRelay";
import { type Interrupt, Interrupted } from "./interrupt";
import { LoopGuard } from "./loopGuard";
import { emptyReply, modelCall, type Reply } from "./modelCall";
import type { Reminders } from "./Reminders";
import type { QueuedText, Steering } from "./Steering";
import { toolCalls } from "./toolCalls";
import type { Workshop } from "./toolRun";
import { pushPrompt } from "./userMessages";

/** What a turn works with. */
export interface TurnParts {
  provider: ProviderClient;
  registry: ToolRegistry;
  permissions: PermissionEngine;
  history: History;
  context: Context;
  hook: HookRelay;
  steering: Steering;
  reminders: Reminders;
  interrupt: Interrupt;
  taskId: string;
  model: string;
  reasoningEffort?: string;
  sessionId?: string;
  maxIterations: number;
  finalizeOnMaxIterations: boolean;
  toolResultDir: string;
  /** Whose turn it is, for the handlers of a host with several engines. */
  engine: unknown;
  approver(): Approver | null;
  /** Notices of the host that the model has not been told, oldest first. */
  notices(): string[];
}

/** How a turn begins: with a prompt, again after an error, or with calls that were left without an answer. */
export interface Opening {
  start: EventData["turn_start"];
  /** Puts the prompt into the history. */
  prompt?: () => Promise<void>;
  /** Run the calls at the end of the history before the model is asked. */
  isResumed?: boolean;
}

interface Course extends TurnParts {
  guard: LoopGuard;
  produced: Set<string>;
  /** The reply that is coming in. */
  draft: Reply;
  iteration: number;
  /** Replies in a row that the output limit cut off, and the limit asked for because of that. */
  cutOffs: number;
  maxTokens?: number;
}

/** The whole turn. The hook is told each event before it is yielded. `onFailure` learns of an error that ended it. */
export async function* turn(
  parts: TurnParts,
  opening: Opening,
  onFailure: (failure: { retriable: boolean }) => void,
): AsyncGenerator<WsEvent, void> {
  const course: Course = {
    ...parts,
    guard: new LoopGuard(),
    produced: new Set(),
    draft: emptyReply(),
    iteration: 0,
    cutOffs: 0,
  };
  let isOpen = true;
  let thrown: unknown = null;
  const told = (out: WsEvent) => {
    parts.hook.tell(out);
    return out;
  };
  try {
    yield told(event(EventType.TURN_START, opening.start));
    let status: TurnStatus = "error";
    try {
      const steps = iterations(course, opening);
      for (let step = await steps.next(); ; step = await steps.next()) {
        if (step.done) {
          status = step.value;
          break;
        }
        let isRead = false;
        try {
          yield told(step.value);
          isRead = true;
        } finally {
          if (!isRead) await steps.return("interrupted");
        }
      }
    } catch (error) {
      keepDraft(course);
      if (error instanceof Interrupted) {
        status = "interrupted";
        yield told(interruptedEvent(course));
      } else {
        if (error instanceof ApproverFailure) thrown = error.cause;
        const failure = errorEvent(course, error);
        onFailure({ retriable: failure.data["retriable"] === true });
        yield told(failure);
      }
    }
    parts.history.closePending();
    await parts.hook.settle("end");
    isOpen = false;
    yield told(turnEnd(course, status));
  } finally {
    if (isOpen) await abandon(course);
  }
  if (thrown !== null) throw thrown;
}

/** The two events of a turn that say how an answer went: the whole reply, or why there is none. */

import { isModelError, isZqError, type ModelError, messageOf } from "../shared/errors";
import { EventType, event, type WsEvent } from "../shared/events";
import type { TokenUsage, ToolCall } from "../shared/messages";
import { ApproverFailure } from "./approval";
import type { Reply } from "./modelCall";

/** `assistant_message`. `finish` is an addition: `length` tells a screen that the answer was cut off. */
export function assistantEvent(
  reply: Reply,
  { calls, usage, taskId }: { calls: ToolCall[]; usage: TokenUsage; taskId: string },
): WsEvent {
  return event(EventType.ASSISTANT_MESSAGE, {
    text: reply.text,
    reasoning: reply.reasoning,
    tool_calls: calls.map((call) => call.function.name),
    usage,
    reqId: reply.reqId,
    taskId,
    logTime: reply.logTime,
    ...(reply.finish !== null && { finish: reply.finish }),
  });
}

/** `error`. The stack comes along only where the failure is no known one. */
export function errorEvent(
  thrown: unknown,
  { iteration, taskId, reply }: { iteration: number; taskId: string; reply: Reply },
): WsEvent {
  const error = thrown instanceof ApproverFailure ? thrown.cause : thrown;
  const stack = stackOf(error);
  return event(EventType.ERROR, {
    error: messageOf(error),
    error_type: typeOf(error),
    retriable: isModelError(error) && error.retriable,
    iteration,
    reqId: reply.reqId,
    logTime: reply.logTime,
    taskId,
    ...(stack !== undefined && { stack }),
    ...(isModelError(error) && factsOf(error)),
  });
}

function factsOf({ status, retryAfterMs, detail }: ModelError) {
  return {
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(detail !== undefined && { detail }),
  };
}

function typeOf(error: unknown): string {
  if (isModelError(error)) return error.errorType;
  if (isZqError(error)) return error.code;
  return textIn(() => (error instanceof Error ? error.name : null)) || "Error";
}

function stackOf(error: unknown): string | undefined {
  return isZqError(error) ? undefined : textIn(() => (error instanceof Error ? error.stack : null));
}

/** What is thrown at us may throw again when it is looked at. */
function textIn(look: () => unknown): string | undefined {
  try {
    const found = look();
    return typeof found === "string" ? found : undefined;
  } catch {
    return undefined;
  }
}

/** One question to the model and its whole answer: streaming, retries of a broken line, and what must not be believed. */

import { randomUUID } from "node:crypto";
import type { ProviderClient, Recovery, StreamOpts, ToolSchema } from "../shared/contracts";
import { isModelError, isZqError, ModelError, messageOf } from "../shared/errors";
import { EventType, event, type WsEvent } from "../shared/events";
import type { Message, StreamChunk, TokenUsage, ToolCall } from "../shared/messages";
import { requireCalls, soundChunk } from "./foreignChunk";
import { Inbox } from "./Inbox";
import { type Interrupt, Interrupted, isInterrupted } from "./interrupt";
import { RepeatWatch } from "./loopGuard";
import { type Patience, Retries } from "./retries";

export interface ModelCall {
  provider: ProviderClient;
  model: string;
  messages: Message[];
  tools: ToolSchema[];
  opts: Pick<StreamOpts, "reasoningEffort" | "maxTokens" | "toolChoice" | "sessionId" | "sessionTools">;
  interrupt: Interrupt;
  taskId: string;
  iteration: number;
  /** A request for a summary, no part of the conversation. */
  isCompaction?: boolean;
  /** What the turn may still wait for limits; absent: nothing. */
  patience?: Patience;
  /** Grows while the reply comes in; a caller finds here what came before an error or an interrupt. */
  draft: Reply;
}

/** A reply as far as it has come. */
export interface Reply {
  text: string;
  reasoning: string;
  reasoningDetails: unknown[];
  calls: ToolCall[];
  usage: TokenUsage | null;
  finish: string | null;
  reqId: string;
  logTime: string;
}

export function emptyReply(): Reply {
  return {
    text: "",
    reasoning: "",
    reasoningDetails: [],
    calls: [],
    usage: null,
    finish: null,
    reqId: randomUUID(),
    logTime: new Date().toISOString(),
  };
}

/**
 * Asks the model, and again when the line breaks, the answer is empty, or a limit may be waited for. Yields the events of the reply; fills
 * `call.draft` and returns it. Throws `ModelError`, the provider's own `ZqError`, or `Interrupted`.
 */
export async function* modelCall(call: ModelCall): AsyncGenerator<WsEvent, Reply> {
  const retries = new Retries(call.patience);
  for (;;) {
    try {
      Object.assign(call.draft, emptyReply());
      return yield* attemptCall(call);
    } catch (error) {
      if (isInterrupted(error) || call.interrupt.requested) throw new Interrupted();
      const failure = asFailure(error);
      const again = retries.next(failure);
      if (!again) throw failure;
      yield event(EventType.LLM_RETRY, {
        ...again,
        reason: failure.message,
        ...(isModelError(failure) && { error_type: failure.errorType }),
        iteration: call.iteration,
        reqId: call.draft.reqId,
      });
      await call.interrupt.sleep(again.waitMs);
    }
  }
}

async function* attemptCall(call: ModelCall): AsyncGenerator<WsEvent, Reply> {
  const { draft, interrupt, taskId } = call;
  const { reqId, logTime } = draft;
  yield event(EventType.LLM_REQUEST, {
    reqId,
    taskId,
    logTime,
    model: call.model,
    msgCount: call.messages.length,
    toolCount: call.tools.length,
    ...(call.isCompaction && { compact: true }),
  });
  const inbox = new Inbox<WsEvent>();
  const opts: StreamOpts = {
    ...call.opts,
    reqId,
    logTime,
    signal: interrupt.signal,
    onRecovered: (info) => inbox.push(recovered(info, call)),
  };
  const opened = call.provider.stream(call.model, call.messages, call.tools, opts);
  const stream = (yield* inbox.during(interrupt.race(Promise.resolve(opened))))[Symbol.asyncIterator]();
  try {
    yield* readStream({ call, stream, inbox });
  } finally {
    leave(stream);
  }
  return checked(draft);
}

/** The reply is over, its reader left, or an interrupt came: nobody waits for a provider that does not listen. */
function leave(stream: AsyncIterator<StreamChunk>): void {
  try {
    void Promise.resolve(stream.return?.(undefined)).catch(() => {});
  } catch {
    // Its reply counts, not its farewell.
  }
}

interface Reading {
  call: ModelCall;
  stream: AsyncIterator<StreamChunk>;
  inbox: Inbox<WsEvent>;
}

async function* readStream({ call, stream, inbox }: Reading): AsyncGenerator<WsEvent> {
  const { draft, interrupt, taskId } = call;
  const watches = { text: new RepeatWatch(), reasoning: new RepeatWatch() };
  for (;;) {
    const next = yield* inbox.during(interrupt.race(nextChunk(stream, draft)));
    if (next === null || next.done) return;
    const chunk = soundChunk(next.value);
    const { content, reasoning, reclassify } = chunk;
    if (reclassify && draft.text !== "") yield reclassified(draft, taskId);
    takeIn(chunk, draft);
    if (reasoning) {
      yield event(EventType.REASONING_DELTA, { text: reasoning, reqId: draft.reqId, taskId });
      if (watches.reasoning.isRepeating(reasoning)) throw repeating(draft);
    }
    if (content) {
      yield event(EventType.ASSISTANT_DELTA, { text: content, reqId: draft.reqId, taskId });
      if (watches.text.isRepeating(content)) throw repeating(draft);
    }
  }
}

/** What came as the answer was thinking. An interface that showed it takes it back; the history gets it right. */
function reclassified(draft: Reply, taskId: string): WsEvent {
  const { text, reqId } = draft;
  draft.reasoning += text;
  draft.text = "";
  return event(EventType.REASONING_DELTA, { text, reqId, taskId, reclassified: true });
}

/** The next piece; null when the stream failed after its calls were whole, so that nothing is lost by the failure. */
async function nextChunk(
  stream: AsyncIterator<StreamChunk>,
  draft: Reply,
): Promise<IteratorResult<StreamChunk> | null> {
  try {
    return await stream.next();
  } catch (error) {
    if (draft.calls.length > 0 && draft.finish !== null) return null;
    throw error;
  }
}

function takeIn(chunk: StreamChunk, draft: Reply): void {
  draft.text += chunk.content ?? "";
  draft.reasoning += chunk.reasoning ?? "";
  if (chunk.toolCalls) draft.calls = chunk.toolCalls;
  if (chunk.toolCalls?.length) draft.finish ??= "tool_calls";
  if (chunk.finishReason) draft.finish = chunk.finishReason;
  if (chunk.usage) draft.usage = chunk.usage;
  if (Array.isArray(chunk.reasoningDetails)) draft.reasoningDetails = chunk.reasoningDetails;
}

function checked(reply: Reply): Reply {
  if (reply.finish === null) {
    throw new ModelError("stream_incomplete", "The model's reply broke off before its end.", { retriable: true });
  }
  requireCalls(reply.calls);
  if (reply.text === "" && reply.calls.length === 0) throw emptyError(reply);
  return reply;
}

function emptyError(reply: Reply): ModelError {
  const why =
    reply.finish === "length"
      ? "The output limit was reached before the answer began. Raise the limit, or lower the reasoning effort."
      : "The model sent neither text nor a tool call. Try again, or choose another model.";
  return new ModelError("empty_response", why, { retriable: true });
}

function repeating(draft: Reply): ModelError {
  // What is kept would only lead the model into the same circle again.
  draft.text = "";
  draft.reasoning = "";
  return new ModelError("repeating_output", "The model repeated the same text over and over; its reply was stopped.", {
    retriable: true,
  });
}

function recovered(info: Recovery, call: ModelCall): WsEvent {
  return event(EventType.LLM_RETRY, {
    attempt: info.attempt ?? 1,
    max: info.maxAttempts ?? 1,
    reason: `${info.errorType}: ${info.recover}`,
    error_type: info.errorType,
    waitMs: info.retryAfterMs ?? 0,
    iteration: call.iteration,
    reqId: call.draft.reqId,
  });
}

/** Anything that a provider throws, as an error whose class is known. */
function asFailure(error: unknown): Error {
  if (isZqError(error)) return error;
  return new ModelError("network", messageOf(error), { retriable: true, cause: error });
}

/** Asks a model for the summary of a conversation, in a smaller form each time it does not fit. */

import type { ProviderClient, ToolSchema } from "../shared/contracts";
import { textFrom } from "../shared/env";
import { isModelError } from "../shared/errors";
import { EventType, type WsEvent } from "../shared/events";
import type { Message, TokenUsage } from "../shared/messages";
import { resolveModel } from "../shared/models";
import { faultOfSummary, serialise } from "./compaction";
import type { Interrupt } from "./interrupt";
import { emptyReply, modelCall, type Reply } from "./modelCall";

/** Output cap of a summary (guide 14.1). */
const SUMMARY_TOKENS = 3_000;

export interface SummaryRequest {
  provider: ProviderClient;
  /** The session's model; `COMPACTION_MODEL` wins. */
  model: string;
  /** The part that is summarised, as a model is sent it, system prompt first. */
  messages: Message[];
  tools: ToolSchema[];
  instruction: string;
  interrupt: Interrupt;
  taskId: string;
  iteration: number;
  sessionId?: string;
}

/** The summary, or why there is none that can be used; `usage` where the endpoint told what it cost. */
export type Summary = ({ text: string } | { fault: string }) & { model: string; usage?: TokenUsage };

/**
 * First the history as it is with the session's own prompt and tools in front, which costs little where the endpoint
 * caches prefixes; then as plain text; then without its oldest third. Throws what is no matter of length.
 */
export async function* summarise(request: SummaryRequest): AsyncGenerator<WsEvent, Summary> {
  const model = textFrom(process.env, "COMPACTION_MODEL") ?? request.model;
  for (const form of [asItIs, asText(1), asText(2 / 3)]) {
    try {
      const { text, calls, usage } = yield* ask(request, model, form(request));
      const fault = calls.length > 0 ? "the summary was a tool call" : faultOfSummary(text);
      return { ...(fault === null ? { text } : { fault }), model, ...(usage && { usage }) };
    } catch (error) {
      if (!isModelError(error)) throw error;
      if (error.errorType === "empty_response") return { fault: "the summary was empty", model };
      if (error.errorType !== "context_overflow" && error.errorType !== "payload_too_large") throw error;
    }
  }
  return { fault: "the conversation is too long for the model to summarise", model };
}

interface Form {
  messages: Message[];
  tools: ToolSchema[];
}

function asItIs({ messages, tools, instruction }: SummaryRequest): Form {
  return { messages: [...messages, { role: "user", content: instruction }], tools };
}

function asText(share: number): (request: SummaryRequest) => Form {
  return ({ messages, instruction }) => {
    const text = `<conversation>\n${serialise(messages.slice(1), share)}\n</conversation>`;
    return {
      messages: [
        { role: "system", content: instruction },
        { role: "user", content: `${text}\n\n${instruction}` },
      ],
      tools: [],
    };
  };
}

/** The reply. Its deltas are nobody's to see. */
async function* ask(request: SummaryRequest, model: string, form: Form): AsyncGenerator<WsEvent, Reply> {
  const { provider, interrupt, taskId, iteration, sessionId } = request;
  const effort = effortFor(model);
  const course = modelCall({
    provider,
    model,
    ...form,
    interrupt,
    taskId,
    iteration,
    isCompaction: true,
    draft: emptyReply(),
    opts: {
      maxTokens: SUMMARY_TOKENS,
      ...(form.tools.length > 0 && { toolChoice: "none" as const }),
      ...(effort && { reasoningEffort: effort }),
      ...(sessionId && { sessionId }),
    },
  });
  for (;;) {
    const step = await course.next();
    if (step.done) return step.value;
    const { type } = step.value;
    if (type === EventType.LLM_REQUEST || type === EventType.LLM_RETRY) yield step.value;
  }
}

function effortFor(model: string): string | undefined {
  return (
    textFrom(process.env, "COMPACTION_REASONING_EFFORT") ??
    (resolveModel(model).reasoning === "effort" ? "low" : undefined)
  );
}

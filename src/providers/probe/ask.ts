/** One question of a probe, read to its end; a failure is part of the answer. */

import { randomUUID } from "node:crypto";
import type { Recovery, ToolSchema } from "../../shared/contracts";
import { isModelError, messageOf } from "../../shared/errors";
import type { Message, TokenUsage, ToolCall } from "../../shared/messages";
import type { OpenAIProvider } from "../OpenAIProvider";

export interface Question {
  model: string;
  messages: Message[];
  tools: ToolSchema[];
  /** Models that think take none but their own. */
  temperature?: number;
  signal?: AbortSignal;
}

export interface Answer {
  text: string;
  reasoning: string;
  details: unknown[];
  calls: ToolCall[];
  usage: TokenUsage | null;
  finish: string | null;
  recovered: Recovery[];
  error?: unknown;
}

export async function ask(provider: OpenAIProvider, question: Question): Promise<Answer> {
  const { model, messages, tools, temperature, signal } = question;
  const recovered: Recovery[] = [];
  const answer: Answer = { text: "", reasoning: "", details: [], calls: [], usage: null, finish: null, recovered };
  const opts = {
    reqId: randomUUID(),
    logTime: new Date().toISOString(),
    onRecovered: (info: Recovery) => recovered.push(info),
    ...(temperature === undefined ? {} : { temperature }),
    ...(signal ? { signal } : {}),
  };
  try {
    for await (const chunk of await provider.stream(model, messages, tools, opts)) {
      if (chunk.reclassify) Object.assign(answer, { reasoning: answer.reasoning + answer.text, text: "" });
      answer.text += chunk.content ?? "";
      answer.reasoning += chunk.reasoning ?? "";
      answer.calls = chunk.toolCalls ?? answer.calls;
      answer.usage = chunk.usage ?? answer.usage;
      answer.finish = chunk.finishReason ?? answer.finish;
      answer.details = chunk.reasoningDetails ?? answer.details;
    }
  } catch (error) {
    signal?.throwIfAborted();
    answer.error = error;
  }
  return answer;
}

/** The endpoint's own words where it said something, else our sentence. */
export function failureOf(error: unknown): string {
  if (!isModelError(error)) return messageOf(error);
  const { status, detail, message } = error;
  return detail ? `${status ?? ""} ${detail}`.trim() : message;
}

/** It says nothing about what the endpoint can do: the key, the money, the line or the moment was wrong. */
export function isOutOfReach(error: unknown): boolean {
  return isModelError(error) && passing.has(error.errorType);
}

const passing: ReadonlySet<string> = new Set([
  ...["auth", "forbidden", "quota", "rate_limit", "overloaded", "server", "network", "model_not_found"],
  ...["stream_idle", "stream_incomplete", "empty_response"],
]);

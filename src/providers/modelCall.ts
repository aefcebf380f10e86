/** One model call as the request builders see it: what the engine asked for, what the endpoint taught, what is tried now. */

import type { ToolSchema } from "../shared/contracts";
import type { Message } from "../shared/messages";
import type { EndpointNotes } from "./endpointMemory";

export type ApiMode = "responses" | "chat";

export interface ModelCall {
  model: string;
  messages: Message[];
  tools: ToolSchema[];
  reasoningEffort?: string | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  toolChoice?: "auto" | "none" | undefined;
  /** Sent as cache key where the endpoint knows one. */
  cacheKey?: string | undefined;
  /** DeepSeek: no effort levels, and its own web search on the Responses path (guide 10.1). */
  isDeepSeek: boolean;
  /** OpenAI itself: takes what only OpenAI knows. */
  isOpenAI: boolean;
}

/** Changes for this one request, made after a refusal. */
export interface Tweaks {
  api?: ApiMode;
  /** Instead of the call's own output limit. */
  maxTokens?: number;
  /** Results above this many characters are cut down. */
  evictAbove?: number;
  /** A last word to the model about its rejected reply. */
  remark?: string;
}

export interface Outgoing {
  call: ModelCall;
  notes: EndpointNotes;
  tweaks: Tweaks;
  /** Sealed reasoning that the endpoint cannot open any more. */
  deadReasoning: ReadonlySet<string>;
}

export type Body = Record<string, unknown>;

/** The output limit that goes out. */
export function outputLimit({ call, tweaks }: Outgoing): number | undefined {
  return tweaks.maxTokens ?? call.maxTokens;
}

/** Leaves out what was refused. `names` may be paths (`reasoning.summary`); a deep name is dropped in every tool. */
export function withoutRefused(body: Body, names: string[]): Body {
  let out = body;
  // Without a stream there are no options for it.
  for (const name of names.includes("stream") ? [...names, "stream_options"] : names)
    out = without(out, name.split("."));
  return out;
}

function without<T>(value: T, [key, ...rest]: string[]): T {
  if (Array.isArray(value)) return value.map((entry) => without(entry, key === undefined ? [] : [key, ...rest])) as T;
  if (typeof value !== "object" || value === null || key === undefined || !(key in value)) return value;
  const { [key]: inner, ...others } = value as Record<string, unknown>;
  return (rest.length === 0 ? others : { ...others, [key]: without(inner, rest) }) as T;
}

/** What the two decoders have in common: the pieces of a reply, how it ends, and refusals on the way. */

import type { ErrorType } from "../shared/errors";
import type { StreamChunk, TokenUsage, ToolCall } from "../shared/messages";
import { classify, type Verdict } from "./classify";
import { type ErrorWords, errorWordsOf } from "./errorBody";
import { isCutOff } from "./jsonShape";
import type { SseEvent } from "./sse";

export const EMPTY_CHUNK: StreamChunk = {
  content: null,
  reasoning: null,
  toolCalls: null,
  usage: null,
  finishReason: null,
};

/** A piece of a reply as it streams. `reclassify`: the content before it was thinking. */
export type ReplyPiece = { content?: string; reasoning?: string; reclassify?: true };

/** What a decoder knows of the request that it decodes the reply of. */
export interface ReplyContext {
  /** Tools on offer. */
  isTool: (name: string) => boolean;
  /** Call ids that the history uses already. */
  takenIds: ReadonlySet<string>;
  /** The endpoint is known to start inside its thinking without an opening tag. */
  thinksUnopened: boolean;
}

/** Events in, pieces out. All may throw `Refused`. */
export interface ReplyDecoder {
  event(event: SseEvent): ReplyPiece[];
  /** The whole reply in one object, where the server did not stream. */
  whole(data: unknown): ReplyPiece[];
  /** No more will come: what was held back, and the last chunk. */
  end(): { pieces: ReplyPiece[]; last: StreamChunk };
}

/** A model call that failed for a reason that the server gave (or showed); the provider decides what to do about it. */
export class Refused extends Error {
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(verdict.words.message);
    this.verdict = verdict;
  }
}

/** An error that arrived inside a stream or in a body with status 200. */
export function refusedBy(data: unknown): Refused {
  return new Refused(classify({ words: errorWordsOf(data) }));
}

/** A failure that no server put into words. */
export function refusedAs(errorType: ErrorType, retriable: boolean, message: string): Refused {
  const words: ErrorWords = { message, code: "", type: "", param: "", isHtml: false, isEmpty: false };
  return new Refused({ errorType, retriable, words });
}

export interface ReplyState {
  /** The server's own finish label; empty where none came. */
  label: string;
  /** An end mark came: a finish label, `[DONE]`, a terminal event. */
  isComplete: boolean;
  /** Anything came at all. */
  hasBegun: boolean;
  hasText: boolean;
  hasReasoning: boolean;
  calls: ToolCall[];
  usage: TokenUsage | null;
  reasoningDetails: unknown[];
}

/** The last chunk. What was streamed decides; the label is a hint. Throws `Refused` where the reply is no answer. */
export function lastChunkOf(state: ReplyState): StreamChunk {
  const failure = failureOf(state);
  if (failure) throw failure;
  return {
    ...EMPTY_CHUNK,
    toolCalls: state.calls.length > 0 ? state.calls : null,
    usage: state.usage,
    finishReason: finishOf(state),
    reasoningDetails: state.reasoningDetails.length > 0 ? state.reasoningDetails : null,
  };
}

const isLength = (label: string) => /^((\w+_)?length|max_?(output_|completion_)?tokens)$/i.test(label);

function finishOf({ label, calls }: ReplyState): string {
  if (isLength(label) || calls.some((call) => isCutOff(call.function.arguments))) return "length";
  return calls.length > 0 ? "tool_calls" : "stop";
}

function failureOf(state: ReplyState): Refused | undefined {
  const labelled = LABELS.find(([pattern]) => pattern.test(state.label));
  if (labelled) return refusedAs(labelled[1], labelled[2], labelled[3]);
  if (!state.hasBegun) return refusedAs("empty_response", true, "The endpoint answered with nothing at all");
  if (!state.isComplete) return refusedAs("stream_incomplete", true, "The reply stopped before its end");
  const hasContent = state.hasText || state.hasReasoning || state.calls.length > 0;
  if (hasContent || isLength(state.label)) return undefined;
  return refusedAs("empty_response", true, "The model answered with neither text nor a tool call");
}

const LABELS: [RegExp, ErrorType, boolean, string][] = [
  [
    /content_?filter|safety|recitation|blocklist|prohibited|sensitive|guardrail|^refusal|\bspii\b/i,
    "content_filter",
    false,
    "The endpoint withheld the rest of the reply",
  ],
  [/context_(window|length)_?(exceeded)?/i, "context_overflow", false, "The model's context window was full"],
  [
    /malformed_(function|tool)_call/i,
    "output_rejected",
    true,
    "The model wrote a tool call that the endpoint could not read",
  ],
  [
    /insufficient_system_resource|overloaded/i,
    "overloaded",
    true,
    "The endpoint ran out of capacity in the middle of the reply",
  ],
  [
    /^(error|network_error|upstream_error|server_error|failed)$/i,
    "server",
    true,
    "The endpoint failed in the middle of the reply",
  ],
];

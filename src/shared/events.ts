/** The event stream of a turn (guide 9): typed where events are made, open where they are read. */

import type { StoredAttachment, TokenUsage } from "./messages";

/** Every kind of event that `TurnEngine.run` yields (guide 9.2). `TOOL_OUTPUT` is an addition of ours. */
export const EventType = {
  TURN_START: "turn_start",
  ASSISTANT_DELTA: "assistant_delta",
  REASONING_DELTA: "reasoning_delta",
  ASSISTANT_MESSAGE: "assistant_message",
  TOOL_PROPOSED: "tool_proposed",
  PERMISSION_REQUIRED: "permission_required",
  TOOL_STARTED: "tool_started",
  TOOL_OUTPUT: "tool_output",
  TOOL_FINISHED: "tool_finished",
  ITERATION_END: "iteration_end",
  TURN_END: "turn_end",
  ERROR: "error",
  INTERRUPTED: "interrupted",
  COMPACTING: "compacting",
  COMPACTED: "compacted",
  QUEUE_STEERING: "queue_steering",
  LLM_REQUEST: "llm_request",
  ASK_USER_QUESTION: "ask_user_question",
  PLAN_PROPOSED: "plan_proposed",
  DIRECTORY_REQUESTED: "directory_requested",
  LLM_RETRY: "llm_retry",
  SESSION_NAMED: "session_named",
} as const;
export type EventType = (typeof EventType)[keyof typeof EventType];

/** One event (guide 9.1). The fields of `data` depend on `type`; a consumer ignores types that it does not know. */
export interface WsEvent {
  type: EventType;
  data: Record<string, unknown>;
}

export type ToolStatus = "ok" | "error" | "denied" | "interrupted";
export type TurnStatus = "completed" | "max_iterations_exceeded" | "interrupted" | "error";

/** An option of ask_user; `description` is shown, `label` is the answer. */
export interface QuestionOption {
  label: string;
  description?: string;
}

/** What each event carries (guide 9.2). Times are ISO strings, durations milliseconds. */
export interface EventData {
  turn_start: { taskId: string; input: string; attachmentCount?: number; attachments?: StoredAttachment[] };
  assistant_delta: { text: string; reqId: string; taskId: string };
  reasoning_delta: {
    text: string;
    reqId: string;
    taskId: string;
    /** Addition: this text came before as the answer; it is to be taken back there. */
    reclassified?: true;
  };
  assistant_message: {
    text: string;
    reasoning: string;
    /** Names of the tools called, in order. */
    tool_calls: string[];
    usage?: TokenUsage;
    reqId: string;
    taskId: string;
    logTime: string;
    /** Addition: why the reply ended; `length` means that it was cut off by the output limit. */
    finish?: string;
  };
  tool_proposed: { reqId: string; name: string; arguments: Record<string, unknown>; taskId: string };
  permission_required: {
    taskId: string;
    reqId: string;
    name: string;
    arguments: Record<string, unknown>;
    reason: string;
    category: string;
  };
  tool_started: { taskId: string; reqId: string; name: string; startTime?: string };
  /** Live output of a running tool: the newest text since the last such event, at most every 100 ms, 8 KB. */
  tool_output: { reqId: string; name: string; chunk: string; taskId: string };
  tool_finished: {
    taskId: string;
    reqId: string;
    name: string;
    status: ToolStatus;
    reason?: string;
    duration?: number;
    result_preview?: string;
    /** For interfaces only (a diff, a file list); never sent to the model. */
    display?: unknown;
  };
  iteration_end: { iteration: number; taskId: string };
  turn_end: { status: TurnStatus; iterations: number; produced_files: string[]; taskId: string };
  error: {
    error: string;
    error_type: string;
    retriable: boolean;
    iteration: number;
    reqId: string;
    logTime: string;
    taskId: string;
    stack?: string;
    /** Additions: the HTTP status, the wait that the endpoint asks for, and its own words (may be empty). */
    status?: number;
    retryAfterMs?: number;
    detail?: string;
  };
  interrupted: { iterations: number; reqId: string; taskId: string };
  compacting: {
    taskId: string;
    trigger: "threshold" | "overflow" | "manual";
    tokens: number;
    estimated: boolean;
    contextWindow: number;
    thresholdPct: number;
    thresholdTokens: number;
    outboundMessages: number;
  };
  compacted: {
    reqId: string;
    taskId: string;
    method: "summarized" | "trimmed";
    messagesBefore: number;
    messagesAfter: number;
    boundaryIndex?: number;
    model?: string;
    summaryPreview?: string;
    keptUserMessages?: number;
    droppedUserMessages?: number;
    /** Addition: what the summary cost. */
    usage?: TokenUsage;
  };
  queue_steering: { text: string; taskId: string; attachments?: StoredAttachment[] };
  llm_request: {
    reqId: string;
    taskId: string;
    logTime: string;
    model: string;
    msgCount: number;
    toolCount: number;
    compact?: boolean;
  };
  ask_user_question: {
    taskId: string;
    reqId: string;
    question: string;
    options: (string | QuestionOption)[];
    allowText: boolean;
    multi: boolean;
  };
  plan_proposed: { plan: string; reqId: string };
  directory_requested: { reason: string; path: string; writable: boolean; reqId: string };
  llm_retry: {
    attempt: number;
    max: number;
    reason: string;
    waitMs: number;
    iteration: number;
    reqId: string;
    /** Addition: the class of the failure. */
    error_type?: string;
  };
  session_named: { name: string; source: "auto" | "user" };
}

/** Makes an event whose data fits its type. */
export function event<T extends EventType>(type: T, data: EventData[T]): WsEvent {
  return { type, data: data as unknown as Record<string, unknown> };
}

/** Narrows an event to one type, with its data typed. */
export function isEvent<T extends EventType>(candidate: WsEvent, type: T): candidate is WsEvent & TypedEvent<T> {
  return candidate.type === type;
}

export interface TypedEvent<T extends EventType> {
  type: T;
  data: EventData[T] & Record<string, unknown>;
}

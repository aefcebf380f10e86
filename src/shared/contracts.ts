/** What the rooms promise each other: providers, tools, permissions. Contracts say what may throw and who awaits. */

import type { ErrorType } from "./errors";
import type { EventData, EventType, ToolStatus } from "./events";
import type { Message, MessageAttachment, StreamChunk } from "./messages";

/** A JSON Schema, as far as we look into it. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  additionalProperties?: boolean | JsonSchema;
  [keyword: string]: unknown;
}

/** A tool as the model sees it (guide 7.2). */
export interface ToolSchema {
  type: "function";
  function: { name: string; description?: string; parameters: JsonSchema; [extra: string]: unknown };
}

/** One file that a call would change. `null`: the file does not exist (before or after). */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** What the permission engine and the loop know of a tool (guide 7.2). */
export interface ToolMetadata {
  category: string;
  riskLevel: "low" | "medium" | "high";
  capabilities: string[];
  requiresApproval: boolean;
  /** Addition: the paths that a call would write (targets and move targets). May throw: then nothing can be said. */
  writes?: ((args: Record<string, unknown>) => string[]) | undefined;
  /** Addition: for a tool that calls others, the name of the one meant: "always allow" is given for that one alone. */
  actsAs?: ((args: Record<string, unknown>) => string | undefined) | undefined;
  /** Addition: what the call would change, worked out by the code that writes, writing nothing. May reject. */
  preview?: ((args: Record<string, unknown>) => Promise<FileChange[]>) | undefined;
}

/** What a tool gets beside its arguments. All fields are optional: a tool must work with none. */
export interface ToolContext {
  /** Aborted at an interrupt: stop, and return what there is within three seconds. */
  signal?: AbortSignal;
  /** The id of the call, and of the turn. */
  reqId?: string;
  taskId?: string;
  /** Puts an event into the turn's stream (live output, a question). Never throws. */
  emit?<T extends EventType>(type: T, data: EventData[T]): void;
  /** The permission mode now, and a way to change it (propose_plan). */
  mode?: string;
  setMode?(mode: string): void;
  /** The changes as the person edited them before allowing; the tool writes these instead of its own. */
  edited?: { path: string; after: string | null }[];
}

/** The long form of a tool's answer (addition, docs/tools.md). A plain string is the short one. */
export interface ToolResult {
  /** What the model reads. */
  content: string;
  attachments?: MessageAttachment[] | undefined;
  /** For interfaces only. */
  display?: unknown;
  status?: Extract<ToolStatus, "ok" | "error" | "interrupted"> | undefined;
}

/**
 * A tool's function (guide 7.2). It may be async. A string or a `ToolResult` is sent as it is, an object with `error`
 * is an error, anything else is sent as JSON. What it throws becomes `{ error, error_type }` for the model.
 */
export type ToolFunction = (args: Record<string, unknown>, ctx?: ToolContext) => unknown;

/** A registered tool. */
export interface ToolSpec {
  name: string;
  func: ToolFunction;
  metadata: ToolMetadata;
  schema: ToolSchema;
  /** For display: `internal`, `mcp:<server>`, the host's own. */
  source: string;
  enabled: boolean;
}

/** Options of one model call. `reqId` and `logTime` are always given (guide 10.2). */
export interface StreamOpts {
  reqId: string;
  logTime: string;
  /** Stop reading at once and throw or end when it aborts. */
  signal?: AbortSignal | undefined;
  reasoningEffort?: string | undefined;
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  /** `none`: the tools are sent (same prefix, so a cache hit) but must not be called. */
  toolChoice?: "auto" | "none" | undefined;
  /**
   * Addition: on a call without tools, the session's own. A provider may send them with `tool_choice: "none"` instead
   * (same prefix, so a cache hit; some gateways refuse a history of calls without them).
   */
  sessionTools?: ToolSchema[] | undefined;
  /** A stable name for provider-side caches. */
  sessionId?: string | undefined;
  /** Told before the provider changes a refused request, or waits, and sends it again inside one call. */
  onRecovered?: ((info: Recovery) => void) | undefined;
}

export interface Recovery {
  errorType: ErrorType;
  retriable: boolean;
  fallback: false | "cache" | "once";
  /** What is done about it, in prose. */
  recover: string;
  /** Milliseconds until the request goes out again, where it waits. */
  retryAfterMs?: number;
  attempt?: number;
  maxAttempts?: number;
}

export interface RequestOptions {
  reasoningEffort?: string | undefined;
  temperature?: number | undefined;
}

/**
 * A door to a model (guide 10.2). `stream` and its iterator may throw: a thrown `ModelError` keeps its class, anything
 * else counts as a network error. The last chunk carries `toolCalls` or `finishReason`. `chat` is for small requests.
 */
export interface ProviderClient {
  stream(
    model: string,
    messages: Message[],
    tools: ToolSchema[],
    opts: StreamOpts,
  ): Promise<AsyncIterable<StreamChunk>>;
  chat(
    model: string,
    messages: Message[],
    options: RequestOptions,
    opts: StreamOpts,
    params?: { maxTokens?: number | undefined },
  ): Promise<string | null>;
  /** Addition: tokens of the model's window as its endpoint states it; undefined where that is not known (yet). */
  contextWindow?(model: string): number | undefined;
  /** Addition: finds out what `contextWindow` gives, where it is worth asking. Called once a model, in the background. */
  learnContextWindow?(model: string): Promise<void>;
}

/** How a person answers a permission request (guide 8.3). */
export const ApprovalOutcome = {
  ONCE: "once",
  ALWAYS_TOOL: "always_tool",
  ALWAYS_COMMAND: "always_command",
  DENY: "deny",
} as const;
export type ApprovalOutcome = (typeof ApprovalOutcome)[keyof typeof ApprovalOutcome];

/** What an approver is asked (guide 8.3). */
export interface PermissionRequest {
  toolName: string;
  arguments: Record<string, unknown>;
  metadata: unknown;
  reason: string;
  toolCallId?: string;
}

/** The longer answer of an approver: a reason for the model, or the changes as the person edited them. */
export interface ApprovalAnswer {
  outcome: ApprovalOutcome;
  reason?: string | undefined;
  edited?: { path: string; after: string | null }[] | undefined;
}

/** Decides on one request (guide 8.3). What it throws comes out of `run()`. */
export type Approver = (request: PermissionRequest) => Promise<ApprovalOutcome | ApprovalAnswer>;

/** The permission engine's answer (guide 8.1). */
export interface Decision {
  allowed: boolean;
  reason: string;
  needsUser: boolean;
  /** Addition: it asks because of a protected file. With no approver set such a call is denied, not thrown. */
  protectedFile?: true;
}

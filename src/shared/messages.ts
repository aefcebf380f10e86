/** The words of a conversation: messages, tool calls, usage, and what a model streams back. */

/** A tool call as the model made it (Chat Completions shape). Unknown keys are kept: some endpoints want them back. */
export interface ToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string; [extra: string]: unknown };
  [extra: string]: unknown;
}

export interface TextPart {
  type: "text";
  text: string;
}

export interface ImagePart {
  type: "image_url";
  image_url: { url: string; detail?: "auto" | "low" | "high" };
}

/** Sound and video as data URLs; the provider translates them for its wire. */
export interface MediaPart {
  type: "media";
  mimeType: string;
  dataUrl: string;
}

export type ContentPart = TextPart | ImagePart | MediaPart;

export type Role = "system" | "user" | "assistant" | "tool";

/**
 * One entry of a session's history (guide 11.3, `SavedState.messages`). Chat Completions shape plus what must travel
 * with the message: reasoning, the endpoint's own reasoning details, and references to stored attachments.
 */
export interface Message {
  role: Role;
  content: string | ContentPart[] | null;
  /** On assistant messages: calls in the order in which the model made them. */
  tool_calls?: ToolCall[];
  /** On tool messages: the call that this answers. */
  tool_call_id?: string;
  name?: string;
  /** Reasoning text as streamed; sent back where an endpoint needs it. */
  reasoning?: string;
  /** Opaque reasoning objects of the endpoint (Responses reasoning items, OpenRouter details), in order. */
  reasoning_details?: unknown[];
  /** References to files under the session's `attachments/` (guide 13). */
  attachments?: StoredAttachment[];
  /** What the engine itself put in, for its own bookkeeping; never sent to an endpoint. */
  origin?: "environment" | "reminder" | "summary";
  /** On tool messages: the call failed, was denied or not run, so that nothing came of it. Never sent. */
  failed?: true;
  /** On tool messages: files as the session had seen them by then, for the conflict guard after a restart. Never sent. */
  seen?: unknown[];
  /** On the last reply of a saved history: ids of calls that had begun to run and have no result. Never sent. */
  started?: string[];
  [extra: string]: unknown;
}

/** Token counts of one reply. `cached` is part of `input`, `reasoning` part of `output`. */
export interface TokenUsage {
  input: number;
  output: number;
  cached?: number;
  reasoning?: number;
  /** True when the endpoint reported nothing and the figures are our estimate. */
  estimated?: boolean;
}

/** One piece of a streamed reply (guide 10.2). */
export interface StreamChunk {
  content: string | null;
  reasoning: string | null;
  /** Only the last chunk carries the complete list. */
  toolCalls: ToolCall[] | null;
  usage: TokenUsage | null;
  finishReason: string | null;
  /** Only the last chunk: opaque reasoning objects to keep with the message. */
  reasoningDetails?: unknown[] | null;
  /** The content of all chunks before this one was thinking: a server left out the opening tag. */
  reclassify?: true;
}

/** An attachment as the caller hands it in (guide 13.1). `dataUrl` is `data:<mime>;base64,<payload>`. */
export interface MessageAttachment {
  name: string;
  mimeType: string;
  dataUrl: string;
}

/** An attachment as it lies in the session folder (guide 13.1). `size` in bytes, `path` relative to the session folder. */
export interface StoredAttachment {
  name: string;
  mimeType: string;
  size: number;
  path: string;
}

/** The text of a message's content; other parts are left out. */
export function textOf(content: Message["content"]): string {
  if (content === null) return "";
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

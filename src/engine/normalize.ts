/** The one law of a history: every call answered right after it, once, in order (docs/events.md, "History"). */

import type { Message, ToolCall } from "../shared/messages";

/** Stands for a result that never came. Constant, so that repeating the repair gives the same bytes. */
export const UNFINISHED = "Interrupted: the tool did not finish. Its effects are unknown; check before you repeat it.";

export interface NormalizeOptions {
  /** Leave unanswered calls at the very end as they are: `resume()` will run them. */
  keepPending?: boolean;
  /** Leave unreadable arguments as they are: the stored form keeps what the model wrote. */
  keepArguments?: boolean;
}

/**
 * A valid copy of a history; messages that need no change are the same objects. Idempotent. Orphan and second results
 * are dropped, missing ones put in, empty assistant messages dropped, unusable ids and arguments replaced.
 */
export function normalizeHistory(messages: readonly Message[], options: NormalizeOptions = {}): Message[] {
  const sound: Message[] = [];
  const ids = new CallIds();
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") continue; // taken with its assistant message, or an orphan
    if (message.role !== "assistant") sound.push(message);
    else if (message.tool_calls?.length) pushAnswered(sound, { messages, at, message, ids, options });
    else if (hasContent(message)) sound.push(withoutEmptyCalls(message));
  }
  return sound;
}

interface Place {
  messages: readonly Message[];
  at: number;
  message: Message;
  ids: CallIds;
  options: NormalizeOptions;
}

function pushAnswered(sound: Message[], { messages, at, message, ids, options }: Place): void {
  const given = message.tool_calls ?? [];
  const calls = given.map((call) => soundCall(call, ids, options));
  const isSame = calls.every((call, index) => call === given[index]);
  sound.push(isSame ? message : { ...message, tool_calls: calls });
  const { results, isLast } = resultsAfter(messages, at);
  for (const [index, call] of calls.entries()) {
    const result = results.get(idOf(given[index]))?.shift();
    if (result) sound.push(result.tool_call_id === call.id ? result : { ...result, tool_call_id: call.id });
    else if (!(isLast && options.keepPending)) sound.push(unfinished(call));
  }
}

/** The results between an assistant message and the next one, by the id they name, in order. */
function resultsAfter(messages: readonly Message[], at: number): { results: Map<string, Message[]>; isLast: boolean } {
  const results = new Map<string, Message[]>();
  let isLast = true;
  for (let next = at + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (!message || message.role === "assistant") return { results, isLast: false };
    if (message.role !== "tool") isLast = false;
    else {
      const id = message.tool_call_id ?? "";
      const known = results.get(id);
      if (known) known.push(message);
      else results.set(id, [message]);
    }
  }
  return { results, isLast };
}

const fillers = new WeakMap<ToolCall, Message>();

/** The stand-in for a missing result. */
function unfinished(call: ToolCall): Message {
  const known = fillers.get(call);
  if (known) return known;
  const filler: Message = { role: "tool", tool_call_id: call.id, content: UNFINISHED };
  fillers.set(call, filler);
  return filler;
}

function soundCall(call: ToolCall, ids: CallIds, options: NormalizeOptions): ToolCall {
  const id = ids.claim(call.id);
  const readable = options.keepArguments ? call : withReadableArguments(call);
  return readable.id === id ? readable : { ...readable, id };
}

const readable = new WeakMap<ToolCall, ToolCall>();

/** Strict servers refuse a history with arguments that are no JSON object, for ever. */
function withReadableArguments(call: ToolCall): ToolCall {
  const known = readable.get(call);
  if (known) return known;
  const sound = isObjectText(call.function.arguments)
    ? call
    : { ...call, function: { ...call.function, arguments: "{}" } };
  readable.set(call, sound);
  return sound;
}

function isObjectText(text: unknown): boolean {
  if (typeof text !== "string") return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function hasContent(message: Message): boolean {
  return typeof message.content === "string" ? message.content !== "" : Boolean(message.content?.length);
}

function withoutEmptyCalls(message: Message): Message {
  if (!message.tool_calls) return message;
  const { tool_calls: _none, ...rest } = message;
  return rest;
}

function idOf(call: ToolCall | undefined): string {
  return typeof call?.id === "string" ? call.id : "";
}

/** Ids of a history: each is used once; unusable ones get nine alphanumerics from a counter. */
export class CallIds {
  private readonly used = new Set<string>();
  private count = 0;

  /** `id` when it can be used, else a made one. */
  claim(id: unknown): string {
    const claimed = typeof id === "string" && id !== "" && !this.used.has(id) ? id : this.make();
    this.used.add(claimed);
    return claimed;
  }

  private make(): string {
    for (;;) {
      this.count += 1;
      const id = `zq${String(this.count).padStart(7, "0")}`;
      if (!this.used.has(id)) return id;
    }
  }
}

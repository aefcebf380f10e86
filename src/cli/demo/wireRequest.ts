/** Reads what a client sent: either API's body becomes one Chat-shaped request, and strict mode judges its history. */

import { type ContentPart, type Message, type ToolCall, textOf } from "../../shared/messages";
import type { ModelRequest } from "./script";

type Json = Record<string, unknown>;

/** Either API's request body in one form. */
export function parseRequest(api: ModelRequest["api"], body: Json): ModelRequest {
  const tools = list(body.tools).map((tool) => text(record(tool.function).name ?? tool.name ?? tool.type));
  return {
    api,
    model: text(body.model),
    messages: api === "chat" ? (list(body.messages) as unknown as Message[]) : messagesOf(body),
    tools,
    mayCall: body.tool_choice !== "none",
    stream: body.stream === true,
    body,
  };
}

/** What a strict endpoint would refuse in the history, in one sentence; undefined where nothing is wrong. */
export function historyFault(messages: Message[]): string | undefined {
  for (const [index, message] of messages.entries()) {
    const fault = messageFault(message, index, messages);
    if (fault) return `messages[${index}]: ${fault}`;
  }
  const ids = messages.flatMap((message) => (message.tool_calls ?? []).map((call) => call.id));
  return new Set(ids).size === ids.length ? undefined : "tool call ids are not unique";
}

function messageFault(message: Message, index: number, all: Message[]): string | undefined {
  if (message.role === "system") return index === 0 ? undefined : "a system message must be the first";
  if (message.role === "tool") return isAnswer(message, index, all) ? undefined : "a tool message without its call";
  if (message.role !== "assistant") return undefined;
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) return textOf(message.content) === "" ? "an empty assistant message" : undefined;
  if (calls.some((call) => !isJson(call.function.arguments))) return "arguments that are not valid JSON";
  const missing = calls.find((call) => !answersBehind(index, all).includes(call.id));
  return missing && `the call ${missing.id} has no tool message right after it`;
}

function isAnswer(message: Message, index: number, all: Message[]): boolean {
  let caller = index - 1;
  while (all[caller]?.role === "tool") caller -= 1;
  return (all[caller]?.tool_calls ?? []).some((call) => call.id === message.tool_call_id);
}

function answersBehind(index: number, all: Message[]): (string | undefined)[] {
  const rest = all.slice(index + 1);
  const end = rest.findIndex((message) => message.role !== "tool");
  return (end < 0 ? rest : rest.slice(0, end)).map((message) => message.tool_call_id);
}

/** The items of a Responses request as Chat messages: calls join the assistant message in front of them. */
function messagesOf(body: Json): Message[] {
  const messages: Message[] = body.instructions ? [{ role: "system", content: text(body.instructions) }] : [];
  if (typeof body.input === "string") return [...messages, { role: "user", content: body.input }];
  let reasoning: unknown[] = [];
  for (const item of list(body.input)) {
    if (item.type === "reasoning") reasoning.push(item);
    else reasoning = addItem(messages, item, reasoning);
  }
  return messages;
}

function addItem(messages: Message[], item: Json, reasoning: unknown[]): unknown[] {
  if (item.type === "function_call_output") {
    messages.push({ role: "tool", tool_call_id: text(item.call_id), content: contentOf(item.output) });
    return reasoning;
  }
  const details = reasoning.length > 0 ? { reasoning_details: reasoning } : {};
  if (item.type === "function_call") addCall(messages, item, details);
  else messages.push({ role: roleOf(item.role), content: contentOf(item.content), ...details });
  return [];
}

function addCall(messages: Message[], item: Json, details: object): void {
  const call: ToolCall = {
    id: text(item.call_id),
    type: "function",
    function: { name: text(item.name), arguments: text(item.arguments) },
  };
  const last = messages.at(-1);
  if (last?.role === "assistant" && !("reasoning_details" in details))
    last.tool_calls = [...(last.tool_calls ?? []), call];
  else messages.push({ role: "assistant", content: null, tool_calls: [call], ...details });
}

function contentOf(content: unknown): string | ContentPart[] {
  if (typeof content === "string") return content;
  const parts = list(content).map(partOf);
  return parts.every((part) => part.type === "text") ? textOf(parts) : parts;
}

function partOf(part: Json): ContentPart {
  if (part.type === "input_image") return { type: "image_url", image_url: { url: text(part.image_url) } };
  return { type: "text", text: text(part.text) };
}

function roleOf(role: unknown): Message["role"] {
  if (role === "developer" || role === "system") return "system";
  return role === "assistant" ? "assistant" : "user";
}

function isJson(candidate: unknown): boolean {
  try {
    JSON.parse(text(candidate));
    return true;
  } catch {
    return false;
  }
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

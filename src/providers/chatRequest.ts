/** Builds the body of a Chat Completions request: nothing in it that is not needed, for what is not sent is not refused. */

import type { ToolSchema } from "../shared/contracts";
import type { Message, ToolCall } from "../shared/messages";
import type { EndpointNotes } from "./endpointMemory";
import { evictResults } from "./eviction";
import { type Body, type Outgoing, outputLimit, withoutRefused } from "./modelCall";
import { simplifyTool, withObjectRoot } from "./toolSchemas";
import { joinNeighbours, wireHistory } from "./wireHistory";
import { chatContent } from "./wireParts";

export function buildChatBody(out: Outgoing): Body {
  const { call, notes } = out;
  const limit = outputLimit(out);
  const tools = chatTools(out);
  const body: Body = {
    model: call.model,
    // Tools, then the history, then what may change: caches match from the front.
    ...(tools.length > 0 ? { tools } : {}),
    messages: chatMessages(out),
    ...(tools.length > 0 && call.toolChoice === "none" ? { tool_choice: "none" } : {}),
    stream: true,
    stream_options: { include_usage: true },
    ...(limit === undefined ? {} : { [outputKey(out)]: limit }),
    ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
    ...(call.reasoningEffort && !call.isDeepSeek ? { reasoning_effort: call.reasoningEffort } : {}),
    ...(call.cacheKey && call.isOpenAI ? { prompt_cache_key: call.cacheKey } : {}),
  };
  return withoutRefused(
    body,
    (notes.drop ?? []).filter((name) => !name.startsWith("responses:")),
  );
}

function outputKey({ call, notes }: Outgoing): string {
  return notes.outputKey ?? (call.isOpenAI ? "max_completion_tokens" : "max_tokens");
}

function chatTools({ call, notes }: Outgoing): ToolSchema[] {
  // Tools that must not be called go out only where the endpoint understands that.
  if (call.toolChoice === "none" && notes.drop?.includes("tool_choice")) return [];
  const left = call.tools.filter((tool) => !notes.withoutTools?.includes(tool.function.name));
  if (notes.schemas === "simple") return left.map(simplifyTool);
  return left.map((tool) => ({
    ...tool,
    function: { ...tool.function, parameters: withObjectRoot(tool.function.parameters) },
  }));
}

function chatMessages(out: Outgoing): Body[] {
  const { call, notes, tweaks } = out;
  const history = evictResults(wireHistory(call.messages, notes.ids), tweaks.evictAbove);
  const placed = withBridges(placeSystem(history, notes.system), notes);
  const messages = withNames(placed, notes).map((message) => chatMessage(message, out));
  return tweaks.remark ? [...messages, { role: "user", content: tweaks.remark }] : messages;
}

/** Some templates have no system role: its text then leads the first user message. */
function placeSystem([first, second, ...rest]: Message[], place: "user" | undefined): Message[] {
  const all = [first, second, ...rest].filter((message) => message !== undefined);
  if (place === undefined || first?.role !== "system") return all;
  return joinNeighbours([{ ...first, role: "user" }, ...all.slice(1)]);
}

const BRIDGE: Message = { role: "assistant", content: "Noted." };

/** Some templates know nobody but the assistant behind results. */
function withBridges(messages: Message[], { afterResults }: EndpointNotes): Message[] {
  if (afterResults === undefined) return messages;
  return messages.flatMap((message, index) =>
    message.role === "user" && messages[index - 1]?.role === "tool" ? [BRIDGE, message] : [message],
  );
}

/** The tool's name beside each result, for servers that cannot tell it by the id. */
function withNames(messages: Message[], { resultNames }: EndpointNotes): Message[] {
  if (resultNames === undefined) return messages;
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const names = new Map(calls.map((call) => [call.id, call.function.name]));
  return messages.map((message) =>
    message.role === "tool" ? { ...message, name: names.get(message.tool_call_id ?? "") ?? "" } : message,
  );
}

function chatMessage(message: Message, out: Outgoing): Body {
  const content = chatContent(message.content, out.notes.images !== false);
  if (message.role === "tool")
    return {
      role: "tool",
      ...(out.notes.resultNames ? { name: message.name } : {}),
      tool_call_id: message.tool_call_id,
      content: content === "" ? emptyResult(out) : content,
    };
  if (message.role !== "assistant" || !message.tool_calls) return { role: message.role, content };
  return {
    role: "assistant",
    content: content === "" && out.notes.emptyContent === "null" ? null : content,
    ...echoOf(message, out),
    tool_calls: message.tool_calls.map(chatCall),
  };
}

/** Where an empty string was refused, an empty result says that it is empty. */
function emptyResult({ notes }: Outgoing): string {
  return notes.emptyContent === "null" ? "(empty)" : "";
}

/** Thinking goes back with the calls that it led to: some endpoints refuse the history without it. */
function echoOf(message: Message, { notes }: Outgoing): Body {
  const details = (message.reasoning_details ?? []).filter((detail) => typeOf(detail) !== "reasoning");
  return {
    ...(message.reasoning || notes.echo ? { reasoning_content: message.reasoning || emptyThought(notes) } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
  };
}

function emptyThought({ echo }: EndpointNotes): string {
  return echo === "filled" ? "(none)" : "";
}

function chatCall(call: ToolCall): ToolCall {
  const { index: _index, ...rest } = call;
  return rest as ToolCall;
}

function typeOf(detail: unknown): unknown {
  return typeof detail === "object" && detail !== null && "type" in detail ? detail.type : undefined;
}

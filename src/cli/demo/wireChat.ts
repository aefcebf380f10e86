/** Writes a reply as Chat Completions: a list of server-sent events, or one object where no stream was asked for. */

import type { TokenUsage } from "../../shared/messages";
import { callsOf, type ModelRequest, piecesOf, type Reply, usageOf } from "./script";

/** The events of a streamed reply, one string each, the end mark last. */
export function chatEvents(reply: Reply, request: ModelRequest, serial: number): string[] {
  const base = { id: `chatcmpl-${serial}`, object: "chat.completion.chunk", created: 1, model: request.model };
  const chunk = (delta: object, finish: string | null = null) =>
    frame({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const usage = usageOf(reply, request);
  return [
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(reply.reasoning ?? "", reply.chunk).map((piece) => chunk({ reasoning_content: piece })),
    ...piecesOf(reply.text ?? "", reply.chunk).map((piece) => chunk({ content: piece })),
    ...callDeltas(reply, serial).map((delta) => chunk({ tool_calls: [delta] })),
    chunk({}, finishOf(reply)),
    ...(usage ? [frame({ ...base, choices: [], usage: chatUsage(usage) })] : []),
    "data: [DONE]\n\n",
  ];
}

/** The same reply as one completion object. */
export function chatCompletion(reply: Reply, request: ModelRequest, serial: number): object {
  const calls = callsOf(reply, serial).map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.args },
  }));
  const message = {
    role: "assistant",
    content: reply.text ?? null,
    ...(reply.reasoning ? { reasoning_content: reply.reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const usage = usageOf(reply, request);
  return {
    id: `chatcmpl-${serial}`,
    object: "chat.completion",
    created: 1,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: finishOf(reply) }],
    ...(usage ? { usage: chatUsage(usage) } : {}),
  };
}

function finishOf(reply: Reply): string {
  return reply.finish ?? (reply.calls?.length ? "tool_calls" : "stop");
}

/** A call opens with its id and name; its arguments follow in pieces that only the index ties to it. */
function callDeltas(reply: Reply, serial: number): object[] {
  return callsOf(reply, serial).flatMap((call, index) => [
    { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } },
    ...piecesOf(call.args, reply.chunk).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
}

function chatUsage(usage: TokenUsage): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

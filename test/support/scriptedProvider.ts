/** A scripted model as a `ProviderClient`: the script of the model server without HTTP, for tests of the engine. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  callsOf,
  type ModelRequest,
  piecesOf,
  type Reply,
  type Script,
  ScriptPlayer,
  type SideScript,
  usageOf,
} from "../../src/cli/demo/script";
import { classifyHttpError } from "../../src/providers/classify";
import type { ProviderClient, RequestOptions, StreamOpts, ToolSchema } from "../../src/shared/contracts";
import { ModelError } from "../../src/shared/errors";
import type { Message, StreamChunk, ToolCall } from "../../src/shared/messages";

/** What the provider was asked, as a copy made at that moment. */
export interface ProviderRequest extends ModelRequest {
  opts: StreamOpts;
  schemas: ToolSchema[];
}

export class ScriptedProvider implements ProviderClient {
  readonly requests: ProviderRequest[] = [];
  readonly #player: ScriptPlayer;

  constructor(script: Script, side?: SideScript) {
    this.#player = new ScriptPlayer(script, side);
  }

  async stream(
    model: string,
    messages: Message[],
    tools: ToolSchema[],
    opts: StreamOpts,
  ): Promise<AsyncIterable<StreamChunk>> {
    const request = this.#record(model, messages, tools, opts);
    const serial = this.requests.length;
    const reply = await this.#player.answer(request);
    return play(reply, request, serial);
  }

  async chat(model: string, messages: Message[], _options: RequestOptions, opts: StreamOpts): Promise<string | null> {
    let text = "";
    for await (const chunk of await this.stream(model, messages, [], opts)) text += chunk.content ?? "";
    return text === "" ? null : text;
  }

  #record(model: string, messages: Message[], schemas: ToolSchema[], opts: StreamOpts): ProviderRequest {
    const request: ProviderRequest = {
      api: "chat",
      model,
      messages: structuredClone(messages),
      tools: schemas.map((tool) => tool.function.name),
      mayCall: opts.toolChoice !== "none",
      stream: true,
      body: {},
      opts,
      schemas: structuredClone(schemas),
    };
    this.requests.push(request);
    return request;
  }
}

async function* play(reply: Reply, request: ProviderRequest, serial: number): AsyncGenerator<StreamChunk> {
  const { signal } = request.opts;
  await pause(reply.delayMs, signal);
  if (reply.fault === "hang-before-headers") await aborted(signal);
  if ((reply.status ?? 200) >= 400) throw refusal(reply);
  const deltas = deltasOf(reply);
  const healthy = reply.fault ? deltas.slice(0, deltas.length >> 1) : deltas;
  for (const delta of healthy) {
    throwIfAborted(signal);
    yield { ...nothing, ...delta };
    await pause(reply.everyMs, signal);
  }
  if (reply.fault) await breakOff(reply.fault, signal);
  throwIfAborted(signal);
  yield lastChunk(reply, request, serial);
}

const nothing: StreamChunk = { content: null, reasoning: null, toolCalls: null, usage: null, finishReason: null };

function deltasOf(reply: Reply): Partial<StreamChunk>[] {
  return [
    ...piecesOf(reply.reasoning ?? "", reply.chunk).map((reasoning) => ({ reasoning })),
    ...piecesOf(reply.text ?? "", reply.chunk).map((content) => ({ content })),
  ];
}

function lastChunk(reply: Reply, request: ModelRequest, serial: number): StreamChunk {
  const toolCalls = callsOf(reply, serial).map(
    (call): ToolCall => ({ id: call.id, type: "function", function: { name: call.name, arguments: call.args } }),
  );
  const finishReason = reply.finish ?? (toolCalls.length > 0 ? "tool_calls" : "stop");
  return {
    ...nothing,
    toolCalls: toolCalls.length > 0 ? toolCalls : null,
    usage: usageOf(reply, request),
    finishReason,
  };
}

function refusal(reply: Reply): ModelError {
  const body = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {});
  return classifyHttpError({ status: reply.status ?? 400, headers: reply.headers ?? {}, body });
}

async function breakOff(fault: string, signal: AbortSignal | undefined): Promise<void> {
  if (fault === "hang") await aborted(signal);
  if (fault === "garbage")
    throw new ModelError("malformed_response", "The reply was no valid stream.", { retriable: true });
  throw new ModelError("network", "The connection was lost in the middle of the reply.", { retriable: true });
}

function pause(ms: number | undefined, signal: AbortSignal | undefined): Promise<unknown> | undefined {
  return ms ? sleep(ms, undefined, { signal }) : undefined;
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new DOMException("This operation was aborted", "AbortError"));
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  signal?.throwIfAborted();
}

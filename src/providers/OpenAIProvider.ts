/** One door to every OpenAI-compatible endpoint (guide 10.1): Responses first, Chat where that is not there. */

import type { ProviderClient, RequestOptions, StreamOpts, ToolSchema } from "../shared/contracts";
import { isModelError } from "../shared/errors";
import type { Message, StreamChunk } from "../shared/messages";
import { AuditLog } from "./auditLog";
import { CallAudit } from "./callAudit";
import { type CallHost, runCall } from "./callRun";
import { EndpointMemory, type KnownEndpoints } from "./endpointMemory";
import { createHttpSend } from "./http";
import type { ModelCall } from "./modelCall";
import { observed } from "./observing";
import { type ClientCall, createClientCall } from "./openaiClient";
import { type OpenAIProviderOptions, requireReady, resolveProviderSettings } from "./providerSettings";
import type { ListedModel } from "./statedWindow";

export type { KnownEndpoints } from "./endpointMemory";
export type { OpenAIProviderOptions } from "./providerSettings";
export type { ListedModel } from "./statedWindow";

/** How long an endpoint may take to say how large a model's window is, in milliseconds. */
const WINDOW_MS = 5_000;

/**
 * The built-in `ProviderClient`. Failed calls throw `ModelError`; without a key the first call throws
 * "OPENAI_API_KEY is not set." Nothing is loaded and no connection opened before the first call.
 */
export class OpenAIProvider implements ProviderClient {
  readonly #host: CallHost;
  readonly #log: AuditLog | undefined;
  /** Models whose window is asked for now. */
  readonly #questions = new Map<string, Promise<void>>();

  constructor(options: OpenAIProviderOptions = {}) {
    const settings = resolveProviderSettings(options);
    const client = onceLoaded(() => {
      const send = createHttpSend(settings.socks ? { socks: settings.socks } : {});
      const { observe } = options;
      return createClientCall(
        { ...settings, apiKey: requireReady(settings) },
        observe ? observed(send, observe) : send,
      );
    });
    const memory = new EndpointMemory(settings.baseURL, options.knownEndpoints);
    this.#host = { settings, client, memory, deadReasoning: new Set() };
    this.#log = options.logDir ? new AuditLog(options.logDir, settings.apiKey ?? "") : undefined;
  }

  /** What endpoints have taught this provider, as plain data: hand it to the next one as `knownEndpoints`. */
  get learned(): KnownEndpoints {
    return this.#host.memory.all;
  }

  /** The base URL in use, without a trailing slash. */
  get baseURL(): string {
    return this.#host.settings.baseURL;
  }

  /** Streams one reply. The request goes out when the first chunk is asked for; leaving the loop closes the connection. */
  async stream(
    model: string,
    messages: Message[],
    tools: ToolSchema[],
    opts: StreamOpts,
  ): Promise<AsyncIterable<StreamChunk>> {
    requireReady(this.#host.settings);
    const audit = this.#log ? new CallAudit(this.#log, opts) : undefined;
    return runCall(this.#host, this.#callOf(model, messages, tools, opts), opts, audit);
  }

  /** A small request without tools. Null where the model says nothing. */
  async chat(
    model: string,
    messages: Message[],
    options: RequestOptions,
    opts: StreamOpts,
    params: { maxTokens?: number | undefined } = {},
  ): Promise<string | null> {
    const { reasoningEffort = opts.reasoningEffort, temperature = opts.temperature } = options;
    const { maxTokens = opts.maxTokens } = params;
    const all = { ...opts, ...options, reasoningEffort, temperature, maxTokens };
    let text = "";
    try {
      for await (const chunk of await this.stream(model, messages, [], all)) {
        if (chunk.reclassify) text = "";
        text += chunk.content ?? "";
      }
    } catch (error) {
      if (!isModelError(error) || error.errorType !== "empty_response") throw error;
    }
    return text.trim() === "" ? null : text;
  }

  /** The models that the endpoint lists; an empty list where it lists none. Throws `ModelError` where it cannot be reached. */
  async models(signal: AbortSignal = new AbortController().signal): Promise<ListedModel[]> {
    requireReady(this.#host.settings);
    const { answerAt, listedModels } = await import("./statedWindow");
    const { status, text } = await answerAt({ call: await this.#host.client(), signal }, "/models");
    return status === 200 ? listedModels(text) : [];
  }

  /** Addition: the model's window in tokens as the endpoint states it; undefined where that is not known. */
  contextWindow(model: string): number | undefined {
    return this.#host.memory.notes(model).contextWindow || undefined;
  }

  /**
   * Addition: asks the endpoint for the model's window where our table does not know the model, or the server is one's
   * own; not twice at a time. What it says is among `learned`. Never rejects: without an answer all stays as it was.
   */
  learnContextWindow(model: string): Promise<void> {
    const known = this.#questions.get(model);
    if (known) return known;
    const question = this.#askWindow(model)
      .catch(() => undefined)
      .finally(() => this.#questions.delete(model));
    this.#questions.set(model, question);
    return question;
  }

  async #askWindow(model: string): Promise<void> {
    const { memory, client, settings } = this.#host;
    const { baseURL } = settings;
    const known = memory.notes(model).contextWindow;
    // Late: the table of models is longer than all of the provider, and a first request needs nothing of it.
    const { askWindow, isOwnServer } = await import("./statedWindow");
    const { resolveModel } = await import("../shared/models");
    // What a server of one's own has loaded may differ from day to day.
    const isUnsure = known === undefined && resolveModel(model).assumed;
    if (!isUnsure && !isOwnServer(baseURL)) return;
    const signal = AbortSignal.timeout(WINDOW_MS);
    const contextWindow = await askWindow({ call: await client(), baseURL, model, signal });
    if (contextWindow !== known) memory.learn(model, { contextWindow });
  }

  /** Resolves when the audit log of all calls so far is on disk; await it before the process is ended. Never rejects. */
  settled(): Promise<void> {
    return this.#log?.settled ?? Promise.resolve();
  }

  #callOf(model: string, messages: Message[], tools: ToolSchema[], opts: StreamOpts): ModelCall {
    const { baseURL, isOpenAI, maxTokens, temperature } = this.#host.settings;
    return {
      model,
      messages,
      // The same tools as ever, though none may be called: the prefix stays the same, and so does the cache.
      tools: tools.length === 0 && opts.toolChoice === "none" ? (opts.sessionTools ?? tools) : tools,
      reasoningEffort: opts.reasoningEffort,
      maxTokens: opts.maxTokens ?? maxTokens,
      temperature: opts.temperature ?? temperature,
      toolChoice: opts.toolChoice,
      cacheKey: opts.sessionId,
      isDeepSeek: /deepseek/i.test(`${model} ${baseURL}`),
      isOpenAI,
    };
  }
}

/** A failed load is tried again at the next call. */
function onceLoaded(load: () => Promise<ClientCall>): () => Promise<ClientCall> {
  let loaded: Promise<ClientCall> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

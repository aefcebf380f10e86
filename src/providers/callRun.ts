/** One model call from start to end: send, read, and where the endpoint refuses, mend the request or wait and send again. */

import { setTimeout as sleep } from "node:timers/promises";
import type { StreamOpts } from "../shared/contracts";
import { isModelError, ModelError } from "../shared/errors";
import type { StreamChunk } from "../shared/messages";
import type { CallAudit } from "./callAudit";
import { buildChatBody } from "./chatRequest";
import { maskKeys, modelErrorOf } from "./classify";
import { type EndpointMemory, type EndpointNotes, mergeNotes } from "./endpointMemory";
import { exchange, PATHS } from "./exchange";
import type { ApiMode, ModelCall, Tweaks } from "./modelCall";
import type { ClientCall } from "./openaiClient";
import type { Plan, Sent } from "./plan";
import type { ProviderSettings } from "./providerSettings";
import { plansFor } from "./recovery";
import { Refused } from "./reply";
import { buildResponsesBody } from "./responsesRequest";
import { backoffDelay, LONGEST_WAIT_MS } from "./retryDelay";
import { wireText } from "./wireText";

/** What one provider's calls share. */
export interface CallHost {
  settings: ProviderSettings;
  client: () => Promise<ClientCall>;
  memory: EndpointMemory;
  /** Sealed reasoning that the endpoint refused once; it is never sent again. */
  deadReasoning: Set<string>;
}

/** No request is sent more often than this, whatever is still worth a try. */
const MAX_REQUESTS = 9;

/** Yields the reply. Throws `ModelError`, or the signal's reason after an abort. */
export async function* runCall(
  host: CallHost,
  call: ModelCall,
  opts: StreamOpts,
  audit?: CallAudit,
): AsyncGenerator<StreamChunk> {
  const run = new CallRun(host, call, opts, audit);
  const link = new AbortController();
  const abort = () => link.abort(opts.signal?.reason);
  if (opts.signal?.aborted) abort();
  opts.signal?.addEventListener("abort", abort, { once: true });
  try {
    yield* run.all(link.signal);
  } finally {
    opts.signal?.removeEventListener("abort", abort);
  }
}

class CallRun {
  readonly #host: CallHost;
  readonly #call: ModelCall;
  readonly #opts: StreamOpts;
  readonly #audit: CallAudit | undefined;
  readonly #tried = new Set<string>();
  /** What this call learnt so far; it is kept for later calls only when it led to a reply. */
  #lessons: EndpointNotes = {};
  #tweaks: Tweaks = {};
  #requests = 0;
  #waits = 0;
  /** A reply has begun to reach the caller: from here on nothing can be taken back. */
  #hasYielded = false;
  /** What Responses said before Chat was tried instead. */
  #first: Refused | undefined;

  constructor(host: CallHost, call: ModelCall, opts: StreamOpts, audit: CallAudit | undefined) {
    this.#host = host;
    this.#call = call;
    this.#opts = opts;
    this.#audit = audit;
  }

  async *all(signal: AbortSignal): AsyncGenerator<StreamChunk> {
    for (;;) {
      const sent = this.#build();
      try {
        yield* this.#once(sent, signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        await this.#recover(error, sent, signal);
      }
    }
  }

  #build(): Sent {
    const { settings, memory, deadReasoning } = this.#host;
    const notes = mergeNotes(memory.notes(this.#call.model), this.#lessons);
    const api: ApiMode = settings.forced ?? this.#tweaks.api ?? notes.api ?? "responses";
    const out = { call: this.#call, notes, tweaks: this.#tweaks, deadReasoning };
    const body = api === "chat" ? buildChatBody(out) : buildResponsesBody(out);
    return { ...out, api, body, mayFallBack: settings.forced === undefined };
  }

  async *#once({ api, body, notes }: Sent, signal: AbortSignal): AsyncGenerator<StreamChunk> {
    this.#requests += 1;
    signal.throwIfAborted();
    const raw = wireText(body);
    this.#audit?.request(this.#requests, PATHS[api], body);
    const names = new Set(this.#call.tools.map((tool) => tool.function.name));
    const takenIds = new Set(
      this.#call.messages.flatMap((message) => (message.tool_calls ?? []).map((made) => made.id)),
    );
    const context = {
      isTool: (name: string) => names.has(name),
      takenIds,
      thinksUnopened: notes.thinksUnopened === true,
    };
    const call = await this.#host.client();
    for await (const chunk of exchange({
      call,
      api,
      raw,
      signal,
      context,
      onAnswer: (answer) => this.#audit?.answer(answer),
    })) {
      signal.throwIfAborted();
      this.#learnFrom(chunk);
      this.#audit?.chunk(chunk);
      this.#hasYielded = true;
      yield chunk;
    }
    this.#audit?.done(this.#requests);
  }

  #learnFrom(chunk: StreamChunk): void {
    if (chunk.reclassify) this.#lessons = mergeNotes(this.#lessons, { thinksUnopened: true });
    if (this.#hasYielded && !chunk.reclassify) return;
    this.#host.memory.learn(this.#call.model, this.#lessons);
  }

  async #recover(error: unknown, sent: Sent, signal: AbortSignal): Promise<void> {
    this.#audit?.done(this.#requests, error);
    if (!(error instanceof Refused)) throw this.#asModelError(error, sent.api);
    const isMissing = error.verdict.errorType === "endpoint_unsupported";
    // Chat answered, if only with a refusal: it is there.
    if (sent.api === "chat" && this.#lessons.api && !isMissing)
      this.#host.memory.learn(this.#call.model, { api: "chat" });
    if (this.#hasYielded || this.#requests >= MAX_REQUESTS) throw this.#asModelError(error, sent.api);
    if (isMissing && this.#first) return this.#backToResponses(this.#first, sent.api);
    const plan = plansFor(error.verdict, sent).find(({ key }) => !this.#tried.has(key));
    if (plan) this.#follow(plan, error);
    else await this.#wait(error, sent.api, signal);
  }

  /** Chat is not there either: Responses once more with what was learnt, else what Responses said stands. */
  #backToResponses(first: Refused, api: ApiMode): void {
    const { api: _chat, ...lessons } = this.#lessons;
    if (
      first.verdict.errorType === "endpoint_unsupported" ||
      Object.keys(lessons).length === 0 ||
      this.#tried.has("back")
    ) {
      throw this.#asModelError(first, api);
    }
    this.#tried.add("back");
    this.#lessons = lessons;
    this.#tweaks = { ...this.#tweaks, api: "responses" };
    this.#tell({ ...first.verdict, fallback: false, recover: "use Responses without what was refused" });
  }

  #follow(plan: Plan, { verdict }: Refused): void {
    this.#tried.add(plan.key);
    if (plan.fallback !== false) this.#first = new Refused(verdict);
    this.#lessons = mergeNotes(this.#lessons, plan.learn ?? {});
    this.#tweaks = { ...this.#tweaks, ...plan.tweaks };
    for (const seal of plan.dead ?? []) this.#host.deadReasoning.add(seal);
    this.#tell({ ...verdict, fallback: plan.fallback, recover: plan.recover });
  }

  async #wait(failure: Refused, api: ApiMode, signal: AbortSignal): Promise<void> {
    const { maxRetries, backoffMs } = this.#host.settings;
    const { verdict } = failure;
    const isCuredByTime = ["rate_limit", "overloaded", "server"].includes(verdict.errorType);
    // A stated delay of nothing would hammer a busy server.
    const waitMs = verdict.retryAfterMs || backoffDelay(this.#waits + 1, backoffMs);
    if (!isCuredByTime || this.#waits >= maxRetries || waitMs > LONGEST_WAIT_MS) throw this.#asModelError(failure, api);
    this.#waits += 1;
    const told = {
      fallback: false as const,
      recover: "wait and send it again",
      attempt: this.#waits,
      maxAttempts: maxRetries,
    };
    this.#tell({ ...verdict, ...told, retryAfterMs: waitMs });
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  #tell(info: Parameters<NonNullable<StreamOpts["onRecovered"]>>[0]): void {
    const { errorType, retriable, fallback, recover, retryAfterMs, attempt, maxAttempts } = info;
    this.#opts.onRecovered?.({
      errorType,
      retriable,
      fallback,
      recover,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(attempt === undefined ? {} : { attempt }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    });
  }

  #asModelError(error: unknown, api: ApiMode): unknown {
    const { baseURL, apiKey } = this.#host.settings;
    if (error instanceof Refused) {
      const place = error.verdict.errorType === "endpoint_unsupported" ? `${baseURL}${PATHS[api]}` : "";
      return withMaskedKey(modelErrorOf(error.verdict, place), apiKey);
    }
    return isModelError(error) ? withMaskedKey(error, apiKey) : error;
  }
}

function withMaskedKey(error: ModelError, key: string | undefined): ModelError {
  const message = maskKeys(error.message, key);
  if (message === error.message) return error;
  const { errorType, retriable, retryAfterMs, status, detail } = error;
  return new ModelError(errorType, message, {
    retriable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === undefined ? {} : { status }),
    ...(detail === undefined ? {} : { detail: maskKeys(detail, key) }),
  });
}

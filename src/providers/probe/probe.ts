/** Asks an endpoint a few tiny questions and reports what it can do, each answer with its evidence. */

import type { ToolSchema } from "../../shared/contracts";
import { type Environment, NETWORK_RETRY_BASE_MS } from "../../shared/env";
import type { Message, TokenUsage } from "../../shared/messages";
import { resolveModel } from "../../shared/models";
import { maskKeys } from "../classify";
import type { KnownEndpoints } from "../endpointMemory";
import type { ApiMode } from "../modelCall";
import { type ListedModel, OpenAIProvider } from "../OpenAIProvider";
import type { ObservedAnswer } from "../observing";
import type { OpenAIProviderOptions } from "../providerSettings";
import { type Answer, ask, failureOf, isOutOfReach } from "./ask";
import { answered, GREETING, MADE_UP, ODD_TOOLS, PICTURE, TOOLS, TWO_FILES } from "./questions";
import { type Trait, TraitList } from "./TraitList";
import { traitsOf } from "./traits";

export interface ProbeOptions extends Omit<OpenAIProviderOptions, "apiMode" | "observe" | "maxTokens" | "temperature"> {
  model: string;
  signal?: AbortSignal | undefined;
}

export type ProbeName =
  | "models"
  | "responses"
  | "chat"
  | "streaming"
  | "tools"
  | "parallel"
  | "images"
  | "reasoning"
  | "usage";

/** `unclear`: what was asked could not be judged; the evidence says why. */
export interface ProbeFinding {
  name: ProbeName;
  answer: "yes" | "no" | "unclear";
  evidence: string;
}

export interface ProbeReport {
  baseURL: string;
  model: string;
  findings: ProbeFinding[];
  /** Ways of its own (docs/endpoints.md), all of which the provider minds by itself. */
  traits: Trait[];
  /** Settings of `config.json` that fit; empty where the defaults do. */
  settings: { apiMode?: ApiMode; contextWindow?: number };
  /** What the provider learnt on the way: `knownEndpoints` of a later one. */
  learned: KnownEndpoints;
  /** What it has cost. */
  requests: number;
  usage: TokenUsage;
}

/** What a probe costs at most, refusals that are asked again left aside: tell it before you ask. */
export const PROBE_COST = { requests: 6, tokens: 4_000 } as const;

const OUTPUT_TOKENS = 512;

/** Never throws for what the endpoint does; `onFinding` is told each answer as soon as it is known. */
export async function probeEndpoint(
  options: ProbeOptions,
  onFinding: (finding: ProbeFinding) => void = () => {},
): Promise<ProbeReport> {
  const probe = new Probe(options, onFinding);
  await probe.all();
  return probe.report;
}

class Probe {
  readonly #options: ProbeOptions;
  readonly #onFinding: (finding: ProbeFinding) => void;
  readonly #providers: Record<ApiMode, OpenAIProvider>;
  readonly #findings: ProbeFinding[] = [];
  readonly #traits = new TraitList();
  readonly #answers: Answer[] = [];
  readonly #seen: ObservedAnswer[] = [];
  #listed: ListedModel | undefined;
  #settings: ProbeReport["settings"] = {};

  constructor(options: ProbeOptions, onFinding: (finding: ProbeFinding) => void) {
    this.#options = options;
    this.#onFinding = onFinding;
    this.#providers = { responses: this.#providerOf("responses"), chat: this.#providerOf("chat") };
  }

  async all(): Promise<void> {
    const responses = await this.#api("responses");
    const chat = await this.#api("chat");
    const api = responses.error && !chat.error ? "chat" : "responses";
    const failure = responses.error && chat.error ? chat.error : undefined;
    await this.#calls(api, failure && failureOf(failure));
    await this.#picture(api, failure && failureOf(failure));
    await this.#models();
    if (!failure) this.#choose(responses, chat);
    this.#fromAll();
  }

  get report(): ProbeReport {
    const { model } = this.#options;
    const learned = { ...this.#providers.responses.learned, ...this.#providers.chat.learned };
    return {
      baseURL: this.#providers.chat.baseURL,
      model,
      findings: this.#findings,
      traits: this.#traits.traits,
      settings: this.#settings,
      learned,
      requests: this.#seen.filter(({ request }) => request !== "").length,
      usage: sum(this.#answers.map(({ usage }) => usage)),
    };
  }

  #providerOf(apiMode: ApiMode): OpenAIProvider {
    const env: Environment = this.#options.env ?? process.env;
    return new OpenAIProvider({
      ...this.#options,
      apiMode,
      maxTokens: OUTPUT_TOKENS,
      // A probe tells what is refused instead of waiting for it to pass.
      env: { NETWORK_RETRY_BASE_MS: String(NETWORK_RETRY_BASE_MS), ...env, OPENAI_MAX_RETRIES: "0" },
      observe: (answer) => this.#observe(answer),
    });
  }

  #observe(answer: ObservedAnswer): void {
    this.#seen.push(answer);
    if (answer.request === "") return;
    for (const { kind, evidence } of traitsOf(answer)) this.#traits.tell(kind, this.#masked(evidence));
  }

  /** Endpoints like to repeat the key that they refuse. */
  #masked(text: string): string {
    const { apiKey, env = process.env } = this.#options;
    return maskKeys(text, apiKey ?? env["OPENAI_API_KEY"]);
  }

  #find(name: ProbeName, answer: ProbeFinding["answer"], evidence: string): void {
    const finding = { name, answer, evidence: this.#masked(evidence).replace(/\s+/g, " ").trim().slice(0, 200) };
    this.#findings.push(finding);
    this.#onFinding(finding);
  }

  async #models(): Promise<void> {
    const { model, signal } = this.#options;
    try {
      const list = await this.#providers.chat.models(signal);
      this.#listed = list.find(({ id }) => id === model);
      const status = this.#seen.at(-1)?.status;
      if (list.length === 0) this.#find("models", "no", `GET /models: ${status ?? "no"} answer without a list`);
      else this.#find("models", "yes", `${list.length} listed${this.#listed ? `, ${model} among them` : ""}`);
    } catch (error) {
      this.#find("models", "unclear", failureOf(error));
    }
  }

  async #api(api: ApiMode): Promise<Answer> {
    const answer = await this.#ask(api, GREETING, []);
    if (!answer.error) this.#find(api, "yes", answer.text ? `it answered "${answer.text.trim()}"` : "it answered");
    else this.#find(api, isOutOfReach(answer.error) ? "unclear" : "no", failureOf(answer.error));
    return answer;
  }

  /** Both calls in one reply, then their results with a tool whose schema is not the plainest: what a turn may need. */
  async #calls(api: ApiMode, failure: string | undefined): Promise<void> {
    const answer = failure === undefined ? await this.#ask(api, TWO_FILES, TOOLS, 0) : undefined;
    const { calls = [], error, text = "" } = answer ?? {};
    const asked = calls.map(({ function: { name, arguments: args } }) => `${name}(${args})`).join(", ");
    if (!answer || error) {
      const words = failure ?? failureOf(error);
      this.#find("tools", error && !isOutOfReach(error) ? "no" : "unclear", words);
      return this.#find("parallel", "unclear", words);
    }
    this.#find("tools", calls.length > 0 ? "yes" : "no", asked || `it answered in text: ${text}`);
    this.#find("parallel", calls.length > 1 ? "yes" : "no", `${calls.length} in one reply`);
    const isWhole = calls.length > 0 && answer.finish !== "length";
    await this.#ask(api, isWhole ? answered(answer) : MADE_UP, ODD_TOOLS);
  }

  async #picture(api: ApiMode, failure: string | undefined): Promise<void> {
    if (failure !== undefined) return this.#find("images", "unclear", failure);
    const { error, text, recovered } = await this.#ask(api, PICTURE, []);
    const refusal = recovered.find(({ errorType }) => errorType === "capability");
    if (refusal) this.#find("images", "no", this.#lastRefusal() ?? refusal.recover);
    else if (error) this.#find("images", isOutOfReach(error) ? "unclear" : "no", failureOf(error));
    else if (/\bred\b|红|紅|赤|빨|rojo/i.test(text))
      this.#find("images", "yes", `it saw "${text.trim()}" in a red square`);
    else this.#find("images", "unclear", `of a red square it said "${text.trim()}"`);
  }

  /** What every answer shows by the way. */
  #fromAll(): void {
    const posts = this.#seen.filter(({ request, status }) => request !== "" && status > 0 && status < 400);
    const streamed = posts.filter(
      ({ text }) => /^\s*(:|data:|event:|id:|retry:)/m.test(text) && !/^\s*[{[<]/.test(text),
    );
    if (posts.length === 0) this.#find("streaming", "unclear", "no answer came");
    else
      this.#find(
        "streaming",
        streamed.length > 0 ? "yes" : "no",
        `${streamed.length} of ${posts.length} answers came as events`,
      );
    const thought = this.#answers.find(
      ({ reasoning, details, usage }) => reasoning || details.length || usage?.reasoning,
    );
    if (thought)
      this.#find("reasoning", "yes", thought.reasoning ? `"${thought.reasoning}"` : "it was counted or sealed");
    else this.#find("reasoning", posts.length > 0 ? "no" : "unclear", "no thinking was sent or counted");
    const usage = this.#answers.find((answer) => answer.usage && !answer.usage.estimated)?.usage;
    if (usage) this.#find("usage", "yes", `${usage.input} in, ${usage.output} out`);
    else this.#find("usage", posts.length > 0 ? "no" : "unclear", "no figures came: they are estimated");
  }

  #choose(responses: Answer, chat: Answer): void {
    if (responses.error && !isOutOfReach(responses.error)) this.#settings.apiMode = "chat";
    else if (chat.error && !isOutOfReach(chat.error)) this.#settings.apiMode = "responses";
    const { model } = this.#options;
    if (!this.#listed) return;
    const listed = resolveModel(model, { listed: this.#listed, env: {} }).contextWindow;
    if (listed !== resolveModel(model).contextWindow) this.#settings.contextWindow = listed;
  }

  #lastRefusal(): string | undefined {
    const last = this.#seen.filter(({ status }) => status >= 400).at(-1);
    return last && `${last.status} ${last.text}`;
  }

  async #ask(api: ApiMode, messages: Message[], tools: ToolSchema[], temperature?: number): Promise<Answer> {
    const { model, signal } = this.#options;
    const more = { ...(temperature === undefined ? {} : { temperature }), ...(signal ? { signal } : {}) };
    const answer = await ask(this.#providers[api], { model, messages, tools, ...more });
    this.#answers.push(answer);
    return answer;
  }
}

function sum(all: (TokenUsage | null)[]): TokenUsage {
  const total = { input: 0, output: 0 };
  for (const usage of all) {
    total.input += usage?.input ?? 0;
    total.output += usage?.output ?? 0;
  }
  return total;
}

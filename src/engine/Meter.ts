/** How full the context is: counted by what the endpoint reports, estimated for what came after. */

import type { ProviderClient, ToolSchema } from "../shared/contracts";
import type { TokenUsage } from "../shared/messages";
import { type ModelInfo, resolveModel } from "../shared/models";
import { estimateMessage, estimateMessages, estimatePart, estimateTools } from "./estimator";
import type { History } from "./History";

/** Tokens at which something happens. */
export interface Thresholds {
  contextWindow: number;
  /** Compaction by a summary. */
  hard: number;
  /** Old tool results are left out. */
  soft: number;
  /** What a prompt may have at most. */
  usable: number;
}

export interface MeterOptions {
  contextWindow?: number;
  /** Shares of the context window (guide 14.1). */
  thresholdPct?: number;
  softThresholdPct?: number;
  /** Tokens; null for none. */
  capTokens?: number | null;
  askContextWindow?: boolean;
  /** It may know what the endpoint itself says. */
  provider?: Pick<ProviderClient, "contextWindow" | "learnContextWindow">;
}

export const DEFAULT_THRESHOLD_PCT = 0.8;
/** The soft threshold as a share of the hard one. */
const SOFT_SHARE = 0.75;
/** The answer may be longer than a flat reserve would leave on a small window. */
const LARGEST_RESERVE = 32_000;
const RESERVE_SHARE = 0.25;
/** Left free below what is usable. */
const MARGIN = 2_000;
/** A report of less than this share of the estimate is no count of the prompt. */
const LEAST_PLAUSIBLE = 0.2;
/** Weight of the newest reply in the factor between report and estimate. */
const NEWEST = 0.3;

interface Anchor {
  model: string;
  epoch: number;
  length: number;
  tokens: number;
}

export class Meter {
  private anchor: Anchor | null = null;
  private readonly factors = new Map<string, number>();
  private readonly learned = new Map<string, number>();
  /** Models that have answered, and those whose window was asked for. */
  private readonly replied = new Set<string>();
  private readonly asked = new Set<string>();
  /** The longest prompt that the endpoint has taken. */
  private readonly accepted = new Map<string, number>();
  private readonly history: History;
  private readonly options: MeterOptions;
  private readonly modelId: () => string;

  constructor(history: History, options: MeterOptions, modelId: () => string) {
    this.history = history;
    this.options = options;
    this.modelId = modelId;
  }

  get model(): ModelInfo {
    const { stated } = this;
    return resolveModel(this.modelId(), stated === undefined ? {} : { listed: { context_window: stated } });
  }

  /** The window that the endpoint itself names. */
  private get stated(): number | undefined {
    return quietly(() => this.options.provider?.contextWindow?.(this.modelId()));
  }

  /**
   * Lets the provider find out the window where the host has not named it: once a model, and beside its second request
   * at the earliest, so that no answer waits for it and a single question costs nothing.
   */
  askOnce(): void {
    const id = this.modelId();
    if (!this.replied.has(id) || this.asked.has(id)) return;
    this.asked.add(id);
    void this.ask();
  }

  /** Lets the provider find the window out now, where the host allows it and has not named it. Never rejects. */
  async ask(): Promise<void> {
    if (this.isWindowNamed || this.options.askContextWindow !== true) return;
    const question = quietly(() => this.options.provider?.learnContextWindow?.(this.modelId()));
    await Promise.resolve(question).catch(() => undefined);
  }

  /** Tokens; a window learned from the endpoint's refusals wins over the table, and the host's word over both. */
  get contextWindow(): number {
    const learned = this.learned.get(this.modelId());
    const stated = this.options.contextWindow ?? this.model.contextWindow;
    return learned === undefined ? stated : Math.min(learned, stated);
  }

  /** Whether the window is a guess. */
  get isWindowAssumed(): boolean {
    return !this.isWindowNamed && this.model.assumed && !this.learned.has(this.modelId());
  }

  /** Whether the endpoint decides how large the window is: nothing that the host sets here makes it larger. */
  get isWindowStated(): boolean {
    const learned = this.learned.get(this.modelId());
    if (learned !== undefined && learned <= this.contextWindow) return true;
    return !this.isWindowNamed && (this.stated ?? 0) > 0;
  }

  private get isWindowNamed(): boolean {
    return typeof this.options.contextWindow === "number";
  }

  get thresholdPct(): number {
    return this.options.thresholdPct ?? DEFAULT_THRESHOLD_PCT;
  }

  thresholds(): Thresholds {
    const { contextWindow, thresholdPct } = this;
    const usable = this.usable(contextWindow);
    const caps = [thresholdPct * contextWindow, this.options.capTokens ?? Infinity, usable - MARGIN];
    // On a tiny window the margin must not eat the threshold.
    const hard = Math.max(Math.min(...caps), Math.min(usable / 2, this.options.capTokens ?? Infinity));
    const softPct = Math.min(this.options.softThresholdPct ?? SOFT_SHARE * thresholdPct, thresholdPct);
    return { contextWindow, usable, hard: Math.floor(hard), soft: Math.floor((hard * softPct) / thresholdPct) };
  }

  private usable(contextWindow: number): number {
    const { maxInput, maxOutput } = this.model;
    const reserve = Math.min(maxOutput, LARGEST_RESERVE, contextWindow * RESERVE_SHARE);
    return Math.min(maxInput ?? Infinity, contextWindow - reserve);
  }

  /** Tokens of the history with the tools, as the next request will carry them. */
  count(tools: readonly ToolSchema[]): { tokens: number; estimated: boolean } {
    const { anchor, history } = this;
    if (anchor && anchor.epoch === history.epoch && anchor.model === this.modelId()) {
      const since = estimateMessages(history.all, anchor.length) * this.factor;
      return { tokens: Math.round(anchor.tokens + since), estimated: history.length > anchor.length };
    }
    return { tokens: Math.round(this.rawEstimate(tools) * this.factor), estimated: true };
  }

  /** The estimate without correction, of the whole history and the tools. */
  rawEstimate(tools: readonly ToolSchema[]): number {
    const media = this.history.mediaParts.reduce((sum, part) => sum + estimatePart(part), 0);
    return estimateMessages(this.history.all) + estimateTools(tools) + media;
  }

  /** What a reply cost where the endpoint does not say; the reply is the last message. */
  estimateUsage(sent: number): TokenUsage {
    const reply = this.history.all.at(-1);
    const output = reply ? estimateMessage(reply) : 0;
    return { input: Math.round(sent * this.factor), output: Math.round(output * this.factor), estimated: true };
  }

  get factor(): number {
    return this.factors.get(this.modelId()) ?? 1;
  }

  /**
   * Takes note of a reply that is in the history already. `sent` is the raw estimate of its request. Returns the
   * tokens that the endpoint reported for the request, or null when it reported nothing that can be believed.
   */
  noteReply(usage: TokenUsage | null, sent: number): number | null {
    this.replied.add(this.modelId());
    if (!usage || usage.estimated || !isCount(usage.input) || !isCount(usage.output)) return null;
    if (usage.input < sent * LEAST_PLAUSIBLE) return null;
    const ratio = Math.min(2, Math.max(0.5, usage.input / Math.max(1, sent)));
    const before = this.factors.get(this.modelId());
    this.factors.set(this.modelId(), before === undefined ? ratio : before * (1 - NEWEST) + ratio * NEWEST);
    this.accepted.set(this.modelId(), Math.max(usage.input, this.accepted.get(this.modelId()) ?? 0));
    const { epoch, length } = this.history;
    this.anchor = { model: this.modelId(), epoch, length, tokens: usage.input + usage.output };
    return usage.input;
  }

  /** Takes a window from the endpoint's own words for the rest of the session, unless it has shown a larger one. */
  learnWindow(tokens: number): void {
    if (tokens > (this.accepted.get(this.modelId()) ?? 0)) this.learned.set(this.modelId(), tokens);
  }
}

/** A provider of the host's own is held to nothing. */
function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

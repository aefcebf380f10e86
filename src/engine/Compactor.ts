/** Makes room in the context by a summary, takes it back on request, and stops itself when it cannot help. */

import type { PermissionEngine } from "../permissions/PermissionEngine";
import type { ProviderClient, ToolSchema } from "../shared/contracts";
import { messageOf } from "../shared/errors";
import { type EventData, EventType, event, type WsEvent } from "../shared/events";
import type { Message } from "../shared/messages";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { buildCompacted, type CompactionPlan, conversationTokens, planCompaction } from "./compaction";
import { estimateMessage, estimateTools } from "./estimator";
import type { History } from "./History";
import type { Interrupt } from "./interrupt";
import type { Meter } from "./Meter";
import { keepFacts, stateLines } from "./sessionFacts";
import { type Summary, summarise } from "./summary";

export type Trigger = EventData["compacting"]["trigger"];

/** What a compaction did (guide 14.2). */
export type CompactionOutcome = EventData["compacted"];

export interface CompactorParts {
  provider: ProviderClient;
  registry: ToolRegistry;
  permissions: PermissionEngine;
  history: History;
  meter: Meter;
  /** The session's model now. */
  modelId(): string;
  instruction: string;
  sessionId?: string;
  /** Told when the history is another one: what the model was told before is gone. */
  compacted(): void;
}

/** Whose turn it is, and how to stop. */
export interface Occasion {
  taskId: string;
  iteration: number;
  interrupt: Interrupt;
}

export interface CompactionRequest extends Occasion {
  trigger: Trigger;
  focus?: string;
  /** Share of the usual tail that is kept; a half after a second overflow. */
  tailShare?: number;
}

interface NextHistory {
  messages: Message[];
  method: CompactionOutcome["method"];
}

interface Made {
  plan: CompactionPlan;
  summary: Summary;
  request: CompactionRequest;
  tokensBefore: number;
}

const PREVIEW_CHARS = 500;

/** Of the conversation, and of the hard threshold: what stays as it is (guide 14.1). */
const TAIL_SHARE = 0.25;
const PROMPT_TOKENS = 8_000;
/** On a small window the quoted prompts must not fill it. */
const PROMPT_SHARE = 0.2;
/** The new conversation must be at most this share of the old one for a summary to be worth it. */
const WORTH_IT = 0.7;
/** A compaction that frees less than this has not helped. */
const LEAST_GAIN = 0.1;

export class Compactor {
  private undo: { before: Message[]; length: number } | null = null;
  private done = 0;
  private last: { method: string; tokensBefore: number } | null = null;

  private readonly parts: CompactorParts;

  constructor(parts: CompactorParts) {
    this.parts = parts;
  }

  /** For `engine.compactionState`. */
  get state(): { compactions: number; lastMethod: string | null; canUndo: boolean } {
    return { compactions: this.done, lastMethod: this.last?.method ?? null, canUndo: this.undo !== null };
  }

  /** Tokens before the newest compaction. */
  get tokensBefore(): number | null {
    return this.last?.tokensBefore ?? null;
  }

  /** Tokens that no compaction can free: system prompt, tools. */
  fixedTokens(tools: readonly ToolSchema[]): number {
    const system = this.parts.history.systemPrompt;
    return ((system ? estimateMessage(system) : 0) + estimateTools(tools)) * this.parts.meter.factor;
  }

  /** Returns null, and leaves the history as it is, when there is nothing to gain. Throws what the model call throws. */
  async *compact(request: CompactionRequest): AsyncGenerator<WsEvent, CompactionOutcome | null> {
    const { history, registry } = this.parts;
    const plan = planCompaction(history.all, this.budgets(request.tailShare ?? 1));
    if (!plan) return null;
    const tools = registry.schemas();
    yield this.compacting(request, tools);
    let summary: Summary;
    try {
      summary = yield* this.summaryOf(plan, request, tools);
    } catch (error) {
      yield event(EventType.COMPACTED, this.unchanged(request, messageOf(error)));
      throw error;
    }
    const next = await this.nextHistory(plan, summary);
    if (next === null) {
      yield event(EventType.COMPACTED, this.unchanged(request, "nothing could be left out"));
      return null;
    }
    const outcome = this.take(next, { plan, summary, request, tokensBefore: this.parts.meter.count(tools).tokens });
    yield event(EventType.COMPACTED, outcome);
    return outcome;
  }

  /** Makes the new history the history. */
  private take(next: NextHistory, made: Made): CompactionOutcome {
    const { history } = this.parts;
    const { plan, summary, request } = made;
    const messagesBefore = history.length;
    this.undo = { before: history.all, length: next.messages.length };
    this.done += 1;
    this.last = { method: next.method, tokensBefore: made.tokensBefore };
    history.replace(next.messages);
    this.parts.compacted();
    return {
      reqId: `compact-${this.done}`,
      taskId: request.taskId,
      method: next.method,
      messagesBefore,
      messagesAfter: history.length,
      boundaryIndex: plan.boundary,
      model: summary.model,
      summaryPreview: ("text" in summary ? summary.text.trim() : summary.fault).slice(0, PREVIEW_CHARS),
      keptUserMessages: plan.prompts.length,
      droppedUserMessages: plan.droppedPrompts,
      ...(summary.usage && { usage: summary.usage }),
    };
  }

  /** Every `compacting` is followed by a `compacted`, also when nothing came of it. */
  private unchanged({ taskId }: CompactionRequest, why: string): CompactionOutcome {
    const { length } = this.parts.history;
    return {
      reqId: `compact-${this.done}`,
      taskId,
      method: "trimmed",
      messagesBefore: length,
      messagesAfter: length,
      summaryPreview: why.slice(0, PREVIEW_CHARS),
    };
  }

  /** Puts back the history before the newest compaction, with what came since behind it. */
  uncompact(): boolean {
    if (!this.undo) return false;
    const { history } = this.parts;
    const since = history.all.slice(this.undo.length);
    const system = history.systemPrompt;
    const before = system ? [system, ...this.undo.before.slice(1)] : this.undo.before;
    this.undo = null;
    history.replace([...before, ...since]);
    return true;
  }

  /** A history that was cut has no compaction to take back. */
  forgetUndo(): void {
    this.undo = null;
  }

  private budgets(tailShare: number): { tail: number; prompts: number } {
    const { hard } = this.parts.meter.thresholds();
    const conversation = conversationTokens(this.parts.history.all);
    return {
      tail: Math.min(conversation, hard) * TAIL_SHARE * tailShare,
      prompts: Math.min(PROMPT_TOKENS, hard * PROMPT_SHARE),
    };
  }

  private compacting({ trigger, taskId }: CompactionRequest, tools: readonly ToolSchema[]): WsEvent {
    const { meter, history } = this.parts;
    const { hard, contextWindow } = meter.thresholds();
    return event(EventType.COMPACTING, {
      taskId,
      trigger,
      ...meter.count(tools),
      contextWindow,
      thresholdPct: meter.thresholdPct,
      thresholdTokens: hard,
      outboundMessages: history.length,
    });
  }

  private async *summaryOf(
    plan: CompactionPlan,
    request: CompactionRequest,
    tools: ToolSchema[],
  ): AsyncGenerator<WsEvent, Summary> {
    const { history, provider, modelId, instruction, sessionId } = this.parts;
    const focus = request.focus?.trim();
    return yield* summarise({
      provider,
      model: modelId(),
      messages: history.outbound(plan.boundary),
      tools,
      instruction: focus ? `${instruction}\n\nPay special attention to: ${focus}` : instruction,
      interrupt: request.interrupt,
      taskId: request.taskId,
      iteration: request.iteration,
      ...(sessionId && { sessionId }),
    });
  }

  /** With the summary where it is worth it, else without one; null when not even that frees anything. */
  private async nextHistory(plan: CompactionPlan, summary: Summary): Promise<NextHistory | null> {
    const { history, registry, permissions } = this.parts;
    const system = history.systemPrompt ?? { role: "system", content: "" };
    const facts = { kept: keepFacts(plan, registry), stateLines: await stateLines(permissions, registry) };
    const before = conversationTokens(history.all);
    if ("text" in summary) {
      const messages = buildCompacted(system, { plan, summary: summary.text, ...facts });
      if (conversationTokens(messages) <= before * WORTH_IT) return { messages, method: "summarized" };
    }
    const messages = buildCompacted(system, { plan, summary: null, ...facts });
    return conversationTokens(messages) <= before * (1 - LEAST_GAIN) ? { messages, method: "trimmed" } : null;
  }
}

/** Keeps the conversation within the model's window: weighs it before each request and makes room in time (guide 14). */

import type { ToolSchema } from "../shared/contracts";
import { isModelError, ModelError } from "../shared/errors";
import type { WsEvent } from "../shared/events";
import type { TokenUsage } from "../shared/messages";
import type { CompactionOutcome, Compactor, Occasion, Trigger } from "./Compactor";
import type { Elider } from "./Elider";
import type { Interrupt } from "./interrupt";
import type { Meter } from "./Meter";
import { windowNamedIn } from "./overflow";

/** For `engine.compactionState` (guide 6.3): what a host may show; nothing in it can be set. */
export interface CompactionState {
  tokens: number;
  /** Whether `tokens` is an estimate, at least in part. */
  estimated: boolean;
  contextWindow: number;
  /** Whether the window is a guess. */
  windowAssumed: boolean;
  thresholdTokens: number;
  softThresholdTokens: number;
  compactions: number;
  lastMethod: string | null;
  canUndo: boolean;
  /** Why automatic compaction is off for the rest of the turn; null: it is on. */
  stopped: string | null;
}

/** The fixed part may take this share of the window; beyond it no compaction can help. */
const LARGEST_FIXED = 0.6;
/** After a compaction the next request must be smaller than this share of the one before. */
const HELPED = 0.9;
const MOST_OVERFLOWS = 2;
/** Two without an answer between them are enough. */
const MOST_IN_A_ROW = 2;

interface ManualRequest {
  focus: string | undefined;
  done(outcome: CompactionOutcome | null): void;
  failed(error: unknown): void;
}

export class Context {
  private stopped: string | null = null;
  private inARow = 0;
  private isUnproven = false;
  private overflows = 0;
  private output = 0;
  private manual: ManualRequest | null = null;

  readonly meter: Meter;
  readonly compactor: Compactor;
  private readonly elider: Elider;

  constructor({ meter, compactor, elider }: { meter: Meter; compactor: Compactor; elider: Elider }) {
    this.meter = meter;
    this.compactor = compactor;
    this.elider = elider;
  }

  state(tools: readonly ToolSchema[]): CompactionState {
    const { meter, compactor, stopped } = this;
    const { hard, soft, contextWindow } = meter.thresholds();
    return {
      ...meter.count(tools),
      contextWindow,
      windowAssumed: meter.isWindowAssumed,
      thresholdTokens: hard,
      softThresholdTokens: soft,
      ...compactor.state,
      stopped,
    };
  }

  /** A message of the person's: what stopped compaction before may be gone. */
  startTurn(): void {
    this.stopped = null;
    this.inARow = 0;
    this.isUnproven = false;
    this.overflows = 0;
  }

  /** A turn that ended does no more compactions. */
  endTurn(): void {
    this.manual?.done(null);
    this.manual = null;
  }

  /** Tokens of the newest reply, as reported or estimated. */
  get lastOutput(): number {
    return this.output;
  }

  /** Asks for a compaction at the end of the iteration that runs. */
  requestManual(focus: string | undefined): Promise<CompactionOutcome | null> {
    return new Promise((done, failed) => {
      this.manual?.done(null);
      this.manual = { focus, done, failed };
    });
  }

  /** Makes room before a request where that is due. */
  async *makeRoom(occasion: Occasion, tools: readonly ToolSchema[]): AsyncGenerator<WsEvent> {
    const { hard, soft, usable } = this.meter.thresholds();
    if (this.meter.count(tools).tokens >= soft) await this.elider.elide(tools);
    const { tokens } = this.meter.count(tools);
    if (tokens < hard) return;
    await this.refuseHopeless(tools, occasion.interrupt);
    if (tokens < this.meter.thresholds().hard) return;
    if (yield* this.compact(occasion, "threshold")) return;
    if (tokens >= usable) throw this.cannotHelp(this.stopped ?? "nothing more can be left out");
  }

  /** After the endpoint refused a request as too long: true when a smaller one can be sent. */
  async *afterOverflow(
    occasion: Occasion,
    error: ModelError,
    tools: readonly ToolSchema[],
  ): AsyncGenerator<WsEvent, boolean> {
    this.overflows += 1;
    this.learnFrom(error, tools);
    if (this.overflows > MOST_OVERFLOWS) return false;
    await this.refuseHopeless(tools, occasion.interrupt);
    return yield* this.compact(occasion, "overflow", this.overflows === 1 ? 1 : 0.5);
  }

  /**
   * A reply is in the history. `sent` is the raw estimate of its request. Returns what it cost: as reported, or
   * estimated where nothing was.
   */
  noteReply(usage: TokenUsage | null, sent: number): TokenUsage {
    this.inARow = 0;
    const reported = this.meter.noteReply(usage, sent);
    this.judgeCompaction(reported);
    const spent = usage ?? this.meter.estimateUsage(sent);
    this.output = spent.output;
    return spent;
  }

  /** The first report after a compaction tells whether it helped; an estimate would only repeat our own mistake. */
  private judgeCompaction(reported: number | null): void {
    const before = this.compactor.tokensBefore;
    if (!this.isUnproven || reported === null || before === null) return;
    this.isUnproven = false;
    const isFull = reported > before * HELPED || reported >= this.meter.thresholds().hard;
    if (isFull) this.stopped = "the endpoint reports a full context right after a compaction";
  }

  /** A compaction that belongs to no turn; `tell` hears its events. */
  async compactNow(
    interrupt: Interrupt,
    tell: (event: WsEvent) => void,
    focus = "",
  ): Promise<CompactionOutcome | null> {
    const course = this.compactor.compact({ taskId: "compact", iteration: 0, interrupt, trigger: "manual", focus });
    for (let step = await course.next(); ; step = await course.next()) {
      if (step.done) return step.value;
      tell(step.value);
    }
  }

  /** Does the compaction that was asked for while the turn ran. */
  async *runManual(occasion: Occasion): AsyncGenerator<WsEvent> {
    const request = this.manual;
    if (!request) return;
    this.manual = null;
    const { focus } = request;
    try {
      request.done(yield* this.compactor.compact({ ...occasion, trigger: "manual", ...(focus && { focus }) }));
    } catch (error) {
      if (!isModelError(error)) throw error;
      request.failed(error);
    } finally {
      request.done(null); // a reader that left; no effect when the answer was given
    }
  }

  /** One automatic compaction; what cannot help is not tried again in this turn. */
  private async *compact(occasion: Occasion, trigger: Trigger, tailShare = 1): AsyncGenerator<WsEvent, boolean> {
    if (this.stopped !== null) return false;
    if (this.inARow >= MOST_IN_A_ROW) {
      this.stopped = "two compactions in a row brought no answer";
      return false;
    }
    this.inARow += 1;
    try {
      const outcome = yield* this.compactor.compact({ ...occasion, trigger, tailShare });
      if (outcome === null) this.stopped = "nothing more can be left out";
      else this.isUnproven = true;
      return outcome !== null;
    } catch (error) {
      if (!isModelError(error)) throw error;
      this.stopped = `the summary failed: ${error.message}`;
      return false;
    }
  }

  private learnFrom(error: ModelError, tools: readonly ToolSchema[]): void {
    const named = windowNamedIn(error.message);
    const { contextWindow } = this.meter;
    if (named !== null) this.meter.learnWindow(named);
    else if (this.meter.isWindowAssumed) {
      this.meter.learnWindow(Math.min(contextWindow, Math.round(this.meter.count(tools).tokens * HELPED)));
    }
  }

  private async refuseHopeless(tools: readonly ToolSchema[], interrupt: Interrupt): Promise<void> {
    const fixed = this.compactor.fixedTokens(tools);
    if (fixed <= LARGEST_FIXED * this.meter.contextWindow) return;
    // Its server may have loaded the model with more since it was asked.
    await interrupt.race(this.meter.ask());
    const { contextWindow } = this.meter;
    const share = fixed / contextWindow;
    if (share <= LARGEST_FIXED) return;
    throw failure(
      `The system prompt and tools alone take ${Math.round(share * 100)}% of this model's window (${Math.round(fixed)} of ${contextWindow} tokens). ` +
        `Use a larger model, fewer MCP tools, or ${this.largerWindow}.`,
    );
  }

  private cannotHelp(why: string): ModelError {
    return failure(
      `The conversation no longer fits this model's window (${this.meter.contextWindow} tokens), and compaction cannot help: ${why}. Use a larger model, ${this.largerWindow}, or start a new session.`,
    );
  }

  /** How the window gets larger: in one's own settings, or where the endpoint decided it. */
  private get largerWindow(): string {
    return this.meter.isWindowStated
      ? "give the model more context on its server where that is yours (its context-length setting; where it has more than it says: raise contextWindow)"
      : "raise contextWindow";
  }
}

function failure(message: string): ModelError {
  return new ModelError("compaction_failed", message, { retriable: true });
}

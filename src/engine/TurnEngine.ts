/** The runtime of one session (guide 5): holds the history and runs one turn at a time. */

import { randomUUID } from "node:crypto";
import type { PermissionEngine } from "../permissions/PermissionEngine";
import type { Approver, PermissionRequest } from "../shared/contracts";
import { DEFAULT_MAX_ITERATIONS } from "../shared/env";
import { ZqError } from "../shared/errors";
import type { WsEvent } from "../shared/events";
import { DEFAULT_LANG, type Lang } from "../shared/lang";
import type { Message, MessageAttachment, StoredAttachment } from "../shared/messages";
import { getPrompts } from "../shared/prompts";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { normalizeAttachments } from "./attachments";
import type { CompactionOutcome } from "./Compactor";
import type { CompactionState, Context } from "./Context";
import type { Failure, Opening, TurnParts } from "./course";
import { createContext } from "./createContext";
import { EngineBusy } from "./EngineBusy";
import { History } from "./History";
import { HookRelay } from "./HookRelay";
import { Interrupt, Interrupted } from "./interrupt";
import { checkOptions, givenMessages, type TurnEngineOpts } from "./options";
import { pendingApprovals } from "./pendingApprovals";
import { Reminders } from "./Reminders";
import { resolveToolResultDir } from "./resultDir";
import { type QueuedText, Steering } from "./Steering";
import { generateSessionName } from "./sessionNaming";
import { turn } from "./turn";
import { buildPrompt } from "./userMessages";

export class TurnEngine {
  /** The model of the next turn (guide 6.3). */
  model: string;
  /** Language of session names and summaries. */
  readonly lang: Lang;
  readonly registry: ToolRegistry;
  readonly permissions: PermissionEngine;
  /** Where long tool results are kept. */
  readonly toolResultDir: string;
  private readonly opts: TurnEngineOpts;
  private readonly hook: HookRelay;
  private readonly history: History;
  private readonly steering = new Steering();
  private readonly context: Context;
  private readonly reminders: Reminders;
  /** While a turn runs: a switch of the model counts from the next one on. */
  private modelInUse: string | null = null;
  private approve: Approver | null;
  private current: Interrupt | null = null;
  private failure: Failure | null = null;

  /** @throws ZqError `invalid_option` that names the option */
  constructor(opts: TurnEngineOpts) {
    checkOptions(opts);
    this.opts = opts;
    this.model = opts.model;
    this.lang = opts.lang ?? DEFAULT_LANG;
    this.registry = opts.registry;
    this.permissions = opts.permissions;
    this.approve = opts.approver ?? null;
    this.toolResultDir = opts.toolResultDir ?? resolveToolResultDir();
    this.permissions.roots.allowReading(this.toolResultDir);
    this.hook = new HookRelay(opts.hook);
    const given = givenMessages(opts);
    this.history = new History(given, opts.instructions, this.hook);
    if (opts.seen) this.history.seen = opts.seen;
    this.reminders = new Reminders(given, opts.environment);
    this.context = createContext({
      opts,
      history: this.history,
      lang: this.lang,
      toolResultDir: this.toolResultDir,
      modelId: () => this.modelInUse ?? this.model,
      compacted: () => this.reminders.forget(),
    });
  }

  /** The whole history, system prompt first, notices of the engine included (guide 6.3). Not to be changed. */
  get messages(): Message[] {
    return this.history.kept;
  }

  /** How full the context is and what was done about it (guide 14.3), for a look. */
  get compactionState(): CompactionState {
    return this.context.state(this.registry.schemas());
  }

  get approver(): Approver | null {
    return this.approve;
  }

  /** Sets who decides where the permission engine asks (guide 8.3). */
  setApprover(approver: Approver | null): void {
    this.approve = approver;
  }

  /** Replaces the system prompt (guide 6.3). */
  setSystemPrompt(text: string): void {
    this.history.instructions = text;
  }

  /** Addition: the session is over. Interrupts a running turn and ends what its tools left running. */
  async dispose(): Promise<void> {
    this.requestInterrupt();
    await this.opts.dispose?.();
  }

  /** True while a turn runs. */
  get isBusy(): boolean {
    return this.current !== null;
  }

  /**
   * One turn (guide 9, 12): yields its events in order; the engine goes on only as the reader does. `attachments` are
   * sent to the model in this turn only, `refs` stay in the history (guide 13).
   *
   * @throws EngineBusy, AttachmentError, or ZqError `no_model`, before any event; what an approver throws, at the end
   */
  async *run(
    input: string,
    taskId: string = randomUUID(),
    attachments?: MessageAttachment[],
    refs?: StoredAttachment[],
  ): AsyncGenerator<WsEvent, void> {
    const usable = normalizeAttachments(attachments);
    const count = usable?.length ?? refs?.length ?? 0;
    const start = {
      taskId,
      input,
      ...(count > 0 && { attachmentCount: count }),
      ...(refs?.length && { attachments: refs }),
    };
    const item = { text: input, ...(usable && { attachments: usable }), ...(refs && { refs }) };
    yield* this.turn({ start, prompt: (interrupt) => this.takePrompt(item, interrupt) });
  }

  /** Goes on after a turn that ended with an error that may be tried again (guide 12.3); else yields nothing. */
  async *retry(): AsyncGenerator<WsEvent, void> {
    if (this.isBusy) throw new EngineBusy();
    if (this.failure?.retriable) yield* this.askAgain(this.failure);
  }

  /**
   * Addition: goes on with a turn that did not come to its end, also one of an earlier process: open calls are run, else
   * the model is asked again. Yields nothing where the history ends with an answer.
   */
  async *takeUp(): AsyncGenerator<WsEvent, void> {
    if (this.isBusy) throw new EngineBusy();
    const last = this.history.all.at(-1)?.role;
    if (this.failure) yield* this.askAgain(this.failure);
    else if (this.history.pendingCalls().length > 0) yield* this.resume();
    else if (last === "user" || last === "tool") yield* this.askAgain({ hasPartialText: false });
  }

  /**
   * Addition: the calls at the end of the history that somebody must be asked about, in order, as the approver will get
   * them; after a restart, what `resume()` will ask. Nothing is run and nothing decided.
   */
  pendingApprovals(): PermissionRequest[] {
    return pendingApprovals(this.history, this.registry, this.permissions);
  }

  /**
   * Runs the calls at the end of the history that have no result (guide 12.4), also those of an earlier process; without
   * any it yields nothing. A call that had begun there is not run again unless it only reads: its result says so.
   */
  async *resume(): AsyncGenerator<WsEvent, void> {
    if (this.isBusy) throw new EngineBusy();
    if (this.history.pendingCalls().length === 0) return;
    yield* this.turn({ start: { taskId: randomUUID(), input: "" }, isResumed: true });
  }

  /** Stops the turn that runs (guide 12.2): the model's stream, the running tools, a wait for approval. */
  requestInterrupt(): void {
    this.current?.request();
  }

  /** Queues a text that the model gets between two iterations (guide 12.5). */
  queueSteering(text: string, attachments?: MessageAttachment[], refs?: StoredAttachment[]): void {
    const usable = normalizeAttachments(attachments);
    this.steering.add({ text, ...(usable && { attachments: usable }), ...(refs && { refs }) });
  }

  /** Removes a queued text; false when there is none, because the model has it already (guide 12.5). */
  removeSteering(text: string): boolean {
    return this.steering.remove(text);
  }

  /** Addition: takes back all that is queued, so that nothing typed is lost at an interrupt. */
  takeSteering(): QueuedText[] {
    return this.steering.take();
  }

  /**
   * Addition: summarises the history now; while a turn runs, at the end of the iteration. Null when there is nothing
   * to gain. Rejects with what the model call threw; the history is untouched then.
   */
  async compact(focus?: string): Promise<CompactionOutcome | null> {
    if (this.isBusy) return await this.context.requestManual(focus);
    const interrupt = new Interrupt();
    this.current = interrupt;
    try {
      return await this.context.compactNow(interrupt, (event) => this.hook.tell(event), focus);
    } catch (error) {
      if (error instanceof Interrupted) return null;
      throw error;
    } finally {
      this.current = null;
    }
  }

  /** Addition: puts back the history before the newest compaction, with what came since behind it. */
  uncompact(): boolean {
    if (this.isBusy) throw new EngineBusy();
    return this.context.compactor.uncompact();
  }

  /**
   * Addition: cuts the history behind the message at `index`. Calls left without a result count as interrupted.
   *
   * @throws ZqError `invalid_index`; EngineBusy while a turn runs
   */
  rewind(index: number): void {
    if (this.isBusy) throw new EngineBusy();
    if (!Number.isInteger(index) || index < 0 || index >= this.history.length) {
      throw new ZqError("invalid_index", `rewind: index must be from 0 to ${this.history.length - 1}; got ${index}.`);
    }
    this.failure = null;
    this.context.compactor.forgetUndo();
    this.history.replace(this.history.all.slice(0, index + 1));
    this.history.closePending();
  }

  /** Addition: asks the model for a name of the session; null when it gives none. Yields no event (guide 9.2). */
  generateSessionName(signal?: AbortSignal): Promise<string | null> {
    const prompt = this.opts.genSessionNamePrompt ?? getPrompts(this.lang).sessionName.trim();
    return generateSessionName(this.opts.provider, this.model, {
      messages: this.messages,
      prompt,
      ...(signal && { signal }),
    });
  }

  private async *askAgain({ hasPartialText }: Pick<Failure, "hasPartialText">): AsyncGenerator<WsEvent, void> {
    const prompt = async () => {
      if (hasPartialText) this.history.replace(this.history.all.slice(0, -1));
    };
    yield* this.turn({ start: { taskId: randomUUID(), input: "" }, prompt });
  }

  private async *turn(opening: Opening): AsyncGenerator<WsEvent, void> {
    if (this.current) throw new EngineBusy();
    if (this.model.trim() === "") {
      throw new ZqError("no_model", "No model specified. Pass model, or set OPENAI_MODEL. No model is chosen for you.");
    }
    const interrupt = new Interrupt();
    this.current = interrupt;
    this.modelInUse = this.model;
    this.failure = null;
    this.history.announce();
    try {
      this.failure = yield* turn(this.partsOf(interrupt, opening.start.taskId), opening);
    } finally {
      this.history.forgetMedia();
      this.context.endTurn();
      this.modelInUse = null;
      this.current = null;
    }
  }

  private partsOf(interrupt: Interrupt, taskId: string): TurnParts {
    const { provider, reasoningEffort, sessionId, finalizeOnMaxIterations = false, waitLimitMs = 0 } = this.opts;
    const { registry, permissions, history, context, hook, steering, reminders, model, toolResultDir } = this;
    return {
      ...{ provider, registry, permissions, history, context, hook, steering, reminders, model, toolResultDir },
      ...(reasoningEffort !== undefined && { reasoningEffort }),
      ...(sessionId !== undefined && { sessionId }),
      interrupt,
      taskId,
      maxIterations: this.opts.maxIterations ?? DEFAULT_MAX_ITERATIONS,
      finalizeOnMaxIterations,
      patience: { leftMs: waitLimitMs },
      engine: this,
      approver: () => this.approve,
      notices: () => this.opts.notices?.() ?? [],
    };
  }

  /** The prompt enters the history, with what the model should know first in front of it. */
  private async takePrompt(item: QueuedText, interrupt: Interrupt): Promise<void> {
    this.history.closePending();
    this.context.startTurn();
    const { message, media } = buildPrompt(item, await this.reminders.lead(this.permissions.mode, interrupt));
    this.history.append(message, media);
  }
}

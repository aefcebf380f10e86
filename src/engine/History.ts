/** The messages of a session: every change is told to the hook at once, so that a log alone rebuilds it. */

import type { ContentPart, Message, ToolCall } from "../shared/messages";
import { markStarted, pendingIn, takeStarted } from "../shared/startedCalls";
import type { HookRelay } from "./HookRelay";
import { CallIds, normalizeHistory, UNFINISHED } from "./normalize";

/** What messages carry for us alone: it is never sent. */
const OWN_KEYS = ["origin", "attachments", "kept", "failed", "seen"] as const;

export class History {
  private messages: Message[];
  /** Grows whenever something before the end changes: counts and caches made earlier no longer hold. */
  private changes = 0;
  private isTold: boolean;
  private ids = new CallIds();
  /** Calls that have begun to run and have no result, also in an earlier process. */
  private readonly begun: Set<string>;
  /** Bytes of attachments, for the turn that brought them only (guide 13). */
  private readonly media = new Map<Message, ContentPart[]>();
  private readonly wireForms = new WeakMap<Message, Message>();
  private readonly hook: HookRelay;
  /** Asked at each tool result for what is kept with it. */
  seen: () => unknown[] = () => [];

  /** `given` is the restored conversation; `instructions` goes in front unless a system message is there already. */
  constructor(given: readonly Message[], instructions: string, hook: HookRelay) {
    this.hook = hook;
    const { messages, begun } = takeStarted(given);
    this.begun = begun;
    const hasSystem = given[0]?.role === "system";
    const system: Message = { role: "system", content: instructions };
    this.messages = normalizeHistory(hasSystem ? messages : [system, ...messages], {
      keepPending: true,
      keepArguments: true,
    });
    this.isTold = hasSystem && this.messages.length === given.length;
    this.claimIds();
  }

  get all(): Message[] {
    return this.messages;
  }

  /** What is to be kept: all, with a mark on the calls that run now. */
  get kept(): Message[] {
    return markStarted(this.messages, this.begun);
  }

  get length(): number {
    return this.messages.length;
  }

  get epoch(): number {
    return this.changes;
  }

  get systemPrompt(): Message | undefined {
    return this.messages[0];
  }

  set instructions(text: string) {
    this.change([[0, { role: "system", content: text }]]);
  }

  /** Tells the hook what it was not there to hear: the messages that the session began with. */
  announce(): void {
    if (this.isTold) return;
    this.isTold = true;
    if (this.messages.length > 1) this.hook.historyReplaced({ messages: this.messages });
    else if (this.messages[0]) this.hook.messageAppended(0, this.messages[0]);
  }

  /** Adds a message; `media` travels with it until `forgetMedia`. */
  append(given: Message, media: ContentPart[] = []): void {
    this.announce();
    const seen = given.role === "tool" ? this.seen() : [];
    const message = seen.length > 0 ? { ...given, seen } : given;
    if (media.length > 0) this.media.set(message, media);
    this.messages.push(message);
    if (message.role === "tool") this.begun.delete(message.tool_call_id ?? "");
    this.hook.messageAppended(this.messages.length - 1, message);
  }

  /** Puts other messages in the place of some; the rest keeps its place. */
  change(changed: [number, Message][]): void {
    if (changed.length === 0) return;
    this.announce();
    this.messages = [...this.messages];
    for (const [index, message] of changed) this.messages[index] = message;
    this.changes += 1;
    this.hook.historyReplaced({ changed });
  }

  replace(messages: Message[]): void {
    this.announce();
    this.messages = messages;
    this.changes += 1;
    this.claimIds();
    this.hook.historyReplaced({ messages });
  }

  /** The calls of a reply with ids that this history has not seen. */
  withOwnIds(calls: readonly ToolCall[]): ToolCall[] {
    return calls.map((call) => {
      const id = this.ids.claim(call.id);
      return id === call.id ? call : { ...call, id };
    });
  }

  /** The calls of the last assistant message that have no result yet, if nothing but results came after it. */
  pendingCalls(): ToolCall[] {
    return pendingIn(this.messages).calls;
  }

  /** A call begins to run: from now on it is not run a second time, also where this process ends before it does. */
  begin(callId: string): void {
    this.begun.add(callId);
  }

  hasBegun(callId: string): boolean {
    return this.begun.has(callId);
  }

  /** Answers every pending call with `text`, so that a new message may follow. */
  closePending(text = UNFINISHED): void {
    for (const call of this.pendingCalls()) this.append({ role: "tool", tool_call_id: call.id, content: text });
  }

  /** What a model is sent, up to `end`: valid, with this turn's attachments, without our own bookkeeping. */
  outbound(end = this.messages.length): Message[] {
    const messages = end < this.messages.length ? this.messages.slice(0, end) : this.messages;
    return normalizeHistory(messages).map((message) => this.wireForm(message));
  }

  /** The attachments that the next request carries. */
  get mediaParts(): ContentPart[] {
    return [...this.media.values()].flat();
  }

  /** The bytes of attachments are sent in their own turn only. */
  forgetMedia(): void {
    for (const message of this.media.keys()) this.wireForms.delete(message);
    this.media.clear();
  }

  private wireForm(message: Message): Message {
    const known = this.wireForms.get(message);
    if (known) return known;
    const form = this.buildWireForm(message);
    this.wireForms.set(message, form);
    return form;
  }

  private buildWireForm(message: Message): Message {
    const media = this.media.get(message);
    if (!media && !OWN_KEYS.some((key) => key in message)) return message;
    const rest = { ...message };
    for (const key of OWN_KEYS) delete rest[key];
    if (!media || typeof rest.content !== "string") return rest;
    return { ...rest, content: [{ type: "text", text: rest.content }, ...media] };
  }

  private claimIds(): void {
    this.ids = new CallIds();
    for (const message of this.messages) for (const call of message.tool_calls ?? []) this.ids.claim(call.id);
  }
}

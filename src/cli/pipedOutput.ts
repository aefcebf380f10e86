/** What a run without a screen prints: the answer on stdout in the form asked for, everything else on stderr. */

import { mainArgument } from "../render/mainArgument";
import { plainText, visibleText } from "../render/sanitize";
import { errorCause, errorSentence, waitValues } from "../shared/errorSentence";
import { type EventData, isEvent, type ToolStatus, type TurnStatus, type WsEvent } from "../shared/events";
import { fill, type Texts } from "../shared/locales";
import type { TokenUsage } from "../shared/messages";
import type { OutputFormat } from "./program";

/** A call that was denied because nobody could be asked. */
export interface DeniedCall {
  name: string;
  arguments: Record<string, unknown>;
  reason: string;
}

/** What is known when the turn has ended. */
export interface TurnSummary {
  sessionId: string;
  status: TurnStatus;
  text: string;
  iterations: number;
  usage: TokenUsage;
  durationMs: number;
  producedFiles: string[];
  denied: DeniedCall[];
  error?: { error: string; error_type: string; retriable: boolean; retryAfterMs?: number };
}

export interface Output {
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Follows one turn; `finish` prints what is due at its end and returns the summary. */
export class PipedOutput {
  readonly #format: OutputFormat;
  readonly #texts: Texts;
  readonly #output: Output;
  readonly #summary: TurnSummary;
  readonly #calls = new Map<string, { name: string; arguments: Record<string, unknown> }>();
  readonly #started = Date.now();

  constructor(sessionId: string, format: OutputFormat, texts: Texts, output: Output) {
    this.#format = format;
    this.#texts = texts;
    this.#output = output;
    this.#summary = {
      sessionId,
      status: "error",
      text: "",
      iterations: 0,
      usage: { input: 0, output: 0 },
      durationMs: 0,
      producedFiles: [],
      denied: [],
    };
  }

  take(event: WsEvent): void {
    if (this.#format === "stream-json") this.#line(withSessionId(event, this.#summary.sessionId));
    if (isEvent(event, "assistant_message")) this.#message(event.data.text, event.data.usage);
    else if (isEvent(event, "tool_proposed")) this.#calls.set(event.data.reqId, event.data);
    else if (isEvent(event, "tool_started")) this.#note(this.#describe(event.data.reqId, event.data.name));
    else if (isEvent(event, "tool_finished")) this.#finished(event.data);
    else if (isEvent(event, "llm_retry")) this.#note(retryLine(event.data, this.#texts));
    else if (isEvent(event, "compacting")) this.#note(this.#texts.cli.compacting);
    else if (isEvent(event, "error")) this.#failed(event.data);
    else if (isEvent(event, "turn_end")) this.#ended(event.data);
  }

  /** The approver had nobody to ask. */
  denied(call: DeniedCall): void {
    this.#summary.denied.push(call);
  }

  finish(): TurnSummary {
    const summary = this.#summary;
    summary.durationMs = Date.now() - this.#started;
    if (this.#format === "text" && summary.text !== "") this.#output.stdout(`${plainText(summary.text).trimEnd()}\n`);
    if (this.#format === "json") this.#line(summary);
    if (summary.denied.length > 0) this.#tellDenied();
    return summary;
  }

  #message(text: string, usage: TokenUsage | undefined): void {
    if (text.trim() !== "") this.#summary.text = text;
    if (usage) this.#summary.usage = added(this.#summary.usage, usage);
  }

  #finished(data: { status: ToolStatus; reason?: string; duration?: number }): void {
    const duration = `${((data.duration ?? 0) / 1000).toFixed(1)} s`;
    this.#note(fill(this.#texts.cli.toolDone, { status: data.status, duration }));
  }

  #failed(data: EventData["error"]): void {
    const { error, error_type, retriable, retryAfterMs } = data;
    this.#summary.error = { error, error_type, retriable, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    this.#note(plainText(errorSentence(this.#texts.errors, data)));
  }

  #ended(data: { status: TurnStatus; iterations: number; produced_files: string[] }): void {
    this.#summary.status = data.status;
    this.#summary.iterations = data.iterations;
    this.#summary.producedFiles = data.produced_files;
    if (data.status === "interrupted") this.#note(this.#texts.cli.interrupted);
    if (data.status === "max_iterations_exceeded")
      this.#note(fill(this.#texts.cli.limitReached, { count: data.iterations }));
  }

  /** Each denied call with the flag that would have allowed it. */
  #tellDenied(): void {
    this.#note(this.#texts.cli.deniedHeading);
    for (const { name, arguments: args } of this.#summary.denied) {
      const argument = argumentLine(args);
      const prefix = argument.split(" ").slice(0, 2).join(" ").replaceAll('"', '\\"');
      const line = name === "run_shell" ? this.#texts.cli.deniedShell : this.#texts.cli.deniedTool;
      this.#note(fill(line, { name, argument, prefix }));
    }
  }

  #describe(reqId: string, name: string): string {
    return fill(this.#texts.cli.toolRunning, {
      name,
      argument: argumentLine(this.#calls.get(reqId)?.arguments ?? {}),
    }).trim();
  }

  #note(text: string): void {
    this.#output.stderr(`${text}\n`);
  }

  #line(value: unknown): void {
    this.#output.stdout(`${JSON.stringify(value)}\n`);
  }
}

/** Why and when a request is sent again; a long wait is told with its end. */
export function retryLine(data: EventData["llm_retry"], { cli, errors }: Texts): string {
  const { waitMs, attempt, max } = data;
  const reason = data.error_type ? errorCause(errors, data) : visibleText(data.reason);
  if (waitMs > LONG_WAIT_MS) return fill(cli.waitingLong, { reason, ...waitValues(errors, waitMs) });
  return fill(cli.retrying, { reason, seconds: Math.max(1, Math.round(waitMs / 1000)), attempt, max });
}

const LONG_WAIT_MS = 90_000;

/** What a call is about, in one safe line of a length that a log bears. */
export function argumentLine(args: Record<string, unknown>): string {
  const line = visibleText(mainArgument(args).replace(/\s+/g, " "));
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function withSessionId(event: WsEvent, sessionId: string): WsEvent {
  return event.type === "turn_start" ? { type: event.type, data: { ...event.data, sessionId } } : event;
}

function added(sum: TokenUsage, usage: TokenUsage): TokenUsage {
  const total: TokenUsage = { input: sum.input + usage.input, output: sum.output + usage.output };
  const cached = (sum.cached ?? 0) + (usage.cached ?? 0);
  const reasoning = (sum.reasoning ?? 0) + (usage.reasoning ?? 0);
  if (cached > 0) total.cached = cached;
  if (reasoning > 0) total.reasoning = reasoning;
  if (sum.estimated || usage.estimated) total.estimated = true;
  return total;
}

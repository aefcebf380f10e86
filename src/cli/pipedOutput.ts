/** What a run without a screen prints: the answer on stdout in the form asked for, everything else on stderr. */

import { plainText, visibleText } from "../render/sanitize";
import { isEvent, type ToolStatus, type TurnStatus, type WsEvent } from "../shared/events";
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
  error?: { error: string; error_type: string; retriable: boolean };
}

export interface Output {
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Follows one turn; `finish` prints what is due at its end and returns the summary. */
export class PipedOutput {
  readonly #format: OutputFormat;
  readonly #texts: Texts["cli"];
  readonly #output: Output;
  readonly #summary: TurnSummary;
  readonly #calls = new Map<string, { name: string; arguments: Record<string, unknown> }>();
  readonly #started = Date.now();

  constructor(sessionId: string, format: OutputFormat, texts: Texts["cli"], output: Output) {
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
    else if (isEvent(event, "llm_retry")) this.#retry(event.data);
    else if (isEvent(event, "compacting")) this.#note(this.#texts.compacting);
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
    this.#note(fill(this.#texts.toolDone, { status: data.status, duration }));
  }

  #retry(data: { reason: string; waitMs: number; attempt: number; max: number }): void {
    const seconds = Math.max(1, Math.round(data.waitMs / 1000));
    this.#note(fill(this.#texts.retrying, { reason: data.reason, seconds, attempt: data.attempt, max: data.max }));
  }

  #failed(data: { error: string; error_type: string; retriable: boolean }): void {
    this.#summary.error = { error: data.error, error_type: data.error_type, retriable: data.retriable };
    this.#note(data.error);
  }

  #ended(data: { status: TurnStatus; iterations: number; produced_files: string[] }): void {
    this.#summary.status = data.status;
    this.#summary.iterations = data.iterations;
    this.#summary.producedFiles = data.produced_files;
    if (data.status === "interrupted") this.#note(this.#texts.interrupted);
    if (data.status === "max_iterations_exceeded")
      this.#note(fill(this.#texts.limitReached, { count: data.iterations }));
  }

  /** Each denied call with the flag that would have allowed it. */
  #tellDenied(): void {
    this.#note(this.#texts.deniedHeading);
    for (const { name, arguments: args } of this.#summary.denied) {
      const argument = mainArgument(args);
      const prefix = argument.split(" ").slice(0, 2).join(" ").replaceAll('"', '\\"');
      const line = name === "run_shell" ? this.#texts.deniedShell : this.#texts.deniedTool;
      this.#note(fill(line, { name, argument, prefix }));
    }
  }

  #describe(reqId: string, name: string): string {
    return fill(this.#texts.toolRunning, {
      name,
      argument: mainArgument(this.#calls.get(reqId)?.arguments ?? {}),
    }).trim();
  }

  #note(text: string): void {
    this.#output.stderr(`${text}\n`);
  }

  #line(value: unknown): void {
    this.#output.stdout(`${JSON.stringify(value)}\n`);
  }
}

/** The argument that says what a call is about, in one safe line. */
export function mainArgument(args: Record<string, unknown>): string {
  const names = ["command", "path", "pattern", "query", "url", "question", "task"];
  const value = names.map((name) => args[name]).find((candidate) => typeof candidate === "string");
  const line = visibleText(String(value ?? "").replace(/\s+/g, " "));
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

/** The reference hooks for a terminal: a session as plain lines, and a sub-agent's tool calls indented (guide 11.2, 16.1). */

import { modelText, visibleLine } from "../render/sanitize";
import type { EngineHook } from "../shared/EngineHook";
import type { TokenUsage } from "../shared/messages";

export interface ConsoleHookOptions {
  /** Where the lines go, each with its line end; default is standard output. */
  write?: ((text: string) => void) | undefined;
}

/** One argument is enough to know a call again. */
const tellingArguments = ["command", "path", "pattern", "query", "url", "question", "task", "name"];
const MAX_SHOWN = 200;

/** Prints what happens in a turn, one line for each step. A reference implementation, not an interface. */
export class ConsoleHook implements EngineHook {
  private readonly write: (text: string) => void;

  constructor({ write = (text: string) => process.stdout.write(text) }: ConsoleHookOptions = {}) {
    this.write = write;
  }

  onTurnStart(input: string): void {
    this.line(`> ${short(input)}`);
  }

  onAssistantMessage(text: string, _toolCalls: string[], usage?: TokenUsage): void {
    if (text.trim() !== "") this.write(`${modelText(text).trimEnd()}\n`);
    if (usage) this.line(`[tokens] ${usage.input} in, ${usage.output} out`);
  }

  onToolProposed(name: string, args: Record<string, unknown>): void {
    this.line(`[tool] ${callText(name, args)}`);
  }

  onToolFinished(name: string, status: string): void {
    this.line(`[tool] ${name}: ${status}`);
  }

  onPermissionRequired(name: string, reason: string): void {
    this.line(`[approval] ${name}: ${reason}`);
  }

  onCompacting(): void {
    this.line("[compacting]");
  }

  onCompacted(): void {
    this.line("[compacted]");
  }

  onRetry(attempt: number, max: number, reason: string): void {
    this.line(`[retry ${attempt}/${max}] ${reason}`);
  }

  onError(error: string, errorType: string): void {
    this.line(`[error ${errorType}] ${error}`);
  }

  onInterrupted(): void {
    this.line("[interrupted]");
  }

  onTurnEnd(status: string, iterations: number, producedFiles: string[]): void {
    const files = producedFiles.length > 0 ? `, changed: ${producedFiles.join(", ")}` : "";
    this.line(`[turn] ${status} after ${iterations} step(s)${files}`);
  }

  private line(text: string): void {
    this.write(`${visibleLine(text)}\n`);
  }
}

/** Prints the tool calls of a sub-agent under its name, indented (guide 16.1). One for each sub-agent. */
export class SubagentHook implements EngineHook {
  private readonly write: (text: string) => void;

  constructor(
    private readonly label = "subagent",
    { write = (text: string) => process.stdout.write(text) }: ConsoleHookOptions = {},
  ) {
    this.write = write;
  }

  onToolProposed(name: string, args: Record<string, unknown>): void {
    this.line(callText(name, args));
  }

  onToolFinished(name: string, status: string): void {
    if (status !== "ok") this.line(`${name}: ${status}`);
  }

  onError(error: string): void {
    this.line(`error: ${error}`);
  }

  private line(text: string): void {
    this.write(`    ${visibleLine(`[${this.label}] ${text}`)}\n`);
  }
}

function callText(name: string, args: Record<string, unknown>): string {
  const key = tellingArguments.find((candidate) => typeof args[candidate] === "string");
  return key === undefined ? name : `${name} ${short(String(args[key]))}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

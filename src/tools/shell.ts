/** run_shell, shell_task_output and shell_task_kill (guide 7.1). */

import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import runText from "../../prompts/tools/run_shell.md";
import killText from "../../prompts/tools/shell_task_kill.md";
import outputDescription from "../../prompts/tools/shell_task_output.md";
import { buildChildEnvironment } from "../shared/childEnvironment";
import type { ToolContext, ToolResult } from "../shared/contracts";
import type { Environment } from "../shared/env";
import { messageOf } from "../shared/errors";
import { EventType } from "../shared/events";
import { WorkspaceRoots } from "../shared/paths";
import { createLiveOutput } from "./shell/liveOutput";
import { awaitCommand, type CommandRun, firstOf, type Outcome } from "./shell/runCommand";
import { shellArgv } from "./shell/shellProgram";
import { endWords, outputText, secondsOf } from "./shell/shellReport";
import { killParameters, outputParameters, runParameters } from "./shell/shellSchemas";
import { readTask, unknownTask } from "./shell/taskReading";
import { looksConfined, type ShellRun, sandboxNote, startWrapped, type Wrap } from "./shell/wrapping";
import { MOST_TASKS, ShellTasks } from "./shellTasks";
import type { ToolRegistry } from "./ToolRegistry";

export interface ShellToolOptions {
  /** The session's places; default is the workspace alone. A command's `cwd` must lie where the session may read. */
  roots?: WorkspaceRoots | undefined;
  /** What a command's environment is made from; default is ours as remembered at the start. */
  env?: Environment | undefined;
  /** Variables that are passed on although their names look secret. */
  allowEnv?: readonly string[] | undefined;
  /** Puts a command into a sandbox: from the shell's argument list to what is started. Default: none. */
  wrap?: Wrap | undefined;
  /** Folder for output that outgrows memory; without one its middle is lost. Made at need (0700). */
  taskDir?: string | undefined;
}

/** What outlives a call: the tasks. The engine polls `tasks.takeNotices()`, the session's end calls `tasks.killAll()`. */
export interface ShellToolHandle {
  tasks: ShellTasks;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const BACKGROUND_LOOK_MS = 500;

/** Registers the three shell tools. They never throw: what goes wrong is in the result. */
export function registerShellTool(
  registry: ToolRegistry,
  workspace: string,
  options: ShellToolOptions = {},
): ShellToolHandle {
  const tasks = new ShellTasks();
  const shell = new Shell(workspace, options, tasks);
  const category = "shell";
  registry.register(
    (args, ctx) => shell.run(args, ctx),
    { category, riskLevel: "high", capabilities: ["execute"], requiresApproval: true },
    schema("run_shell", runText, runParameters),
  );
  registry.register(
    (args, ctx) => readTask(tasks, args, ctx?.signal),
    { category, riskLevel: "low", capabilities: ["read"], requiresApproval: false },
    schema("shell_task_output", outputDescription, outputParameters),
  );
  registry.register(
    (args) => killTask(tasks, String(args.task_id ?? "")),
    { category, riskLevel: "medium", capabilities: ["execute"], requiresApproval: false },
    schema("shell_task_kill", killText, killParameters),
  );
  return { tasks };
}

function schema(name: string, description: string, parameters: typeof runParameters) {
  return { type: "function" as const, function: { name, description: description.trim(), parameters } };
}

/** One workspace's shell: turns the model's arguments into a run and the run into a result. */
class Shell {
  private readonly roots: WorkspaceRoots;

  constructor(
    private readonly workspace: string,
    private readonly options: ShellToolOptions,
    private readonly tasks: ShellTasks,
  ) {
    this.roots = options.roots ?? new WorkspaceRoots(workspace);
  }

  async run(args: Record<string, unknown>, ctx: ToolContext = {}): Promise<ToolResult> {
    const command = String(args.command ?? "");
    const background = args.background === true;
    const cwd = this.roots.resolve(typeof args.cwd === "string" ? args.cwd : ".");
    const fault = this.faultOf(command, cwd, background);
    if (fault) return { content: fault, status: "error" };
    if (ctx.signal?.aborted) return { content: "[interrupted before it started]", status: "interrupted" };
    const live = liveOutput(ctx);
    try {
      const start = { ...this.startOptions(command, cwd), onText: live.take };
      const run = await startWrapped(command, start, this.options.wrap);
      const timeoutMs = background ? BACKGROUND_LOOK_MS : timeoutOf(args.timeout_ms);
      const limits = { timeoutMs, ...(ctx.signal && { signal: ctx.signal }) };
      const result = background ? this.inBackground(run, limits) : this.inForeground(run, limits);
      return await this.tasks.during(run, result);
    } catch (error) {
      return { content: `The command could not be started: ${messageOf(error)}`, status: "error" };
    } finally {
      live.finish();
    }
  }

  private startOptions(command: string, cwd: string) {
    const env = buildChildEnvironment({
      ...(this.options.env && { parent: this.options.env }),
      ...(this.options.allowEnv && { allow: this.options.allowEnv }),
    });
    const argv = shellArgv(command, env, this.workspace);
    const file = this.options.taskDir && join(this.options.taskDir, `shell-${randomBytes(6).toString("hex")}.txt`);
    return { argv, cwd, env, ...(file && { file }) };
  }

  private async inForeground(run: ShellRun, limits: { timeoutMs: number; signal?: AbortSignal }) {
    const outcome = await awaitCommand(run, limits);
    const { wrapped } = run;
    const notes = outcome.how === "ended" ? wrapped.finish() : [];
    // What ends with its command may be just about to.
    if (outcome.end?.leftBehind && wrapped.endsWithCommand) await run.process.stop();
    if (outcome.how === "ended" && outcome.end?.leftBehind && !wrapped.endsWithCommand) {
      const task = this.tasks.addRemainder(run);
      task.readTo = run.output.settled().length;
      notes.push(`[still running in the background: ${task.id}]`);
    } else {
      run.process.release();
      run.output.end();
    }
    return this.resultOf(run, outcome, { notes, timeoutMs: limits.timeoutMs });
  }

  private async inBackground(run: ShellRun, limits: { timeoutMs: number; signal?: AbortSignal }) {
    const how = await firstOf(run.ended, limits);
    if (how !== "timeout") return this.inForeground(run, limits);
    const task = this.tasks.add(run);
    const kept = run.output.settled();
    task.readTo = kept.length;
    const first = kept.length > 0 ? `\n${outputText(run.output)}` : "";
    return {
      content: `Started ${task.id} (pid ${run.process.pid}).${first}`,
      display: { kind: "shell", command: run.command, taskId: task.id },
    };
  }

  private resultOf(run: ShellRun, outcome: Outcome, more: { notes: string[]; timeoutMs: number }): ToolResult {
    const took = Date.now() - run.startedAt;
    const text = outputText(run.output);
    if (run.wrapped.confined && looksConfined(text, outcome)) more.notes.push(sandboxNote);
    if (/^\s*cd(\s+[^;&|\n]*)?$/.test(run.command)) more.notes.push("[cd does not persist; pass cwd]");
    const last = lastLine(outcome, took, more.timeoutMs);
    const failed = outcome.how === "timeout" || outcome.end?.code !== 0;
    return {
      content: [text, ...more.notes, last].join("\n"),
      status: outcome.how === "interrupted" ? "interrupted" : failed ? "error" : "ok",
      display: {
        kind: "shell",
        command: run.command,
        outcome: outcome.how,
        exitCode: outcome.end?.code ?? null,
        signal: outcome.end?.signal ?? null,
        durationMs: took,
      },
    };
  }

  /** Why the call cannot be made, or null. */
  private faultOf(command: string, cwd: string, background: boolean): string | null {
    if (command.trim() === "") return "command is empty. Give the command line to run.";
    if (command.includes("\0")) return "command holds a NUL character, which no shell can be given.";
    if (!this.roots.mayRead(cwd)) {
      return `Path is outside the workspace: ${cwd}. Use request_directory to ask for access.`;
    }
    if (!isDirectory(cwd)) return `Folder not found: ${this.roots.show(cwd)}. Nothing was run.`;
    const running = this.tasks.running;
    if (background && running.length >= MOST_TASKS) {
      return `${MOST_TASKS} tasks are running already (${running.map((task) => task.id).join(", ")}). Stop one with shell_task_kill first.`;
    }
    return null;
  }
}

async function killTask(tasks: ShellTasks, id: string): Promise<ToolResult> {
  const task = tasks.get(id);
  if (!task) return { content: unknownTask(tasks, id), status: "error" };
  const wasRunning = task.isRunning || task.run.process.isAlive();
  if (!wasRunning) {
    task.endSeen = true;
    return { content: `${id} had ended already: ${task.state}.`, status: "ok" };
  }
  await tasks.kill(task);
  const how = task.end?.signal ?? "SIGTERM";
  return { content: [`Stopped ${id} (${how}).`, ...lastLines(task.run, 20)].join("\n"), status: "ok" };
}

function lastLines(run: CommandRun, count: number): string[] {
  const text = run.output.settled().from(0).text.trimEnd();
  return text === "" ? [] : text.split("\n").slice(-count);
}

function lastLine(outcome: Outcome, took: number, timeoutMs: number): string {
  if (outcome.how === "interrupted") return `[interrupted after ${secondsOf(took)}]`;
  if (outcome.how === "timeout") {
    return `[timed out after ${Math.round(timeoutMs / 1000)} s; use background for long commands]`;
  }
  return `[${endWords(outcome.end)}, ${secondsOf(took)}]`;
}

function liveOutput(ctx: ToolContext) {
  const { emit, reqId = "", taskId = "" } = ctx;
  return createLiveOutput((chunk) => emit?.(EventType.TOOL_OUTPUT, { reqId, name: "run_shell", chunk, taskId }));
}

function timeoutOf(value: unknown): number {
  const ms = typeof value === "number" && Number.isFinite(value) ? value : DEFAULT_TIMEOUT_MS;
  return Math.min(Math.max(ms, 1000), 600_000);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

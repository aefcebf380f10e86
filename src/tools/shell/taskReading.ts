/** shell_task_output: what a background command printed since the last look, after a wait if one is asked for. */

import type { ToolResult } from "../../shared/contracts";
import { type ShellTask, type ShellTasks, shortened } from "../shellTasks";
import { firstOf } from "./runCommand";
import { sizeOf } from "./shellReport";

const MOST_CHARS = 28_000;

export async function readTask(
  tasks: ShellTasks,
  args: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<ToolResult> {
  if (typeof args.task_id !== "string" || args.task_id === "") return { content: listOf(tasks), status: "ok" };
  const task = tasks.get(args.task_id);
  if (!task) return { content: unknownTask(tasks, args.task_id), status: "error" };
  const start = args.from_start === true ? 0 : task.readTo;
  const waitMs = typeof args.wait_ms === "number" ? Math.min(Math.max(args.wait_ms, 0), 120_000) : 0;
  if (waitMs > 0) await waitFor(task, { waitMs, text: args.wait_for, start, ...(signal && { signal }) });
  tasks.get(task.id);
  return { content: `${headOf(task)}\n${textFrom(task, start)}`, status: "ok" };
}

/** The sentence for a task id that does not exist. */
export function unknownTask(tasks: ShellTasks, id: string): string {
  const known = tasks.list().map((task) => task.id);
  const rest = known.length > 0 ? `Tasks: ${known.join(", ")}.` : "No task was started.";
  return `There is no task ${JSON.stringify(id)}. ${rest}`;
}

interface Wait {
  waitMs: number;
  text: unknown;
  /** The text counts from this position on. */
  start: number;
  signal?: AbortSignal;
}

/** Until the task ends, the text appears, the time is over or the call is interrupted. */
async function waitFor(task: ShellTask, wait: Wait): Promise<void> {
  const { text } = wait;
  if (!task.isRunning) return;
  const wanted = typeof text === "string" && text !== "" ? text : null;
  const output = task.run.output;
  const hasIt = () => wanted !== null && output.settled().from(wait.start).text.includes(wanted);
  if (hasIt()) return;
  let stopListening = () => {};
  const appeared = new Promise<void>((resolve) => {
    if (wanted === null) return;
    let recent = output.settled().from(wait.start).text.slice(-wanted.length);
    stopListening = output.onText((piece) => {
      recent += piece;
      if (recent.includes(wanted)) resolve();
      recent = recent.slice(-wanted.length);
    });
  });
  const gone = task.isRemainder ? task.run.process.closed : task.run.ended;
  await firstOf(Promise.race([gone, appeared]), {
    timeoutMs: wait.waitMs,
    ...(wait.signal && { signal: wait.signal }),
  });
  stopListening();
}

function listOf(tasks: ShellTasks): string {
  const lines = tasks.list().map(headOf);
  return lines.length > 0 ? lines.join("\n") : "No background tasks.";
}

function headOf(task: ShellTask): string {
  if (!task.isRunning) task.endSeen = true;
  return `${task.id} ${task.state}: ${shortened(task.run.command)}`;
}

function textFrom(task: ShellTask, start: number): string {
  const kept = task.run.output.settled();
  const { text, lost } = kept.from(start);
  task.readTo = kept.length;
  const binary = task.run.output.binaryBytes;
  if (binary > 0 && text === "") return `[binary output, ${sizeOf(binary)}, not shown]`;
  if (text === "") return start > 0 ? "(no new output)" : "(no output)";
  const shown = text.length > MOST_CHARS ? text.slice(-MOST_CHARS) : text;
  const left = lost + text.length - shown.length;
  if (left === 0) return shown.trimEnd();
  const where = kept.saved ? `; all of it is in ${kept.saved.file}: read_file can page it` : "";
  return `[${left.toLocaleString("en-US")} characters left out${where}]\n${shown.trimEnd()}`;
}

/** The commands of a session that run beside the conversation: started in the background, or left behind by a shell. */

import type { ProcessEnd } from "../shared/process";
import type { CommandRun } from "./shell/runCommand";

export const MOST_TASKS = 20;

/** One command that runs, or ran, in the background. */
export class ShellTask {
  /** How the shell ended; null while it runs. */
  end: ProcessEnd | null = null;
  endedAt: number | null = null;
  /** Output before this position has been read. */
  readTo = 0;
  /** The model knows that it ended. */
  endSeen = false;

  constructor(
    readonly id: string,
    readonly run: CommandRun,
    /** What is left of a command whose shell has ended. */
    readonly isRemainder: boolean,
  ) {}

  get isRunning(): boolean {
    return this.endedAt === null;
  }

  /** How long it has run, or ran, in milliseconds. */
  get age(): number {
    return (this.endedAt ?? Date.now()) - this.run.startedAt;
  }

  /** `running 34 s`, `exited 0 after 12 s`. */
  get state(): string {
    const seconds = `${Math.round(this.age / 1000)} s`;
    if (this.isRunning) return `running ${seconds}`;
    if (this.end === null) return `ended after ${seconds}`;
    if (this.end.signal) return `killed by ${this.end.signal} after ${seconds}`;
    return `exited ${this.end.code ?? "without a code"} after ${seconds}`;
  }
}

export class ShellTasks {
  private readonly tasks = new Map<string, ShellTask>();
  private readonly foreground = new Set<CommandRun>();
  private count = 0;

  /** Keeps a command that goes on in the background. */
  add(run: CommandRun): ShellTask {
    const task = this.keep(run, false);
    run.ended.then((end) => this.finish(task, end));
    return task;
  }

  /** Keeps what a command left running when its shell ended. */
  addRemainder(run: CommandRun): ShellTask {
    return this.keep(run, true);
  }

  get(id: string): ShellTask | undefined {
    this.lookAfterRemainders();
    return this.tasks.get(id);
  }

  list(): ShellTask[] {
    this.lookAfterRemainders();
    return [...this.tasks.values()];
  }

  get running(): ShellTask[] {
    return this.list().filter((task) => task.isRunning);
  }

  /** Ends a task and all that it started; resolves when it is gone. */
  async kill(task: ShellTask): Promise<void> {
    task.endSeen = true;
    await task.run.process.stop();
    if (task.isRemainder) this.finish(task, null);
    else this.finish(task, await task.run.ended);
  }

  /** Ends everything, foreground commands too: the session is over (guide 12.2). Never rejects. */
  async killAll(): Promise<void> {
    const foreground = [...this.foreground].map((run) => run.process.stop());
    await Promise.all([...foreground, ...this.running.map((task) => this.kill(task))]);
  }

  /** Counts a foreground command as running until `work` settles, so that `killAll` reaches it. */
  async during<T>(run: CommandRun, work: Promise<T>): Promise<T> {
    this.foreground.add(run);
    try {
      return await work;
    } finally {
      this.foreground.delete(run);
    }
  }

  /**
   * One sentence for each task that ended since the last call and whose end the model has not seen. The engine asks
   * before each model call and tells the model.
   */
  takeNotices(): string[] {
    const ended = this.list().filter((task) => !task.isRunning && !task.endSeen);
    return ended.map((task) => {
      task.endSeen = true;
      const command = shortened(task.run.command);
      return `Background task ${task.id} (${command}) ${task.state.replace(/^exited (\d)/, "exited with code $1")}.`;
    });
  }

  private keep(run: CommandRun, isRemainder: boolean): ShellTask {
    const task = new ShellTask(`sh_${++this.count}`, run, isRemainder);
    // A host that forgets us must be able to end; what runs is ended with it.
    run.process.unref();
    this.tasks.set(task.id, task);
    return task;
  }

  private finish(task: ShellTask, end: ProcessEnd | null): void {
    if (!task.isRunning) return;
    task.end = end;
    task.endedAt = Date.now();
    task.run.output.end();
  }

  /** Nobody tells us when a remainder ends. */
  private lookAfterRemainders(): void {
    for (const task of this.tasks.values()) {
      if (task.isRemainder && task.isRunning && !task.run.process.isAlive()) this.finish(task, null);
    }
  }
}

/** One line, eighty characters at most. */
export function shortened(command: string): string {
  const line = command.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Starts a command inside whatever confines it, and knows the marks that a sandbox leaves in its output. */

import { type CommandOptions, type CommandRun, type Outcome, startCommand } from "./runCommand";

/** What a wrapper makes of a command. */
export interface WrappedCommand {
  argv: string[];
  /** The sandbox is in effect: a refusal may be its doing. */
  confined: boolean;
  /** All that the command starts ends with it. */
  endsWithCommand: boolean;
  /** Called when the command has ended, once or more; returns what the model should be told. */
  finish(): string[];
}

/** From the shell's argument list, and the folder it starts in, to what is started. */
export type Wrap = (argv: string[], cwd: string) => Promise<WrappedCommand>;

/** A command under way, with what confines it. */
export type ShellRun = CommandRun & { wrapped: WrappedCommand };

/** Without a wrapper the command is started as it is. Rejects when it cannot be started. */
export async function startWrapped(command: string, options: CommandOptions, wrap?: Wrap): Promise<ShellRun> {
  const argv = [...options.argv];
  const wrapped = (await wrap?.(argv, options.cwd)) ?? unwrapped(argv);
  try {
    const run = await startCommand(command, { ...options, argv: wrapped.argv });
    run.ended.then(() => wrapped.finish());
    return { ...run, wrapped };
  } catch (error) {
    wrapped.finish();
    throw error;
  }
}

export const sandboxNote = "[the sandbox may have blocked this: writable are the workspace and the temporary folder]";

/** True when a failed command's output reads like a refusal by the sandbox. */
export function looksConfined(text: string, outcome: Outcome): boolean {
  return outcome.end?.code !== 0 && /Read-only file system|Operation not permitted|^bwrap: /im.test(text);
}

function unwrapped(argv: string[]): WrappedCommand {
  return { argv, confined: false, endsWithCommand: false, finish: () => [] };
}

/** The slash commands: their table, and what a typed line asks for. Only what works is in the table. */

import type { TextKey } from "./state/texts";

export type CommandName =
  | "help"
  | "model"
  | "mode"
  | "new"
  | "compact"
  | "diff"
  | "rollback"
  | "resume"
  | "retry"
  | "quit";

export interface Command {
  name: CommandName;
  /** What may follow, for the help. */
  argument: string;
  text: TextKey;
  /** It needs the conversation to itself: not while a turn runs. */
  needsQuiet: boolean;
}

export const commands: readonly Command[] = [
  { name: "help", argument: "", text: "commandHelp", needsQuiet: false },
  { name: "model", argument: "[name]", text: "commandModel", needsQuiet: false },
  { name: "mode", argument: "[name]", text: "commandMode", needsQuiet: false },
  { name: "new", argument: "", text: "commandNew", needsQuiet: true },
  { name: "compact", argument: "[focus | undo]", text: "commandCompact", needsQuiet: true },
  { name: "diff", argument: "[turn]", text: "commandDiff", needsQuiet: false },
  { name: "rollback", argument: "[turn]", text: "commandRollback", needsQuiet: true },
  { name: "resume", argument: "[id]", text: "commandResume", needsQuiet: true },
  { name: "retry", argument: "", text: "commandRetry", needsQuiet: true },
  { name: "quit", argument: "", text: "commandQuit", needsQuiet: false },
];

/** Other names of the same commands. */
const aliases: Record<string, CommandName> = { exit: "quit" };

export const modes = ["discuss", "plan", "interactive", "auto"] as const;
export type ModeName = (typeof modes)[number];

export const modeTexts: Record<ModeName, TextKey> = {
  discuss: "modeDiscuss",
  plan: "modePlan",
  interactive: "modeInteractive",
  auto: "modeAuto",
};

export function isModeName(text: string): text is ModeName {
  return (modes as readonly string[]).includes(text);
}

export function nextMode(mode: string): ModeName {
  const at = (modes as readonly string[]).indexOf(mode);
  return modes[(at + 1) % modes.length] ?? "interactive";
}

export type Line =
  | { kind: "command"; command: Command; argument: string }
  | { kind: "unknown"; name: string }
  | { kind: "prompt"; text: string };

/** A line is a command when it is one line that begins with a slash and one word; a path such as `/etc/hosts` is none. */
export function parseLine(text: string): Line {
  const match = /^\/([A-Za-z][\w-]*)(?:[ \t]+(.*))?$/.exec(text.trim());
  if (!match) return { kind: "prompt", text };
  const [, name = "", argument = ""] = match;
  const known = aliases[name] ?? name;
  const command = commands.find((candidate) => candidate.name === known);
  return command ? { kind: "command", command, argument: argument.trim() } : { kind: "unknown", name: `/${name}` };
}

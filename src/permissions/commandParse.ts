/**
 * Reads a command as the shell will, as far as an allow list may trust it: one simple command of literal words.
 * Whatever is more than that, or could be read in two ways, comes back as the reason to ask.
 */

import { type CommandArgument, parse, type Redirection, type Statement, type Word, type WordPart } from "unbash";

/** One word of a simple command. `text` is as typed, `value` is what the program gets. */
export interface CommandWord {
  text: string;
  value: string;
  /** The shell replaces the beginning of the word (`*.ts`, `~/x`), so it may turn into anything, an option too. */
  openStart: boolean;
  /** The word holds a glob. */
  glob: boolean;
}

export type ParsedCommand = { words: CommandWord[] } | { why: string };

/** Longer commands are not judged: a person reads them. */
const MAX_LENGTH = 10_000;
/** The guide's operators (8.5), quoted or not; the backslash has a rule of its own. */
const operator = /[;&|<>`(\n]/;
/** Everything that a shell and a reader may see differently: controls, format characters, odd blanks. */
const deceptive = /(?![ \t\n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** So many blanks push the rest off the screen. */
const padding = /[ \t]{20,}/;
/** On Windows another shell reads the command; only what means the same in all of them passes. */
const sameEverywhere = /^[\w ./:=@,+-]*$/;

/** The words of a simple command, or why it is not one. */
export function parseCommand(command: string): ParsedCommand {
  const why = surfaceFault(command);
  if (why) return { why };
  const script = parse(command);
  const [statement, ...more] = script.commands;
  if (script.errors?.length) return { why: "it could not be read as a shell command" };
  if (!statement) return { why: "it is empty" };
  if (more.length > 0) return { why: "it is more than one command" };
  return simpleCommand(statement);
}

function surfaceFault(command: string): string | undefined {
  if (command.length > MAX_LENGTH) return "it is too long to judge";
  if (deceptive.test(command)) return "it contains hidden or unusual characters";
  if (operator.test(command)) return "it contains a shell operator";
  if (padding.test(command)) return "it contains a long run of blanks";
  if (process.platform === "win32" && !sameEverywhere.test(command))
    return "it contains characters that shells read differently";
  return undefined;
}

function simpleCommand({ command, background }: Statement): ParsedCommand {
  if (command.type !== "Command" || background) return { why: "it is not a simple command" };
  if (!command.name || command.prefix.length > 0) return { why: "it sets a variable in front of the command" };
  const words: CommandWord[] = [];
  for (const item of [command.name, ...command.suffix]) {
    if (!isWord(item)) return { why: "it assigns or redirects" };
    const why = wordFault(item);
    if (why) return { why };
    words.push(readWord(item));
  }
  if (words[0]?.value === "" || words[0]?.openStart || words[0]?.glob)
    return { why: "the program is not named plainly" };
  return { words };
}

function isWord(item: CommandArgument | Redirection): item is Word {
  return item.type === "Word";
}

/** Parts whose text is what the program gets. */
const literal = new Set<WordPart["type"]>(["Literal", "SingleQuoted", "DoubleQuoted", "Glob"]);

function wordFault(word: Word): string | undefined {
  const parts = word.parts ?? [];
  const loose = word.parts ? parts.filter((part) => part.type !== "SingleQuoted") : [word];
  if (loose.some((part) => part.text.includes("\\"))) return "it contains a backslash";
  if (looksExpanded(word.text, loose)) return "it contains something that the shell expands";
  const expands = parts.some(
    (part) =>
      !literal.has(part.type) || (part.type === "DoubleQuoted" && part.parts.some((inner) => inner.type !== "Literal")),
  );
  return expands ? "it contains something that the shell expands" : undefined;
}

/** What bash expands though the parser may take it for text: old arithmetic `$[…]`, and braces that are nested oddly. */
function looksExpanded(text: string, loose: readonly { type: string; text: string }[]): boolean {
  if (loose.some((part) => part.text.includes("$["))) return true;
  return /,|\.\./.test(text) && loose.some((part) => part.type !== "DoubleQuoted" && part.text.includes("{"));
}

function readWord({ text, value, parts = [] }: Word): CommandWord {
  const glob = parts.findIndex((part) => part.type === "Glob");
  const before = glob < 0 ? [] : parts.slice(0, glob);
  const leadingGlob = glob >= 0 && before.every((part) => "value" in part && part.value === "");
  return { text, value, glob: glob >= 0, openStart: leadingGlob || /^[*?~]|^\[./.test(text) };
}

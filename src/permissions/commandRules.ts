/** Which shell commands run without asking: the configured prefixes and what a person allowed for the session (guide 8.5). */

import { type CommandWord, parseCommand } from "./commandParse";
import { dangerIn } from "./dangerousOptions";
import {
  isInterpreter,
  isRememberedExactly,
  isWrapper,
  namesWhatRuns,
  readsOptionsAnywhere,
  wordsBeforeInner,
} from "./runners";

/** `why` completes the sentence "It asks because …"; absent where simply no rule speaks of the command. */
export type CommandVerdict = { allowed: true; rule: string } | { allowed: false; why?: string };

/** One rule: the words that a command must begin with, or be. */
interface Rule {
  text: string;
  words: string[];
  /** Only this very command, nothing behind it. */
  exact: boolean;
}

export class CommandRules {
  private readonly configured: Rule[];
  private readonly session = new Map<string, Rule>();

  constructor(allowedCommands: readonly string[] = []) {
    this.configured = allowedCommands.flatMap((entry) => configuredRule(entry) ?? []);
  }

  /** The decision on one command. Nothing is allowed that is not understood whole. */
  judge(command: string): CommandVerdict {
    const parsed = parseCommand(command);
    if ("why" in parsed) return { allowed: false, why: parsed.why };
    let refusal: string | undefined;
    for (const rule of [...this.configured, ...this.session.values()]) {
      if (!matches(rule, parsed.words)) continue;
      const why = rule.exact ? undefined : beyondRule(rule, parsed.words);
      if (why === undefined) return { allowed: true, rule: rule.text };
      refusal ??= why;
    }
    return refusal === undefined ? { allowed: false } : { allowed: false, why: refusal };
  }

  /** Remembers a command for the session; returns the rule as listed, or undefined where none can be made. */
  allowForSession(command: string): string | undefined {
    const rule = sessionRule(command);
    if (rule) this.session.set(rule.text, rule);
    return rule?.text;
  }

  get hasRules(): boolean {
    return this.configured.length + this.session.size > 0;
  }

  /** The session's rules, as `allowForSession` takes them again after a restart. */
  get sessionList(): string[] {
    return [...this.session.keys()];
  }
}

/** What "always allow this command" would remember: the program, the very command, or nothing (undefined). */
export function sessionRuleOf(command: string): string | undefined {
  return sessionRule(command)?.text;
}

function sessionRule(command: string): Rule | undefined {
  const parsed = parseCommand(command);
  if ("why" in parsed) return undefined;
  const [program] = parsed.words;
  if (!program) return undefined;
  const exact = isRememberedExactly(program.value);
  const kept = exact ? parsed.words : [program];
  return { text: kept.map((word) => word.text).join(" "), words: kept.map(exact ? textOfWord : valueOfWord), exact };
}

/** Entries are read like commands; one that the shell would expand or split matches nothing. */
function configuredRule(entry: string): Rule | undefined {
  const parsed = parseCommand(entry.trim());
  if ("why" in parsed || parsed.words.some((word) => word.glob || word.openStart)) return undefined;
  return { text: entry.trim(), words: parsed.words.map(valueOfWord), exact: false };
}

function matches(rule: Rule, words: CommandWord[]): boolean {
  if (rule.exact ? words.length !== rule.words.length : words.length < rule.words.length) return false;
  const read = rule.exact ? textOfWord : valueOfWord;
  return rule.words.every((expected, index) => {
    const word = words[index];
    return word !== undefined && (rule.exact || !(word.glob || word.openStart)) && read(word) === expected;
  });
}

/** Why the words behind the rule's own may not ride on it. */
function beyondRule(rule: Rule, words: CommandWord[]): string | undefined {
  const program = rule.words[0] ?? "";
  if (words.length === rule.words.length && rule.words.length > 1) return undefined;
  if (isWrapper(program)) return `${program} runs what its arguments say`;
  if (isInterpreter(program) && !namesWhatRuns(rule.words)) return `${program} runs what its arguments say`;
  if (!isInterpreter(program) || readsOptionsAnywhere(program)) return dangerIn(words, rule.words.length);
  const inner = wordsBeforeInner(rule.words);
  return inner === 0 ? undefined : dangerIn(words.slice(inner), rule.words.length - inner);
}

function textOfWord(word: CommandWord): string {
  return word.text;
}

function valueOfWord(word: CommandWord): string {
  return word.value;
}

/**
 * Options under which an allowed program runs another program or writes a file (guide 8.5, declared departure). An
 * unknown program follows the plain prefix rule, but for option names that say it themselves.
 */

import type { CommandWord } from "./commandParse";
import { gitDanger } from "./gitOptions";
import { hasLongOption, hasShortOption, type OptionRule, optionRules, readers } from "./optionRules";
import { awkDanger, makeDanger, secondOperandDanger, sedDanger, tarDanger } from "./programRules";

/** Looks at the words of one command; `from` is the first word that no rule has named. Returns the word at fault. */
export type DangerCheck = (words: CommandWord[], from: number) => string | undefined;

const checks = new Map<string, DangerCheck>([
  ["git", gitDanger],
  ["sed", sedDanger],
  ["gsed", sedDanger],
  ["awk", awkDanger],
  ["gawk", awkDanger],
  ["mawk", awkDanger],
  ["nawk", awkDanger],
  ["tar", tarDanger],
  ["gtar", tarDanger],
  ["bsdtar", tarDanger],
  ["make", makeDanger],
  ["gmake", makeDanger],
  ["uniq", secondOperandDanger],
  ["xxd", secondOperandDanger],
]);

/** Long options that speak for themselves, whatever the program. */
const tellingOptions: OptionRule = {
  wholeNames: true,
  long: ["output", "output-file", "exec", "eval", "command", "script-shell"],
};

/** Environments and memories of processes, our own with the key among them. */
const processSecrets = /\/proc\/[^/]+\/(?:.*\/)?(?:environ|mem|auxv)$/;

/** Why the command must be asked about, or undefined. Words before `from` were named by the rule that allows it. */
export function dangerIn(words: CommandWord[], from: number): string | undefined {
  const program = words[0]?.value ?? "";
  const name = program.slice(program.lastIndexOf("/") + 1);
  const secret = words.find(({ value }, at) => at >= from && processSecrets.test(value));
  if (secret) return `${secret.text} holds the secrets of another program`;
  if (readers.has(name)) return undefined;
  const open = words.find((word, at) => at >= from && (word.openStart || (word.glob && word.value.startsWith("-"))));
  if (open) return `${open.text} may turn into an option`;
  const check = checks.get(name) ?? ruleCheck(optionRules.get(name) ?? tellingOptions);
  const fault = check(words, from);
  return fault === undefined ? undefined : `${fault} may run a program or write a file`;
}

function ruleCheck(rule: OptionRule): DangerCheck {
  return (words, from) => {
    for (const [at, { value }] of words.entries()) {
      if (at === 0) continue;
      if (value === "--" && !rule.ignoresDashDash) return undefined;
      if (at >= from && isDangerous(rule, value)) return value;
      if (at >= from && rule.operands?.has(value)) return value;
    }
    return undefined;
  };
}

function isDangerous(rule: OptionRule, word: string): boolean {
  return (
    hasLongOption(rule.long ?? [], word, rule.wholeNames) ||
    hasShortOption(rule, word) ||
    (rule.single ?? []).some((name) => word === name || word.startsWith(`${name}=`)) ||
    (rule.words?.test(word) ?? false)
  );
}

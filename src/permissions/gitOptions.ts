/** What git runs or writes because of its arguments: global options, sub-commands that start programs, diff outputs. */

import type { CommandWord } from "./commandParse";
import { hasLongOption, hasShortOption } from "./optionRules";

const set = (text: string): Set<string> => new Set(text.split(/\s+/).filter(Boolean));

/** In front of the sub-command only these are harmless; `-c`, `-C`, `--exec-path` and the like change what git runs. */
const harmlessGlobals = set(`--no-pager -P --version -v --help -h --no-optional-locks --literal-pathspecs
  --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects --no-lazy-fetch --bare`);

/** Built-in sub-commands whose arguments decide. Anything else may be an alias or a helper that runs a program. */
const ordinary = set(`add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore
  check-ref-format checkout cherry cherry-pick clean clone column commit commit-graph count-objects describe diff
  diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object help init log ls-files
  ls-remote ls-tree merge merge-base merge-tree mv name-rev notes patch-id prune pull push range-diff rebase reflog
  remote repack reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash
  status stripspace submodule switch symbolic-ref tag update-index update-ref var verify-commit verify-pack verify-tag
  version whatchanged worktree write-tree`);

/** Second words under which a sub-command runs what it is given. */
const runningSecond = new Map([
  ["bisect", set("run view visualize")],
  ["submodule", set("foreach add update")],
  ["bundle", set("create")],
]);

const dangerousLong = `output output-directory ext-diff textconv open-files-in-pager ext-grep exec upload-pack
  receive-pack upload-archive template config extcmd server-option interactive-exec run-program filters`
  .split(/\s+/)
  .filter(Boolean);

/** Short options that run or write, for each sub-command; a bundle ends at a letter that takes a value. */
const dangerousShort = new Map([
  ["grep", { short: "O", valued: "efABCm" }],
  ["archive", { short: "o" }],
  ["format-patch", { short: "o", valued: "vN" }],
  ["clone", { short: "uc", valued: "bjo" }],
  ["rebase", { short: "x", valued: "sXC" }],
  ["difftool", { short: "x" }],
]);

/** The word of a git command that may run a program or write a file. */
export function gitDanger(words: CommandWord[], from: number): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && !word.value.startsWith("-"));
  const end = at < 0 ? words.length : at;
  const wrongGlobal = words.find(
    (word, index) => index > 0 && index < end && index >= from && !harmlessGlobals.has(word.value),
  );
  if (wrongGlobal) return wrongGlobal.value;
  if (at < 0) return undefined;
  const command = words[at]?.value ?? "";
  if (at >= from && !ordinary.has(command)) return `git ${command}`;
  return argumentDanger(words, { command, at, from });
}

function argumentDanger(
  words: CommandWord[],
  place: { command: string; at: number; from: number },
): string | undefined {
  const { command, at, from } = place;
  const second = words[at + 1]?.value ?? "";
  if (at + 1 >= from && runningSecond.get(command)?.has(second)) return `git ${command} ${second}`;
  const short = dangerousShort.get(command);
  let optionsOver = false;
  for (const [index, { value }] of words.entries()) {
    if (index <= at) continue;
    if (/(?:^|=)(?:ext|fd)::/.test(value) && index >= from) return value;
    if (value === "--") optionsOver = true;
    if (optionsOver || index < from) continue;
    if (hasLongOption(dangerousLong, value) || (short && hasShortOption(short, value))) return value;
  }
  return undefined;
}

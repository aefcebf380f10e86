/** Programs whose arguments are little languages: sed and awk scripts, tar modes, make variables, second operands. */

import type { CommandWord } from "./commandParse";

/** sed: options and scripts that can only print. Everything else edits, writes, reads a script or runs a program. */
export function sedDanger(words: CommandWord[], from: number): string | undefined {
  let script = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at]?.value ?? "";
    const inline = /^(?:--expression=|-[nErsuz]*e)(.*)$/.exec(word)?.[1];
    if (inline !== undefined) {
      script = true;
      const text = inline === "" ? (words[++at]?.value ?? "") : inline;
      if (at >= from && !isPrintingSedScript(text)) return text || word;
    } else if (/^-/.test(word)) {
      if (
        at >= from &&
        !/^-[nErsuz]+$|^--(quiet|silent|regexp-extended|posix|separate|unbuffered|null-data|version|help)$/.test(word)
      )
        return word;
    } else if (!script) {
      script = true;
      if (at >= from && !isPrintingSedScript(word)) return word;
    }
  }
  return undefined;
}

/** One address or range, then p, d, q, =, l, or a plain substitution without the flags that write or run. */
function isPrintingSedScript(script: string): boolean {
  const address = String.raw`(?:\d+|\$|\d+~\d+|/[^/\\]*/I?)`;
  const place = String.raw`(?:${address}(?:,(?:${address}|[+~]\d+))?)?\s*!?\s*`;
  if (new RegExp(String.raw`^\s*${place}(?:[pdl=]|q\d*)?\s*$`).test(script)) return true;
  return new RegExp(String.raw`^\s*${place}s([^\w\s\\])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpIiMm\d]*\s*$`).test(script);
}

/**
 * awk: a program text that calls nothing. Parentheses, pipes and redirects ask by the operator rule already; what is
 * left is code from elsewhere: `-f`, `-i`, `-l`, `@load` and gawk's options that write.
 */
export function awkDanger(words: CommandWord[], from: number): string | undefined {
  let hasProgram = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at]?.value ?? "";
    if (!hasProgram && (word === "-F" || word === "-v")) at++;
    else if (!hasProgram && (/^-[Fv]./.test(word) || word === "--")) continue;
    else if (word.startsWith("-")) {
      if (at >= from) return word;
    } else if (!hasProgram) {
      hasProgram = true;
      if (at >= from && /@|\bgetline\b|\bsystem\b/.test(word)) return word;
    }
  }
  return undefined;
}

/** tar: only listing, with options that choose a format. An archive name with a colon is fetched through a program. */
export function tarDanger(words: CommandWord[], from: number): string | undefined {
  const harmless =
    /^--(list|verbose|gzip|bzip2|xz|zstd|auto-compress|wildcards|no-wildcards|force-local|file=.*|directory=.*|exclude=.*|strip-components=.*)$/;
  for (const [at, { value }] of words.entries()) {
    if (at === 0 || at < from) continue;
    const oldStyle = at === 1 && !value.startsWith("-");
    if (oldStyle && !/^[tvzjJaf]+$/.test(value)) return value;
    if (/^-[^-]/.test(value) && !/^-[tvzjJa]*(f.*)?$/.test(value)) return value;
    if (value.startsWith("--") && !harmless.test(value)) return value;
    if (value.includes(":")) return value;
  }
  return undefined;
}

/** make: targets and job counts only. A variable on the command line can name another shell or compiler. */
export function makeDanger(words: CommandWord[], from: number): string | undefined {
  const harmless =
    /^-([knsBiwqt]+|j\d*|l[\d.]*|O\w*)$|^--(keep-going|dry-run|just-print|silent|quiet|always-make|jobs(=\d+)?|question|touch|trace|no-print-directory|version|help)$/;
  const wrong = words.find(
    ({ value }, at) =>
      at > 0 &&
      at >= from &&
      (value.includes("=") ? !/^--jobs=\d+$/.test(value) : value.startsWith("-") && !harmless.test(value)),
  );
  return wrong?.value;
}

/** uniq and xxd write to their second operand; xxd also with -r. */
export function secondOperandDanger(words: CommandWord[], from: number): string | undefined {
  const operands = words
    .map((word, at) => ({ ...word, at }))
    .filter(({ value, at }) => at > 0 && !value.startsWith("-"));
  const revert = words.findIndex(({ value }, at) => at >= from && words[0]?.value === "xxd" && /^-r/.test(value));
  if (revert > 0) return words[revert]?.value;
  const second = operands[1];
  return second && second.at >= from ? second.value : undefined;
}

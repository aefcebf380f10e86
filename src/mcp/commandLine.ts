/** Splits the one-string form of a server's command into program and arguments (guide 15.2). */

import { ZqError } from "../shared/errors";

/**
 * Words of a command line: blanks part them, quotes hold them together. A backslash only acts before a blank, a quote or
 * another backslash, so that Windows paths survive. Nothing is expanded; no shell is meant.
 *
 * @throws ZqError `invalid_command` where a quote is not closed
 */
export function splitCommandLine(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (char === "\\" && escapes(quote, next)) {
      word = (word ?? "") + next;
      at += 1;
    } else if (quote) {
      if (char === quote) quote = "";
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote) throw new ZqError("invalid_command", `The command has a ${quote} that is not closed: ${text}`);
  if (word !== null) words.push(word);
  return words;
}

function escapes(quote: string, next: string): boolean {
  if (quote === "'") return false;
  return quote === '"' ? next === '"' || next === "\\" : next !== "" && /[\s"'\\]/.test(next);
}

/** Character classes of the search syntax, as JavaScript writes them with the `v` flag. */

import { POSIX_CLASSES } from "../walk/gitignore";
import { escapeLiteral, InvalidSyntax, readEscape, type SyntaxFlags } from "./rustEscape";

/** Translates the class that starts at `start` (a `[`). Returns its source and where it ends. */
export function readClass(pattern: string, start: number, flags: SyntaxFlags): { source: string; end: number } {
  let at = start + 1;
  const isNegated = pattern[at] === "^";
  if (isNegated) at += 1;
  const items: string[] = [];
  for (let first = true; ; first = false) {
    if (at >= pattern.length) throw new InvalidSyntax("unclosed character class");
    if (pattern[at] === "]" && !first) break;
    const item = readItem(pattern, at, flags);
    const range = item.isSingle ? readRange(pattern, item.end, flags) : undefined;
    items.push(range ? `${item.source}-${range.source}` : item.source);
    at = range?.end ?? item.end;
  }
  return { source: `[${isNegated ? "^" : ""}${items.join("")}]`, end: at + 1 };
}

interface Item {
  source: string;
  end: number;
  /** True for one character, which may begin or end a range. */
  isSingle: boolean;
}

function readItem(pattern: string, at: number, flags: SyntaxFlags): Item {
  const named = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(at, at + 20));
  if (named) {
    const inside = POSIX_CLASSES[named[2] ?? ""];
    if (inside === undefined) throw new InvalidSyntax("unrecognized POSIX class");
    return { source: `[${named[1] ?? ""}${inside}]`, end: at + named[0].length, isSingle: false };
  }
  if (pattern[at] === "[") return { ...readClass(pattern, at, flags), isSingle: false };
  if (pattern[at] === "\\") return readEscape(pattern, at, { ...flags, inClass: true });
  if (/^(&&|--|~~)/.test(pattern.slice(at, at + 2)) && pattern[at + 2] !== "]") {
    throw new InvalidSyntax("set operations in a class need ripgrep");
  }
  const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  return { source: escapeLiteral(char), end: at + char.length, isSingle: true };
}

/** The second end of a range, where a `-` that is not the last of its class follows. */
function readRange(pattern: string, at: number, flags: SyntaxFlags): Item | undefined {
  if (pattern[at] !== "-" || pattern[at + 1] === "]" || pattern[at + 1] === undefined || pattern[at + 1] === "-") {
    return undefined;
  }
  const end = readItem(pattern, at + 1, flags);
  if (!end.isSingle) throw new InvalidSyntax("invalid character class range");
  return end;
}

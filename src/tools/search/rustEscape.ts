/** Backslash escapes of the search syntax, as JavaScript writes them with the `v` flag. */

/** A pattern that is not valid; the message is a few words. */
export class InvalidSyntax extends Error {}

export interface SyntaxFlags {
  /** `.` takes line ends. */
  s: boolean;
  /** `^` and `$` match at lines. */
  m: boolean;
  /** Blanks and comments in the pattern do not count. */
  x: boolean;
  /** Ignore case from here on, where it is not so for the whole pattern. */
  i: boolean;
}

/** What counts as part of a word: Unicode's definition, which JavaScript's `\w` is not. */
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
const WORD_START = `(?<![${WORD}])(?=[${WORD}])`;
const WORD_END = `(?<=[${WORD}])(?![${WORD}])`;

const CLASS_ESCAPES: Record<string, string> = {
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  s: "\\p{White_Space}",
  S: "\\P{White_Space}",
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
};

const CONTROL_ESCAPES: Record<string, string> = { n: "\\n", t: "\\t", r: "\\r", f: "\\f", v: "\\v", a: "\\x07" };

const ASSERTIONS: Record<string, string> = {
  A: "^",
  z: "$",
  "<": WORD_START,
  ">": WORD_END,
  b: `(?:${WORD_START}|${WORD_END})`,
  B: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`,
  "b{start}": WORD_START,
  "b{end}": WORD_END,
  "b{start-half}": `(?<![${WORD}])`,
  "b{end-half}": `(?![${WORD}])`,
};

/** Translates the escape at `at` (a backslash). `isSingle`: it stands for one character. */
export function readEscape(
  pattern: string,
  at: number,
  options: { inClass: boolean },
): { source: string; end: number; isSingle: boolean } {
  const char = String.fromCodePoint(pattern.codePointAt(at + 1) ?? 0);
  const end = at + 1 + char.length;
  if (at + 1 >= pattern.length) throw new InvalidSyntax("incomplete escape sequence");
  if (/[xuU]/.test(char)) return readCodePoint(pattern, at);
  if (/[pP]/.test(char)) return readProperty(pattern, at);
  const control = CONTROL_ESCAPES[char];
  if (control) return { source: control, end, isSingle: true };
  const set = CLASS_ESCAPES[char];
  if (set) return { source: set, end, isSingle: false };
  if (!options.inClass) {
    const named = /^b\{(start|end)(-half)?\}/.exec(pattern.slice(at + 1))?.[0] ?? char;
    const assertion = Object.hasOwn(ASSERTIONS, named) ? ASSERTIONS[named] : undefined;
    if (assertion) return { source: `(?:${assertion})`, end: at + 1 + named.length, isSingle: false };
    if (/[1-9]/.test(char)) return { source: `\\${char}`, end, isSingle: false };
  }
  if (/[0-9A-Za-z<>\u0080-\u{10ffff}]/u.test(char)) throw new InvalidSyntax("unrecognized escape sequence");
  return { source: escapeLiteral(char), end, isSingle: true };
}

/** One character of plain text, safe inside and outside of a class. */
export function escapeLiteral(char: string): string {
  if (char === "\n") return "\\n";
  return /[\\^$.*+?()[\]{}|/&!#%,:;<=>@`~"'-]/.test(char) ? `\\u{${char.charCodeAt(0).toString(16)}}` : char;
}

function readCodePoint(pattern: string, at: number): { source: string; end: number; isSingle: boolean } {
  const found = /^\\(?:[xuU]\{([0-9a-fA-F]{1,8})\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(
    pattern.slice(at, at + 16),
  );
  const hex = found?.[1] ?? found?.[2] ?? found?.[3] ?? found?.[4];
  if (!found || !hex || Number.parseInt(hex, 16) > 0x10ffff) throw new InvalidSyntax("invalid hexadecimal escape");
  return { source: `\\u{${hex.replace(/^0+(?=.)/, "")}}`, end: at + found[0].length, isSingle: true };
}

/** `\pL`, `\p{Greek}`, `\p{^L}`: JavaScript wants the exact name, and `Script=` in front of scripts. */
function readProperty(pattern: string, at: number): { source: string; end: number; isSingle: boolean } {
  const found = /^\\([pP])(?:\{(\^?)([^}]+)\}|([A-Za-z]))/.exec(pattern.slice(at, at + 60));
  const name = found?.[3] ?? found?.[4];
  if (!found || name === undefined) throw new InvalidSyntax("incomplete Unicode class");
  const isNegated = (found[1] === "P") !== (found[2] === "^");
  const proper = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const known = [name, proper, `Script=${proper}`].find(isKnownProperty);
  if (!known) throw new InvalidSyntax("Unicode property not found");
  return { source: `\\${isNegated ? "P" : "p"}{${known}}`, end: at + found[0].length, isSingle: false };
}

function isKnownProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, "v") !== null;
  } catch {
    return false;
  }
}

/** ripgrep's regular expressions in JavaScript's, so that our own walker finds what ripgrep finds. */

import { readClass } from "./rustClass";
import { escapeLiteral, InvalidSyntax, readEscape, type SyntaxFlags } from "./rustEscape";

export interface RegexOptions {
  isLiteral: boolean;
  ignoreCase: boolean;
  dotAll: boolean;
}

/** Compiles a pattern (global, Unicode), or says in a few words what is wrong with it. */
export function compileRustRegex(pattern: string, options: RegexOptions): RegExp | { invalid: string } {
  try {
    if (options.isLiteral) return new RegExp(literalSource(pattern), options.ignoreCase ? "giv" : "gv");
    const { source, ignoreCase } = new Translator(pattern, options.dotAll).run();
    return new RegExp(source, options.ignoreCase || ignoreCase ? "giv" : "gv");
  } catch (error) {
    return { invalid: error instanceof InvalidSyntax ? error.message : reasonOf(error) };
  }
}

function literalSource(text: string): string {
  return [...text].map(escapeLiteral).join("");
}

/** V8's words in those that ripgrep uses. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const known = REASONS.find(([words]) => words.test(message));
  return known?.[1] ?? message.replace(/^.*: /, "");
}

const REASONS: [RegExp, string][] = [
  [/Unterminated group/, "unclosed group"],
  [/Unmatched '\)'/, "unopened group"],
  [/Nothing to repeat/, "repetition operator missing expression"],
  [/out of order in \{\}/, "invalid repetition count range"],
  [/out of order/, "invalid character class range"],
  [/capture group name/i, "invalid capture group name"],
];

// With CRLF as a line end, no place between the two is a line's end or start. Written without negated classes: V8
// takes the middle of a surrogate pair for a place where those do not match.
const LINE_START = "(?:(?<=^|\\n|\\r(?!\\n)))";
const LINE_END = "(?:(?=$|\\r|\\n)(?<!\\r(?=\\n)))";
const TEXT_START = "(?:^)";
const TEXT_END = "(?:$)";

class Translator {
  private at = 0;
  private readonly out: string[] = [];
  /** Where the last thing that can be repeated begins in `out`, and whether it is repeated already. */
  private atom: number | undefined;
  private isRepeated = false;
  private readonly groups: { start: number; flags: SyntaxFlags }[] = [];
  private flags: SyntaxFlags;
  private ignoreCase = false;

  constructor(
    private readonly pattern: string,
    dotAll: boolean,
  ) {
    this.flags = { s: dotAll, m: true, x: false, i: false };
  }

  run(): { source: string; ignoreCase: boolean } {
    while (this.at < this.pattern.length) this.step();
    if (this.groups.length > 0) throw new InvalidSyntax("unclosed group");
    return { source: this.out.join(""), ignoreCase: this.ignoreCase };
  }

  private step(): void {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    if (this.flags.x && this.skipBlank(char)) return;
    if (char === "\\") this.take(readEscape(this.pattern, this.at, { inClass: false }));
    else if (char === "[") this.take(readClass(this.pattern, this.at, this.flags));
    else if (char === "(") this.openGroup();
    else if (char === ")") this.closeGroup();
    else if (/[*+?{]/.test(char)) this.repeat();
    else if (char === "|") this.alternate();
    else this.take({ source: this.simple(char), end: this.at + char.length });
  }

  private alternate(): void {
    this.out.push("|");
    this.at += 1;
    this.atom = undefined;
  }

  private simple(char: string): string {
    if (char === ".") return this.flags.s ? "[\\s\\S]" : "[^\\r\\n]";
    if (char === "^") return this.flags.m ? LINE_START : TEXT_START;
    if (char === "$") return this.flags.m ? LINE_END : TEXT_END;
    const [lower, upper] = [char.toLowerCase(), char.toUpperCase()];
    if (this.flags.i && lower !== upper && lower.length === upper.length) return `[${lower}${upper}]`;
    return escapeLiteral(char);
  }

  private skipBlank(char: string): boolean {
    if (!/[\s#]/.test(char)) return false;
    const end = char === "#" ? this.pattern.indexOf("\n", this.at) : this.at + 1;
    this.at = end < 0 ? this.pattern.length : end;
    return true;
  }

  private take({ source, end }: { source: string; end: number }): void {
    this.atom = this.out.length;
    this.isRepeated = false;
    this.out.push(source);
    this.at = end;
  }

  private repeat(): void {
    const count = /^(?:[*+?]|\{\s*(\d+)\s*(,?)\s*(\d*)\s*\})/.exec(this.pattern.slice(this.at, this.at + 40));
    if (this.atom === undefined) throw new InvalidSyntax("repetition operator missing expression");
    if (!count) throw new InvalidSyntax("repetition quantifier expects a valid decimal");
    // `a++` repeats a repetition here; in JavaScript it must be put in a group first.
    if (this.isRepeated) this.out.splice(this.atom, Infinity, `(?:${this.out.slice(this.atom).join("")})`);
    this.at += count[0].length;
    const isLazy = this.pattern[this.at] === "?";
    if (isLazy) this.at += 1;
    const times = count[0].startsWith("{") ? `{${count[1]}${count[2]}${count[3]}}` : count[0];
    this.out.push(times + (isLazy ? "?" : ""));
    this.isRepeated = true;
  }

  private openGroup(): void {
    const rest = this.pattern.slice(this.at, this.at + 200);
    const flags = /^\(\?(?!P)([a-zA-Z-]+)([:)])/.exec(rest);
    const back = /^\(\?P=(\w+)\)/.exec(rest);
    if (flags) this.setFlags(flags);
    else if (back) this.take({ source: `\\k<${back[1]}>`, end: this.at + back[0].length });
    else {
      const head = /^\((?:\?(?:P?<(?![=!])([^>]+)>|[:=!]|<[=!]))?/.exec(rest)?.[0] ?? "(";
      this.open(head.replace("?P<", "?<"), head.length, this.flags);
    }
  }

  /** `(?i)` holds to the end of its group, `(?i:…)` inside its own. */
  private setFlags([whole, letters = "", end]: RegExpExecArray): void {
    const [on = "", off = ""] = letters.split("-");
    if (/[^imsxuR]/.test(on + off)) throw new InvalidSyntax("unrecognized flag");
    const flags = { ...this.flags };
    for (const name of ["s", "m", "x", "i"] as const)
      flags[name] = on.includes(name) || (flags[name] && !off.includes(name));
    const isForAll = this.out.length === 0 && this.groups.length === 0 && end === ")" && on.includes("i");
    if (isForAll) {
      this.ignoreCase = true;
      flags.i = false;
    }
    if (end === ":") this.open("(?:", whole.length, flags);
    else {
      this.flags = flags;
      this.at += whole.length;
      this.atom = undefined;
    }
  }

  private open(source: string, length: number, flags: SyntaxFlags): void {
    this.groups.push({ start: this.out.length, flags: this.flags });
    this.flags = flags;
    this.out.push(source);
    this.at += length;
    this.atom = undefined;
  }

  private closeGroup(): void {
    const group = this.groups.pop();
    if (!group) throw new InvalidSyntax("unopened group");
    this.out.push(")");
    this.at += 1;
    this.flags = group.flags;
    this.atom = group.start;
    this.isRepeated = false;
  }
}

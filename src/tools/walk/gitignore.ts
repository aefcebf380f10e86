/** The rules of one .gitignore file, for one path at a time: the walk asks folder by folder, so parents are settled. */

/** What a rule file says of a path: ignored, expressly kept, or nothing. */
export type Verdict = "ignored" | "kept" | undefined;

interface Rule {
  isKept: boolean;
  onlyFolders: boolean;
  matches(path: string, name: string): boolean;
}

/** Rules as written, in order: the last one that matches decides. */
export class GitignoreRules {
  private readonly rules: Rule[];

  constructor(text: string) {
    this.rules = text.split(/\r?\n/).flatMap((line) => parseRule(line) ?? []);
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** `path` is relative to the folder of the rules, with `/`. */
  verdict(path: string, isFolder: boolean): Verdict {
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (let at = this.rules.length - 1; at >= 0; at--) {
      const rule = this.rules[at];
      if (!rule || (rule.onlyFolders && !isFolder) || !rule.matches(path, name)) continue;
      return rule.isKept ? "kept" : "ignored";
    }
    return undefined;
  }
}

function parseRule(line: string): Rule | undefined {
  let pattern = withoutTrailingBlanks(line);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const isKept = pattern.startsWith("!");
  if (isKept) pattern = pattern.slice(1);
  const onlyFolders = pattern.endsWith("/");
  if (onlyFolders) pattern = pattern.slice(0, -1);
  const isAnchored = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  const matches = pattern === "" ? undefined : matcherOf(pattern, isAnchored);
  return matches && { isKept, onlyFolders, matches };
}

/** Blanks at the end do not count unless a backslash keeps them. */
function withoutTrailingBlanks(line: string): string {
  return line.replace(/(\\[\s\S])|[ \t]+$/g, (_all, escaped: string | undefined) => escaped ?? "");
}

function matcherOf(pattern: string, isAnchored: boolean): Rule["matches"] | undefined {
  const isPlain = !/[*?[\\]/.test(pattern);
  if (isPlain) return isAnchored ? (path) => path === pattern : (_path, name) => name === pattern;
  const suffix = isAnchored ? undefined : /^\*([^*?[\\/]+)$/.exec(pattern)?.[1];
  if (suffix !== undefined) return (_path, name) => name.endsWith(suffix);
  const source = regexSource(pattern);
  if (source === undefined) return undefined;
  const regex = compiled(`^${source}$`);
  return regex && (isAnchored ? (path) => regex.test(path) : (_path, name) => regex.test(name));
}

function compiled(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "su");
  } catch {
    return undefined;
  }
}

/** git's wildcards as a regular expression; undefined where the pattern is broken and so matches nothing. */
function regexSource(pattern: string): string | undefined {
  let source = "";
  let at = 0;
  while (at < pattern.length) {
    const folders = /^(\*\*\/|\/\*\*\/|\/\*\*$)/.exec(pattern.slice(at))?.[0];
    if (folders && (folders.startsWith("/") || at === 0)) {
      source += FOLDERS[folders] ?? "";
      at += folders.length;
      continue;
    }
    const char = pattern.charAt(at);
    if (char === "[") {
      const set = setSource(pattern, at);
      if (!set) return undefined;
      source += set.source;
      at = set.end;
      continue;
    }
    if (char === "\\" && at + 1 >= pattern.length) return undefined;
    if (char === "\\") source += escaped(pattern.charAt(++at));
    else source += char === "*" ? "[^/]*" : char === "?" ? "[^/]" : escaped(char);
    at += 1;
  }
  return source;
}

const FOLDERS: Record<string, string> = { "**/": "(?:.*/)?", "/**/": "/(?:.*/)?", "/**": "/.+" };

function setSource(pattern: string, start: number): { source: string; end: number } | undefined {
  let at = start + 1;
  const isNegated = /[!^]/.test(pattern.charAt(at));
  if (isNegated) at += 1;
  let inside = "";
  for (let first = true; at < pattern.length; first = false) {
    const named = /^\[:(\w+):\]/.exec(pattern.slice(at));
    const char = pattern.charAt(at);
    if (char === "]" && !first) return { source: `(?!/)[${isNegated ? "^" : ""}${inside}]`, end: at + 1 };
    if (named) inside += POSIX_CLASSES[named[1] ?? ""] ?? "";
    else if (char === "\\") inside += `\\u{${pattern.codePointAt(at + 1)?.toString(16) ?? "5c"}}`;
    else inside += char === "-" ? "-" : escaped(char);
    at += named ? named[0].length : char === "\\" ? 2 : 1;
  }
  return undefined;
}

/** Insides of character classes, for sets here and for the patterns of grep. */
export const POSIX_CLASSES: Record<string, string> = {
  alpha: "a-zA-Z",
  digit: "0-9",
  alnum: "a-zA-Z0-9",
  upper: "A-Z",
  lower: "a-z",
  space: "\\t\\n\\v\\f\\r ",
  blank: "\\t ",
  punct: "!-\\/:-@\\[-`\\{-~",
  print: " -~",
  graph: "!-~",
  cntrl: "\\u0000-\\u001f\\u007f",
  xdigit: "0-9A-Fa-f",
  word: "\\w",
  ascii: "\\u0000-\\u007f",
};

function escaped(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

/** The head of one file in a unified diff: names, renames, modes, and which form of a name is the real path. */

import { EditRefused } from "../match/refusal";

export interface DiffHeader {
  /** Paths before and after; `null`: the file is not there. `exists` decides between forms of a name. */
  resolve(exists: (path: string) => boolean): { old: string | null; fresh: string | null };
  /** The mode that the diff sets, if it does. */
  isExecutable?: boolean;
}

/** Models leave out the `---` line, too: then `+++` stands right before the first hunk. */
export function isHeaderStart(lines: readonly string[], at: number): boolean {
  const [line = "", next = ""] = [lines[at], lines[at + 1]];
  if (line.startsWith("diff --git ")) return true;
  if (/^\+\+\+ \S/.test(line)) return next.startsWith("@@");
  return /^--- \S/.test(line) && /^\+\+\+ \S/.test(next);
}

interface Names {
  git?: [string, string];
  old?: string;
  fresh?: string;
  renameFrom?: string;
  renameTo?: string;
  isNew?: boolean;
  isDeleted?: boolean;
  isExecutable?: boolean;
}

/** Reads from a header's first line to the line before its first hunk. */
export function parseHeader(lines: readonly string[], start: number): { header: DiffHeader; next: number } {
  const names: Names = {};
  let at = start;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (at > start && line.startsWith("diff --git ")) break;
    if (names.fresh !== undefined || !readLine(line, lines[at + 1] ?? "", names)) break;
  }
  const mode = names.isExecutable === undefined ? {} : { isExecutable: names.isExecutable };
  return { header: { resolve: (exists) => resolveNames(names, exists), ...mode }, next: at };
}

/** False when the line is no part of a header. */
function readLine(line: string, next: string, names: Names): boolean {
  const [, word = "", rest = ""] = EXTENDED.exec(line) ?? [];
  if (line.startsWith("diff --git ")) names.git = gitNames(line.slice(11));
  else if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) names.old = fileName(line.slice(4));
  else if (/^\+\+\+ \S/.test(line)) names.fresh = fileName(line.slice(4));
  else if (/^(?:GIT binary patch|Binary files )/.test(line)) throw new EditRefused("A binary patch cannot be applied.");
  else if (word === "") return /^(?:index |similarity |dissimilarity |Index: |={5,}$)/.test(line);
  else readExtended(word, rest, names);
  return true;
}

const EXTENDED = /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to) (.*)$/s;

function readExtended(word: string, rest: string, names: Names): void {
  if (word.startsWith("copy")) throw new EditRefused("A diff that copies a file is not applied: use *** Add File.");
  if (word === "rename from") names.renameFrom = unquote(rest);
  else if (word === "rename to") names.renameTo = unquote(rest);
  else readMode(word, rest.trim(), names);
}

function readMode(word: string, mode: string, names: Names): void {
  if (/^(?:120000|160000)$/.test(mode)) {
    throw new EditRefused("A diff that makes or changes a symbolic link or a submodule is not applied.");
  }
  if (word === "new file mode") names.isNew = true;
  if (word === "deleted file mode") names.isDeleted = true;
  if (word.startsWith("new")) names.isExecutable = mode.endsWith("755");
}

function resolveNames(names: Names, exists: (path: string) => boolean): { old: string | null; fresh: string | null } {
  if (names.renameFrom !== undefined && names.renameTo !== undefined) {
    return { old: names.renameFrom, fresh: names.renameTo };
  }
  const old = names.isNew ? null : nullable(names.old ?? names.git?.[0] ?? names.fresh);
  const fresh = names.isDeleted ? null : nullable(names.fresh ?? names.git?.[1]);
  if (old === null || fresh === null) {
    const bare = (name: string) => withoutPrefixOfOne(name, names.git);
    return { old: old && (exists(old) && !exists(bare(old)) ? old : bare(old)), fresh: fresh && bare(fresh) };
  }
  return bothSided(old, fresh, exists);
}

/** Names of the same file: `a/x` and `b/x`, `x` and `x`, or `x.orig` and `x`. */
function bothSided(old: string, fresh: string, exists: (path: string) => boolean): { old: string; fresh: string } {
  const pairs: [string, string][] = [
    [withoutPrefix(old), withoutPrefix(fresh)],
    [old, fresh],
  ];
  const isPrefixed = withoutPrefix(old) !== old && withoutPrefix(fresh) !== fresh && old[0] !== fresh[0];
  if (!isPrefixed) pairs.reverse();
  else if (withoutPrefix(old) !== withoutPrefix(fresh)) {
    throw new EditRefused(
      `The diff names two files, ${withoutPrefix(old)} and ${withoutPrefix(fresh)}, but no rename. Add the lines "rename from" and "rename to".`,
    );
  }
  for (const [before, after] of pairs) {
    if (before === after && exists(after)) return { old: after, fresh: after };
  }
  for (const name of pairs.flatMap(([before, after]) => [after, before])) {
    if (exists(name)) return { old: name, fresh: name };
  }
  const [, name] = pairs[0] ?? [old, fresh];
  return { old: name, fresh: name };
}

/** Of a new or a deleted file there is one name only: the line of git tells its form, else `a/` and `b/` fall away. */
function withoutPrefixOfOne(name: string, git: [string, string] | undefined): string {
  if (!git) return name.replace(/^[ab]\//, "");
  return git[0] === git[1] ? name : withoutPrefix(name);
}

/** `a/` and `b/`, or the letters that git uses with `diff.mnemonicPrefix`. */
function withoutPrefix(name: string): string {
  return name.replace(/^[abciow]\//, "");
}

function nullable(name: string | undefined): string | null {
  return name === undefined || name === "/dev/null" ? null : name;
}

/** `a/x b/x`; names with blanks are only told apart because both are the same behind their prefixes. */
function gitNames(text: string): [string, string] | undefined {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)\s*$/.exec(text);
  if (quoted?.[1] && quoted[2]) return [unquote(quoted[1]), unquote(quoted[2])];
  const bare = text.trimEnd();
  const middle = (bare.length - 1) / 2;
  const [old, fresh] = [bare.slice(0, middle), bare.slice(middle + 1)];
  return Number.isInteger(middle) && withoutPrefix(old) === withoutPrefix(fresh) ? [old, fresh] : undefined;
}

const TIMESTAMP = /\s+\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*$/s;

/** The name of a `---` or `+++` line, its timestamp left out. */
function fileName(text: string): string {
  if (text.startsWith('"')) return unquote(text.slice(0, text.lastIndexOf('"') + 1));
  return (text.split("\t")[0] ?? text).replace(TIMESTAMP, "").trimEnd();
}

const ESCAPED: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** git's C quoting: bytes of UTF-8 as octal numbers. */
function unquote(name: string): string {
  if (!/^".*"$/s.test(name)) return name.trimEnd();
  const bytes: number[] = [];
  for (const [, octal, letter, plain = ""] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (letter) bytes.push(ESCAPED[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(plain));
  }
  return Buffer.from(bytes).toString("utf8");
}

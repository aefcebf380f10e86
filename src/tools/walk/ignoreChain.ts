/** Which entries of a tree are ignored: the rule files from the repository's root down to the entry, nearest first. */

import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../../shared/paths";
import { throwIfExhausted } from "./exhaustion";
import { GitignoreRules, type Verdict } from "./gitignore";

/** One folder that has rules. A chain ends at the repository's root, for rules above it do not count inside. */
export interface IgnoreLink {
  /** Absolute. */
  folder: string;
  rules?: GitignoreRules;
  /** `.git/info/exclude`; any .gitignore has the last word over it. */
  exclude?: GitignoreRules;
  parent?: IgnoreLink;
}

/** True when the chain says that an entry is ignored. Its parent folders must have been found not ignored. */
export function isIgnored(chain: IgnoreLink | undefined, path: string, isFolder: boolean): boolean {
  let excluded: Verdict;
  for (let link = chain; link; link = link.parent) {
    const inside = path.slice(link.folder.endsWith("/") ? link.folder.length : link.folder.length + 1);
    const verdict = link.rules?.verdict(inside, isFolder);
    if (verdict) return verdict === "ignored";
    excluded ??= link.exclude?.verdict(inside, isFolder);
  }
  return excluded === "ignored";
}

/** What a folder holds, as far as it matters for rules. */
export interface RuleNames {
  hasGitignore: boolean;
  hasGit: boolean;
}

/**
 * The chain for the entries of `folder`, given that of its parent. A repository inside a repository stands alone: the
 * outer rules end there.
 */
export function linkFor(
  folder: string,
  names: RuleNames,
  outer: { parent: IgnoreLink | undefined; inRepository: boolean },
): IgnoreLink | undefined {
  const rules = names.hasGitignore ? rulesIn(join(folder, ".gitignore")) : undefined;
  const exclude = names.hasGit ? rulesIn(join(gitFolder(join(folder, ".git")), "info", "exclude")) : undefined;
  const parent = names.hasGit && outer.inRepository ? undefined : outer.parent;
  return rules || exclude
    ? { folder, ...(rules && { rules }), ...(exclude && { exclude }), ...(parent && { parent }) }
    : parent;
}

/**
 * The chain that applies to a folder before it is looked into: rule files above it, up to the repository's root, or
 * without a repository up to `boundary`. A stranger's `~/.gitignore` must not hide a project.
 */
export function chainAbove(folder: string, where: { inRepository: boolean; boundary: string }): IgnoreLink | undefined {
  const above = dirname(folder);
  const isTop = where.inRepository ? exists(join(folder, ".git")) : folder === where.boundary;
  if (isTop || above === folder || !(where.inRepository || isInside(where.boundary, above))) return undefined;
  const names = { hasGitignore: exists(join(above, ".gitignore")), hasGit: exists(join(above, ".git")) };
  return linkFor(above, names, { parent: chainAbove(above, where), inRepository: where.inRepository });
}

function rulesIn(file: string): GitignoreRules | undefined {
  try {
    // A FIFO by this name would hang the read.
    if (!statSync(file).isFile()) return undefined;
    const rules = new GitignoreRules(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
    return rules.isEmpty ? undefined : rules;
  } catch (error) {
    throwIfExhausted(error, file);
    return undefined;
  }
}

/** The repository's own folder: `.git`, or for a linked working tree what its files point to. */
function gitFolder(dotGit: string): string {
  const pointed = /^gitdir: (.+)/.exec(readText(dotGit))?.[1];
  if (!pointed) return dotGit;
  const own = isAbsolute(pointed) ? pointed : resolve(dirname(dotGit), pointed);
  const common = readText(join(own, "commondir")).trim();
  return common ? resolve(own, common) : own;
}

function readText(file: string): string {
  try {
    return statSync(file).isFile() ? readFileSync(file, "utf8") : "";
  } catch {
    return "";
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

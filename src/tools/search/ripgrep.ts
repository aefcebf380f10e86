/** Searches with ripgrep: ours if it came with the package, else one on PATH. */

import { accessSync, constants } from "node:fs";
import { findProgram } from "../../shared/programs";
import { TEMPORARY_GLOB } from "../../shared/temporaryFiles";
import { type InvalidPattern, type SearchQuery, type SearchResult, sortedAsWalked } from "./query";
import { createReader } from "./ripgrepOutput";
import { runRipgrep } from "./ripgrepProcess";

/** The ripgrep to use, or null. One on PATH must not lie in the workspace: a project could plant it there. */
export async function findRipgrep(workspace: string): Promise<string | null> {
  return (await bundledRipgrep()) ?? findProgram("rg", { outside: workspace });
}

async function bundledRipgrep(): Promise<string | null> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    accessSync(rgPath, constants.X_OK);
    return rgPath;
  } catch {
    // An optional package: not installed, or not for this platform.
    return null;
  }
}

/** Runs the search. Throws `ZqError` (`RipgrepFailed`) when the program cannot do its work. */
export async function searchWithRipgrep(program: string, query: SearchQuery): Promise<SearchResult | InvalidPattern> {
  const first = await attempt(program, query, ["--threads", "4"]);
  if ("invalid" in first) {
    const needsPcre = /look-around|backreferences/.test(first.invalid);
    return needsPcre ? attempt(program, query, ["--threads", "4", "--pcre2"]) : first;
  }
  // Threads find files in any order. What is shown of very many matches must not depend on that.
  return first.isPartial ? attempt(program, query, ["--sort", "path"]) : first;
}

async function attempt(program: string, query: SearchQuery, flags: string[]): Promise<SearchResult | InvalidPattern> {
  const reader = createReader(query);
  const args = [...flags, ...argumentsFor(query)];
  const end = await runRipgrep(program, args, {
    cwd: query.folder,
    reader,
    ...(query.signal && { signal: query.signal }),
  });
  const reason = reader.files.length === 0 ? invalidReason(end.stderr) : undefined;
  if (reason !== undefined) return { invalid: reason };
  return { files: sortedAsWalked(reader.files), isPartial: reader.isFull, notes: notesOf(end) };
}

function argumentsFor(query: SearchQuery): string[] {
  const args = [
    "--no-config",
    "--hidden",
    "--glob",
    "!.git",
    "--glob",
    "!**/.agent/vcs",
    "--glob",
    `!${TEMPORARY_GLOB}`,
    "--max-columns",
    "0",
    "--crlf",
  ];
  // Of all rule files only .gitignore and .git/info/exclude count: inside a repository up to its root, else none above.
  if (query.includeIgnored) args.push("--no-ignore");
  else args.push("--glob", "!node_modules", "--no-ignore-dot", "--no-ignore-global");
  if (!query.includeIgnored && !query.inRepository) args.push("--no-require-git", "--no-ignore-parent");
  if (query.ignoreCase) args.push("--ignore-case");
  if (query.isLiteral) args.push("--fixed-strings");
  if (query.multiline) args.push("--multiline");
  if (query.multiline && query.dotAll) args.push("--multiline-dotall");
  if (query.nameGlob) args.push("--type-add", `wanted:${query.nameGlob}`, "--type", "wanted");
  args.push(...modeFlags(query), "--regexp", query.pattern, "--", query.file ? `./${query.file}` : "./");
  return args;
}

/** Without lines wanted, counting still meets every NUL: `--files-with-matches` would stop first and name binary files. */
function modeFlags({ mode, multiline }: SearchQuery): string[] {
  if (mode === "content") return ["--json"];
  return [multiline ? "--count-matches" : "--count", "--with-filename", "--null"];
}

/** The last `error:` line of a pattern that does not compile; undefined when stderr is about something else. */
function invalidReason(stderr: string): string | undefined {
  if (!/regex parse error|PCRE2: error|not allowed in a regex|exceeds size limit|regex could not/i.test(stderr)) {
    return undefined;
  }
  const lines = stderr.trim().split("\n");
  const told = lines.filter((line) => /error: /.test(line)).at(-1) ?? lines[0] ?? "";
  return told.replace(/^.*?error: /, "").trim();
}

function notesOf({ stderr, isTimedOut, seconds }: { stderr: string; isTimedOut: boolean; seconds: number }): string[] {
  const messages = stderr.split("\n").filter((line) => line.trim() !== "" && !/WARNING: stopped searching/.test(line));
  const notes = messages.slice(0, 3).map((line) => `[${line.replace(/^rg: /, "").slice(0, 200)}]`);
  if (messages.length > 3) notes.push(`[${messages.length - 3} more messages of ripgrep]`);
  return isTimedOut ? [...notes, `[stopped after ${seconds} s]`] : notes;
}

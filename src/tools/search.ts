/** grep: searches file contents with ripgrep, or with our own walker where there is none (guide 7.1). */

import { sep } from "node:path";
import description from "../../prompts/tools/grep.md";
import type { ToolContext } from "../shared/contracts";
import { isZqError } from "../shared/errors";
import { WorkspaceRoots } from "../shared/paths";
import { newestFirst } from "./fileTimes";
import { placeName, type ReadablePath, resolveReadable } from "./readable";
import { buildQuery, DEFAULT_LIMIT, MAX_LIMIT, textArgument, wholeArgument } from "./search/buildQuery";
import { readLines } from "./search/context";
import type { FileHits, InvalidPattern, SearchQuery, SearchResult } from "./search/query";
import { renderContent, renderFiles, type ShownFile, type Window } from "./search/render";
import { findRipgrep, searchWithRipgrep } from "./search/ripgrep";
import { searchByWalking } from "./search/walker";
import type { ToolRegistry } from "./ToolRegistry";
import { onOneLine } from "./text";
import { buildToolSchema } from "./toolSchema";
import { chainAbove } from "./walk/ignoreChain";

export interface SearchToolOptions {
  roots?: WorkspaceRoots | undefined;
  /** The ripgrep to run; null: search with our own walker. By default it is looked for at the first search. */
  ripgrep?: string | null | undefined;
}

/** Registers grep. */
export function registerSearchTool(registry: ToolRegistry, workspace: string, options: SearchToolOptions = {}): void {
  const roots = options.roots ?? new WorkspaceRoots(workspace);
  const search = createSearch(workspace, options.ripgrep);
  registry.register(
    (args, ctx) => grep(args, ctx ?? {}, { roots, search }),
    { category: "search", riskLevel: "low", capabilities: ["search"], requiresApproval: false },
    SCHEMA,
  );
}

type Search = (query: SearchQuery) => Promise<SearchResult | InvalidPattern>;

/** Searches with ripgrep where it is there and works, else by walking: both give the same answers. */
function createSearch(workspace: string, ripgrep: string | null | undefined): Search {
  let program = ripgrep === undefined ? undefined : Promise.resolve(ripgrep);
  return async (query) => {
    program ??= findRipgrep(workspace);
    const found = await program;
    if (found === null || hasRulesUnseen(query)) return searchByWalking(query);
    try {
      return await searchWithRipgrep(found, query);
    } catch (error) {
      if (!isZqError(error) || error.code !== "RipgrepFailed") throw error;
      return searchByWalking(query);
    }
  };
}

/** Outside of a repository ripgrep does not see the rule files between the workspace and the folder. */
function hasRulesUnseen(query: SearchQuery): boolean {
  return !query.inRepository && !query.includeIgnored && chainAbove(query.folder, query) !== undefined;
}

interface Desk {
  roots: WorkspaceRoots;
  search: Search;
}

/** How long ignored files are searched for a hint. */
const HINT_MAX_MS = 3000;
/** Lines shown around the only matches there are: it saves the read that would follow. */
const CONTEXT_OF_FEW = 3;
const FEW_MATCHES = 3;

async function grep(args: Record<string, unknown>, ctx: ToolContext, desk: Desk): Promise<string> {
  const place = await resolveReadable(desk.roots, textArgument(args.path) ?? ".");
  const query = await buildQuery(args, { place, roots: desk.roots, signal: ctx.signal });
  const pattern = String(args.pattern ?? "");
  let found = await desk.search(query);
  const notes: string[] = [];
  if ("invalid" in found) {
    notes.push(`[not a valid regular expression (${found.invalid}); searched as plain text]`);
    query.isLiteral = true;
    query.pattern = pattern;
    found = await desk.search(query);
  }
  ctx.signal?.throwIfAborted();
  if ("invalid" in found) return `No matches: the pattern cannot be searched for (${found.invalid}).`;
  notes.push(...found.notes);
  const answer =
    found.files.length === 0
      ? await nothingFound(query, `No matches for ${onOneLine(pattern)} in ${placeName(place)}.`, desk)
      : await render(args, { found, query, place, roots: desk.roots });
  return [answer, ...notes].join("\n");
}

async function nothingFound(query: SearchQuery, answer: string, desk: Desk): Promise<string> {
  if (query.includeIgnored || query.file !== undefined) return answer;
  const ignored = await desk.search({ ...query, includeIgnored: true, mode: "files", ceiling: 0, maxMs: HINT_MAX_MS });
  const exist = "files" in ignored && ignored.files.length > 0;
  return exist ? `${answer} (matches exist in ignored files)` : answer;
}

interface Found {
  found: SearchResult;
  query: SearchQuery;
  place: ReadablePath;
  roots: WorkspaceRoots;
}

async function render(args: Record<string, unknown>, context: Found): Promise<string> {
  const { found, query } = context;
  const total = query.mode === "content" ? found.files.reduce((sum, file) => sum + file.count, 0) : found.files.length;
  const window: Window = {
    offset: wholeArgument(args.offset) ?? 0,
    limit: Math.min(Math.max(wholeArgument(args.limit) ?? DEFAULT_LIMIT, 1), MAX_LIMIT),
    total,
    isPartial: found.isPartial,
  };
  if (window.offset >= total) return `[offset ${window.offset} is past the last of ${total} results]`;
  const shown = (file: FileHits) => shownPath(context, file.path);
  if (query.mode === "content") return renderHits(wholeArgument(args.context), window, context);
  if (query.mode === "count") {
    const largestFirst = [...found.files].sort((a, b) => b.count - a.count || (shown(a) < shown(b) ? -1 : 1));
    return renderFiles(largestFirst, window, (file) => `${shown(file)}:${file.count}`);
  }
  const byPath = new Map(found.files.map((file) => [file.path, file]));
  const newest = await newestFirst([...byPath.keys()], query.folder);
  return renderFiles(
    newest.flatMap((path) => byPath.get(path) ?? []),
    window,
    shown,
  );
}

async function renderHits(asked: number | undefined, window: Window, context: Found): Promise<string> {
  const isFew = window.total <= FEW_MATCHES && !window.isPartial;
  const around = asked ?? (isFew ? CONTEXT_OF_FEW : 0);
  const files: ShownFile[] = [];
  for (const file of windowOf(context.found.files, window)) {
    context.query.signal?.throwIfAborted();
    files.push(await shownFile(file, around, context));
  }
  return renderContent(files, window, around > 0);
}

/** The files with those of their hits that fall into the window. */
function windowOf(files: FileHits[], { offset, limit }: Window): FileHits[] {
  let at = 0;
  return files.flatMap((file) => {
    const start = at;
    at += file.hits.length;
    const hits = file.hits.slice(Math.max(0, offset - start), Math.max(0, offset + limit - start));
    return hits.length > 0 ? [{ ...file, hits }] : [];
  });
}

async function shownFile(file: FileHits, around: number, context: Found): Promise<ShownFile> {
  const lines: ShownFile["lines"] = new Map();
  const wanted = new Set<number>();
  for (const hit of file.hits) {
    hit.lines.forEach((text, at) => {
      if (!lines.get(hit.line + at)) lines.set(hit.line + at, { text, isMatch: true });
    });
    for (let near = Math.max(1, hit.line - around); near < hit.line + hit.lines.length + around; near++)
      wanted.add(near);
  }
  for (const number of lines.keys()) wanted.delete(number);
  const path = `${context.query.folder}${sep}${file.path}`;
  const surroundings = wanted.size > 0 ? await readLines(path, wanted) : new Map<number, string>();
  for (const [number, text] of surroundings) lines.set(number, { text, isMatch: false });
  return { path: shownPath(context, file.path), lines, matches: file.hits.length };
}

/** Relative to the workspace, though the search ran in the real folder. */
function shownPath({ place, roots, query }: Found, path: string): string {
  if (query.file !== undefined) return place.shown;
  const base = roots.show(place.absolute);
  return base === "." ? path : `${base}/${path}`;
}

const SCHEMA = buildToolSchema("grep", description, {
  required: ["pattern"],
  properties: {
    pattern: { type: "string", description: "Regular expression, or plain text with literal." },
    path: { type: "string", description: "File or folder to search.", default: "." },
    glob: { type: "string", description: "Only files that match, e.g. `*.ts` or `!**/test/**`." },
    mode: {
      type: "string",
      description: "content: matching lines; files: paths only; count: matches per file.",
      enum: ["content", "files", "count"],
      default: "content",
    },
    context: { type: "integer", description: "Lines to show around each match.", minimum: 0, maximum: 20 },
    ignore_case: { type: "boolean", description: "Ignore case." },
    literal: { type: "boolean", description: "Take pattern as plain text." },
    multiline: { type: "boolean", description: "Let the pattern span lines; `.` matches newlines." },
    limit: { type: "integer", description: "Most matches (or files) to return.", default: 100, maximum: MAX_LIMIT },
    offset: { type: "integer", description: "Skip this many results.", minimum: 0 },
    include_ignored: { type: "boolean", description: "Also search what .gitignore hides." },
  },
});

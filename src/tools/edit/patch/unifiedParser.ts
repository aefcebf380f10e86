/** Reads a unified diff as git, diff or a model writes it: counts may be wrong or missing, prose may stand around. */

import { EditRefused } from "../match/refusal";
import { type DiffHeader, isHeaderStart, parseHeader } from "./diffHeader";
import { type FileOperation, type Hunk, type HunkLine, oldLines } from "./hunks";

const HUNK_HEADER = /^@@(?:\s*-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?)?/;
const NO_NEWLINE = /^\\ /;

/** A file of the diff: its header, and its hunks. */
export interface FileDiff {
  header: DiffHeader | null;
  hunks: Hunk[];
}

/** Throws `EditRefused` for what is no diff, or one of a kind that is not applied (binary, combined). */
export function parseUnifiedDiff(text: string): FileDiff[] {
  const lines = linesOf(text);
  const files: FileDiff[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    if (line.startsWith("@@@")) throw new EditRefused("A combined diff (of a merge) cannot be applied.");
    if (isHeaderStart(lines, at)) {
      const { header, next } = parseHeader(lines, at);
      files.push({ header, hunks: [] });
      at = next;
    } else if (line.startsWith("@@")) {
      if (files.length === 0) files.push({ header: null, hunks: [] });
      const { hunk, next } = parseHunk(lines, at);
      files.at(-1)?.hunks.push(hunk);
      at = next;
    } else at++;
  }
  return files;
}

/** A diff whose every line ends in CRLF was only sent that way; where just some do, the CR belongs to the content. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const marks = lines.filter((line) => /^(?:@@|---|\+\+\+|diff )/.test(line));
  const isCrlf = marks.length > 0 && marks.every((line) => line.endsWith("\r"));
  return isCrlf ? lines.map((line) => line.replace(/\r$/, "")) : lines;
}

interface ParsedHunk {
  hunk: Hunk;
  next: number;
}

function parseHunk(lines: readonly string[], at: number): ParsedHunk {
  const numbers = HUNK_HEADER.exec(lines[at] ?? "");
  const [oldStart, oldCount = "1", , newCount = "1"] = numbers?.slice(1) ?? [];
  const end =
    numbers?.[1] === undefined
      ? undefined
      : countedEnd(lines, at + 1, { old: Number(oldCount), fresh: Number(newCount) });
  const next = end ?? looseEnd(lines, at + 1);
  const hunk = buildHunk(lines.slice(at + 1, next), end !== undefined);
  if (oldStart !== undefined) hunk.hint = { line: Number(oldStart), isAfter: oldCount === "0" };
  return { hunk, next };
}

/** Where the hunk ends if its counts are right; undefined if they are not. Then lines like `--- x` are content. */
function countedEnd(
  lines: readonly string[],
  from: number,
  counts: { old: number; fresh: number },
): number | undefined {
  let { old, fresh } = counts;
  let at = from;
  while (old > 0 || fresh > 0) {
    const line = lines[at];
    if (line === undefined) return undefined;
    const kind = line[0] ?? " ";
    if (kind === " " || kind === "-" || line === "\r") old--;
    if (kind === " " || kind === "+" || line === "\r") fresh--;
    if (!" +-\\\r".includes(kind) || old < 0 || fresh < 0) return undefined;
    at++;
  }
  if (NO_NEWLINE.test(lines[at] ?? "")) at++;
  return isHunkEnd(lines, at) ? at : undefined;
}

/** Nothing that looks like a changed line may follow before the next hunk, or the counts left something out. */
function isHunkEnd(lines: readonly string[], from: number): boolean {
  if (/^ \S/.test(lines[from] ?? "")) return false;
  for (let at = from; at < lines.length && !isBoundary(lines, at); at++) {
    if (/^[+-]/.test(lines[at] ?? "")) return false;
  }
  return true;
}

function isBoundary(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  return line.startsWith("@@") || line.startsWith("```") || isHeaderStart(lines, at) || isSignature(lines, at);
}

/** The end of a mail that `git format-patch` wrote: two dashes, and git's version below them. */
function isSignature(lines: readonly string[], at: number): boolean {
  return /^-- ?$/.test(lines[at] ?? "") && /^\d+\.\d+/.test(lines[at + 1] ?? "");
}

/** Where the hunk ends by the look of its lines. Prose behind the last changed line is no part of it. */
function looseEnd(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && !isBoundary(lines, end)) end++;
  const body = lines.slice(from, end);
  const lastMarked = body.findLastIndex((line) => /^[+\-\\]/.test(line));
  const stray = body.findIndex((line, at) => at > lastMarked && line.trim() !== "" && !line.startsWith(" "));
  return stray === -1 ? end : from + stray;
}

function buildHunk(body: readonly string[], isCounted: boolean): Hunk {
  const hunk: Hunk = { lines: [], anchors: [], isAtEnd: false };
  const isCrAware = body.some((line) => /^[ +-]/.test(line) && line.endsWith("\r"));
  for (const line of body) {
    const last = hunk.lines.at(-1);
    if (!NO_NEWLINE.test(line)) hunk.lines.push(buildLine(line, isCrAware));
    else if (last) markEnd(hunk, last);
  }
  // Counts that are wrong say nothing about blank lines at the end, which may be mere separators.
  while (!isCounted && hunk.lines.at(-1)?.isBare && oldLines(hunk).length > 1) hunk.lines.pop();
  return hunk;
}

function buildLine(line: string, isCrAware: boolean): HunkLine {
  const bare = line.replace(/\r$/, "");
  const ending = isCrAware ? { ending: line.endsWith("\r") ? "\r\n" : "\n" } : {};
  if (bare === "") return { kind: " ", text: "", isBare: true, ...ending };
  const kind = bare[0];
  if (kind === " " || kind === "-" || kind === "+") return { kind, text: bare.slice(1), ...ending };
  return { kind: " ", text: bare, ...ending };
}

function markEnd(hunk: Hunk, last: HunkLine): void {
  // Without a line end behind it a CR is part of the text.
  if (last.ending === "\r\n") last.text += "\r";
  if (last.kind !== "+") hunk.oldLacksNewline = true;
  if (last.kind !== "-") hunk.newLacksNewline = true;
}

/** What a file of the diff does, its paths chosen by `exists` among the forms that they may have. */
export function operationOf(diff: FileDiff, exists: (path: string) => boolean, given?: string): FileOperation {
  const { header, hunks } = diff;
  if (!header) return { kind: "update", path: givenPath(given), hunks };
  const mode = header.isExecutable === undefined ? {} : { isExecutable: header.isExecutable };
  const paths = header.resolve(exists);
  if (paths.old === null && paths.fresh === null) throw new EditRefused("The diff goes from /dev/null to /dev/null.");
  if (paths.old === null) return { kind: "add", path: paths.fresh ?? "", text: addedText(hunks), ...mode };
  if (paths.fresh === null) return { kind: "delete", path: paths.old, expected: removedText(hunks) };
  const path = !exists(paths.old) && given !== undefined && exists(given) ? given : paths.old;
  const moved = paths.fresh === paths.old ? {} : { moveTo: paths.fresh };
  return { kind: "update", path, ...moved, hunks, ...mode };
}

function givenPath(given: string | undefined): string {
  if (given) return given;
  throw new EditRefused("The diff has no file header (--- / +++) and no path was given.");
}

function addedText(hunks: readonly Hunk[]): string {
  return joined(hunks, "+");
}

function removedText(hunks: readonly Hunk[]): string {
  return joined(hunks, "-");
}

function joined(hunks: readonly Hunk[], kind: "+" | "-"): string {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind !== (kind === "+" ? "-" : "+"));
  const text = lines.map((line) => line.text + (line.ending ?? "\n")).join("");
  const last = hunks.at(-1);
  const lacks = kind === "+" ? last?.newLacksNewline : last?.oldLacksNewline;
  return lacks ? text.replace(/\r?\n$/, "") : text;
}

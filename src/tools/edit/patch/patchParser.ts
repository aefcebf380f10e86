/** Reads the text of apply_patch (`*** Begin Patch` …), forgiving what models add around it, never what they leave out. */

import { EditRefused } from "../match/refusal";
import { toLf } from "../text/TextModel";
import type { FileOperation, Hunk } from "./hunks";

const BEGIN = /^\*\*\* Begin Patch\s*$/i;
const END = /^\*\*\* End Patch\s*$/i;
const HEADER = /^\*\*\*\s*(Add|Delete|Update) File:\s*(.*?)\s*$/is;
const MOVE = /^\*\*\*\s*Move to:\s*(.*?)\s*$/is;
const END_OF_FILE = /^\*\*\* End of File\s*$/i;
const OTHER_HEADER = /^\*\*\*\s*[A-Za-z]+(?: [A-Za-z]+)*:/;
const LINE_HEADER = /^@@\s*-(\d+)(?:,(\d+))?\s+\+\d+(?:,\d+)?\s*@@/;

/** Throws `EditRefused` saying what is wrong with the text. */
export function parsePatch(text: string): FileOperation[] {
  const operations = blocksOf(toLf(text).split("\n")).flatMap(parseBlock);
  if (operations.length === 0) throw new EditRefused("The patch is empty: it names no file.");
  return operations;
}

/** The lines between each Begin and its End. What stands around them (here-documents, fences, prose) falls away. */
function blocksOf(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!BEGIN.test((lines[at] ?? "").trim())) continue;
    const indent = /^\s*/.exec(lines[at] ?? "")?.[0] ?? "";
    const body = dedent(lines.slice(at + 1), indent);
    const end = endOf(body);
    blocks.push(body.slice(0, end));
    at += end + 1;
  }
  return blocks.length > 0 ? blocks : [blockWithoutSentinels(lines)];
}

/** An indented marker counts only as the last line of all: elsewhere it is a line of context. */
function endOf(body: readonly string[]): number {
  const end = body.findIndex((line) => END.test(line));
  if (end !== -1) return end;
  const last = body.findLastIndex((line) => line.trim() !== "");
  if (END.test((body[last] ?? "").trim())) return last;
  throw new EditRefused(
    "The last line must be '*** End Patch'. The patch may have been cut off: send it again whole, or as several smaller patches.",
  );
}

/** A patch that is indented as a whole. Where only its markers are, the blanks of the other lines are their own. */
function dedent(lines: readonly string[], indent: string): readonly string[] {
  const end = lines.findIndex((line) => END.test(line.trim()));
  const inner = end === -1 ? lines : lines.slice(0, end);
  if (indent === "" || !inner.every((line) => line.trim() === "" || line.startsWith(indent))) return lines;
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
}

function blockWithoutSentinels(lines: readonly string[]): string[] {
  const hasEnd = lines.some((line) => END.test(line.trim()));
  const first = lines.findIndex((line) => line.trim() !== "" && !/^\s*```/.test(line));
  if (first === -1) throw new EditRefused("The patch is empty.");
  if (!hasEnd && HEADER.test(lines[first] ?? "")) return withoutFence(lines.slice(first));
  if (lines.length === 1 && lines[0]?.includes("\\n")) {
    throw new EditRefused("The patch has no line breaks, only \\n as two characters. Send real line breaks.");
  }
  const isDiff = lines.some((line) => /^(?:diff --git |--- \S|@@ -\d)/.test(line));
  const hint = isDiff && !hasEnd ? " This looks like a unified diff: use apply_unified_diff." : "";
  throw new EditRefused(`The first line must be '*** Begin Patch' and the last '*** End Patch'.${hint}`);
}

function withoutFence(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => /^```\s*$/.test(line));
  const body = end === -1 ? [...lines] : lines.slice(0, end);
  while (body.at(-1) === "") body.pop();
  return body;
}

/** A block is a run of sections, each a header with the lines below it. */
function parseBlock(lines: readonly string[]): FileOperation[] {
  const operations: FileOperation[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const header = HEADER.exec(line.trim());
    if (!header && line.trim() !== "") throw unknownHeader(line);
    const next = nextHeader(lines, at + 1);
    if (header) operations.push(parseSection(header, lines.slice(at + 1, next)));
    at = next;
  }
  return operations;
}

/** Content never begins a line with `***` at the margin in an update: its lines begin with a space, `-` or `+`. */
function nextHeader(lines: readonly string[], from: number): number {
  const at = lines.findIndex((line, index) => index >= from && HEADER.test(line));
  return at === -1 ? lines.length : at;
}

function unknownHeader(line: string): EditRefused {
  return new EditRefused(
    `Unknown line in the patch: "${line.slice(0, 120)}". A file begins with *** Add File: p, *** Update File: p or *** Delete File: p.`,
  );
}

function parseSection(header: RegExpExecArray, body: readonly string[]): FileOperation {
  const [, verb = "", path = ""] = header;
  if (path === "") throw new EditRefused(`*** ${verb} File: names no path.`);
  if (/^add$/i.test(verb)) return { kind: "add", path, text: addedText(path, body) };
  if (/^delete$/i.test(verb)) return parseDelete(path, body);
  const moveTo = MOVE.exec(body[0] ?? "")?.[1];
  const hunks = parseHunks(path, withoutDiffHeader(path, moveTo === undefined ? body : body.slice(1)));
  if (moveTo === undefined) return { kind: "update", path, hunks };
  if (moveTo === "") throw new EditRefused(`*** Move to: names no path (${path}).`);
  return { kind: "update", path, moveTo, hunks };
}

/** `---` and `+++` of a diff for this very file, right before its first `@@`, say nothing new. */
function withoutDiffHeader(path: string, body: readonly string[]): readonly string[] {
  const [old = "", fresh = "", first = ""] = body;
  const isHeader = /^--- \S/.test(old) && /^\+\+\+ \S/.test(fresh) && first.startsWith("@@");
  return isHeader && `/${fresh.slice(4).trimEnd()}`.endsWith(`/${path}`) ? body.slice(2) : body;
}

function parseDelete(path: string, body: readonly string[]): FileOperation {
  const stray = body.find((line) => line.trim() !== "");
  if (stray !== undefined) throw new EditRefused(`*** Delete File: ${path} is followed by "${stray.slice(0, 120)}".`);
  return { kind: "delete", path };
}

/** Every line with its `+`; blank ones may lack it. Without any `+` the lines are the content as they stand. */
function addedText(path: string, section: readonly string[]): string {
  const body = END_OF_FILE.test(section.at(-1) ?? "") ? section.slice(0, -1) : section;
  const plus = body.filter((line) => line.startsWith("+"));
  if (plus.length === 0) return [...body, ""].join("\n").replace(/^\n$/, "");
  const stray = body.find((line) => !line.startsWith("+") && line.trim() !== "");
  if (stray !== undefined) {
    throw new EditRefused(
      `*** Add File: ${path}: every line must start with +, but this one does not: "${stray.slice(0, 120)}".`,
    );
  }
  const last = body.findLastIndex((line) => line.startsWith("+"));
  return body
    .slice(0, last + 1)
    .map((line) => `${line.slice(1)}\n`)
    .join("");
}

function parseHunks(path: string, body: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk = emptyHunk();
  const close = () => {
    if (hunk.lines.length > 0) hunks.push(hunk);
    hunk = emptyHunk();
  };
  for (const line of body) {
    if (END_OF_FILE.test(line)) {
      hunk.isAtEnd = true;
      close();
    } else if (line.startsWith("@@")) {
      if (hunk.lines.length > 0) close();
      addHeader(hunk, line);
    } else if (OTHER_HEADER.test(line)) throw unknownHeader(line);
    else hunk.lines.push(hunkLine(line));
  }
  if (hunk.lines.length === 0 && hunk.anchors.length > 0) {
    throw new EditRefused(`The last hunk of ${path} has an @@ line but no lines below it. The patch may be cut off.`);
  }
  close();
  return hunks;
}

function emptyHunk(): Hunk {
  return { lines: [], anchors: [], isAtEnd: false };
}

/** `@@ -5,3 +5,3 @@ …` is a line number; what follows it is git's guess at a heading and no anchor. */
function addHeader(hunk: Hunk, line: string): void {
  const numbers = LINE_HEADER.exec(line);
  if (numbers) {
    hunk.hint = { line: Number(numbers[1]), isAfter: numbers[2] === "0" };
    return;
  }
  const anchor = line
    .slice(2)
    .replace(/^ /, "")
    .replace(/\s*@@\s*$/, "");
  if (anchor.trim() !== "" && anchor.trim() !== "...") hunk.anchors.push(anchor);
}

/** A line with none of the three marks is context as it stands. */
function hunkLine(line: string): Hunk["lines"][number] {
  if (line === "") return { kind: " ", text: "", isBare: true };
  const kind = line[0];
  if (kind === " " || kind === "-" || kind === "+") return { kind, text: line.slice(1) };
  return { kind: " ", text: line };
}

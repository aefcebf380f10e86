/** Colours code by a named language; a language is never guessed, and a huge block stays plain (tui rule 10). */

import type { HLJSApi } from "highlight.js";
import type { Paint, Role } from "./color";

const MAX_CODE = 100_000;
/** Lines of a group that may be read again for the sake of what began before it. */
const MAX_CARRIED_LINES = 400;

/** Colours pieces of one code block in their order: a comment or a string that began in one piece goes on in the next. */
export interface CodePainter {
  paint(text: string): string;
}

export interface Highlighter {
  /** The code with colours, closed at each line end; as it is when the language is not known. */
  paintCode(code: string, lang: string): string;
  startBlock(lang: string): CodePainter;
}

let core: Promise<HLJSApi> | null = null;

/** Loads the library and its languages once. */
export async function loadHighlighter(paint: Paint): Promise<Highlighter> {
  core ??= loadCore();
  return createHighlighter(await core, paint);
}

/** The core without its languages is small; the languages come in one piece of their own. */
async function loadCore(): Promise<HLJSApi> {
  const [{ default: api }, { registerLanguages }] = await Promise.all([
    import("highlight.js/lib/core"),
    import("./highlightLanguages"),
  ]);
  registerLanguages(api);
  return api;
}

function createHighlighter(api: HLJSApi, paint: Paint): Highlighter {
  const read = (code: string, lang: string): PaintedLine[] =>
    paintLines(api.highlight(code, { language: lang, ignoreIllegals: true }).value, paint);
  const knows = (lang: string) => lang !== "" && api.getLanguage(lang) !== undefined;
  return {
    paintCode: (code, lang) => (!knows(lang) || code.length > MAX_CODE ? code : joinLines(read(code, lang))),
    startBlock: (lang) => (knows(lang) ? new CarryingPainter((code) => read(code, lang)) : { paint: (text) => text }),
  };
}

/** Each line is painted for itself, so that rows can be cut and wrapped apart. */
function joinLines(lines: readonly PaintedLine[]): string {
  return lines.map((line) => line.text).join("\n");
}

/**
 * Reads each piece together with the lines since the last place where nothing was open. What has been given out is not
 * given again; it only lets the reader know where it is.
 */
class CarryingPainter implements CodePainter {
  private carried: string[] = [];
  private total = 0;

  constructor(private readonly read: (code: string) => PaintedLine[]) {}

  paint(text: string): string {
    this.total += text.length;
    if (this.total > MAX_CODE) return text;
    const source = [...this.carried, ...text.split("\n")];
    // The line end behind the last line tells whether it leaves something open.
    const lines = this.read(`${source.join("\n")}\n`).slice(0, -1);
    const fresh = lines.slice(this.carried.length);
    const closed = lines.map((line) => line.isClosed).lastIndexOf(true);
    this.carried = source.slice(closed + 1);
    if (this.carried.length > MAX_CARRIED_LINES) this.carried = [];
    return joinLines(fresh);
  }
}

interface PaintedLine {
  text: string;
  /** No span is open at the line's end. */
  isClosed: boolean;
}

/** The library's scopes, by what they mean here. A scope without a role keeps the colour around it. */
const roles: Record<string, Role> = {
  keyword: "keyword",
  literal: "number",
  number: "number",
  string: "string",
  regexp: "string",
  symbol: "number",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  meta: "comment",
  title: "title",
  section: "heading",
  name: "keyword",
  tag: "keyword",
  attr: "title",
  attribute: "title",
  property: "title",
  built_in: "type",
  type: "type",
  class: "type",
  "selector-tag": "keyword",
  "selector-class": "title",
  "selector-id": "title",
  "template-variable": "number",
  variable: "number",
  addition: "added",
  deletion: "removed",
  strong: "strong",
  emphasis: "emphasis",
  link: "link",
  code: "code",
};

const piece = /<span class="([^"]*)">|<\/span>|([^<]+)/g;

/** The library's HTML, which holds nothing but spans and five character references, as painted lines. */
function paintLines(html: string, paint: Paint): PaintedLine[] {
  const lines: PaintedLine[] = [];
  const open: (Role | null)[] = [];
  let text = "";
  for (const [tag, names, content] of html.matchAll(piece)) {
    if (names !== undefined) open.push(roleOf(names) ?? open.at(-1) ?? null);
    else if (content === undefined) {
      if (tag !== "") open.pop();
    } else {
      const [first = "", ...rest] = decode(content).split("\n");
      text += painted(first, open.at(-1), paint);
      for (const line of rest) {
        lines.push({ text, isClosed: open.length === 0 });
        text = painted(line, open.at(-1), paint);
      }
    }
  }
  lines.push({ text, isClosed: open.length === 0 });
  return lines;
}

function painted(text: string, role: Role | null | undefined, paint: Paint): string {
  return role && text !== "" ? paint(role, text) : text;
}

function roleOf(names: string): Role | undefined {
  return roles[names.split(" ")[0]?.replace(/^hljs-/, "") ?? ""];
}

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => references[name] ?? "");
}

const references: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

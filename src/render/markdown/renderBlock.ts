/** Block tokens as rows of terminal text. */

import { modelText } from "../sanitize";
import { cutLongLine, wrapText } from "../width";
import { renderInline } from "./inline";
import type { Token, Tokens } from "./lexer";
import { type Look, narrower } from "./look";
import { renderTable } from "./table";

/** Code stands this far in. */
const CODE_INDENT = "  ";

/** The rows of block tokens, a blank row where the source has one. */
export function renderBlocks(tokens: readonly Token[], look: Look): string[] {
  const rows: string[] = [];
  for (const token of tokens) {
    if (token.type === "space") {
      if (rows.length > 0) rows.push("");
      continue;
    }
    rows.push(...renderBlockToken(token, look));
  }
  while (rows.at(-1) === "") rows.pop();
  return rows;
}

function renderBlockToken(token: Token, look: Look): string[] {
  switch (token.type) {
    case "heading":
      return renderHeading(token as Tokens.Heading, look);
    case "code":
      return renderCode(token as Tokens.Code, look);
    case "blockquote":
      return renderQuote(token as Tokens.Blockquote, look);
    case "list":
      return renderList(token as Tokens.List, look);
    case "table":
      return renderTable(token as Tokens.Table, look);
    case "hr":
      return [look.paint("dim", (look.boxArt ? "─" : "-").repeat(Math.min(24, look.width)))];
    case "html":
      return renderHtml(token.raw, look);
    case "def":
      return wrapText(modelText(token.raw.trim()), look.width);
    case "checkbox":
      return [];
    default:
      return wrapProse(renderInline([token], look), look.width);
  }
}

/** Nothing of an answer's prose is cut away: it is wrapped whole. */
function wrapProse(text: string, width: number): string[] {
  return wrapText(text, width, { maxChars: Number.POSITIVE_INFINITY });
}

function renderHeading(token: Tokens.Heading, look: Look): string[] {
  const text = renderInline(token.tokens, look);
  if (!look.color) return wrapProse(`${"#".repeat(token.depth)} ${text}`, look.width);
  return wrapProse(text, look.width).map((row) => look.paint(token.depth <= 2 ? "heading" : "strong", row));
}

function renderCode(token: Tokens.Code, look: Look): string[] {
  const lang = token.lang?.trim().split(/\s/)[0] ?? "";
  return codeRows(look.highlighter?.paintCode(modelText(token.text), lang) ?? modelText(token.text), look);
}

/** Lines of code as indented rows; a long line is wrapped, a huge one cut. */
export function codeRows(code: string, look: Look): string[] {
  const width = Math.max(8, look.width - CODE_INDENT.length);
  return code
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => wrapText(cutLongLine(line), width))
    .map((row) => (row === "" ? "" : CODE_INDENT + row));
}

/** A left bar only: a right one would break at every resize (tui rule 6). */
function renderQuote(token: Tokens.Blockquote, look: Look): string[] {
  const bar = look.boxArt ? look.paint("dim", "│ ") : "> ";
  return renderBlocks(token.tokens, narrower(look, 2)).map((row) => (bar + row).trimEnd());
}

/** HTML is not rendered, but it may be what the person asked for: it is shown as source. */
function renderHtml(raw: string, look: Look): string[] {
  return wrapProse(modelText(raw.trimEnd()), look.width).map((row) => look.paint("dim", row));
}

function renderList(token: Tokens.List, look: Look): string[] {
  const first = typeof token.start === "number" ? token.start : 1;
  return token.items.flatMap((item, i) => {
    const rows = renderItem(item, token.ordered ? first + i : null, look);
    return token.loose && i > 0 ? ["", ...rows] : rows;
  });
}

/** One item: its mark, its rows hanging behind it, lists and code inside indented as far. */
export function renderItem(item: Tokens.ListItem, number: number | null, look: Look): string[] {
  const task = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
  const mark = `${number === null ? (look.boxArt ? "•" : "-") : `${number}.`} `;
  const indent = " ".repeat(mark.length);
  const inner = narrower(look, mark.length);
  const rows = renderBlocks(withoutCheckbox(item.tokens), task === "" ? inner : narrower(inner, task.length));
  const [head = "", ...rest] = rows.length > 0 ? rows : [""];
  // Code has rows of its own: glued to the mark it could not be read or copied.
  const begins = item.tokens.find((token) => token.type !== "checkbox" && token.type !== "space");
  const lines = begins?.type === "code" ? ["", head, ...rest] : [head, ...rest];
  return lines.map((row, i) =>
    (i === 0 ? look.paint("accent", mark) + task + row : row === "" ? "" : indent + row).trimEnd(),
  );
}

/** The checkbox stands in front of the item; the lexer also puts it inside, at the top or in the first paragraph. */
function withoutCheckbox(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.type !== "checkbox");
}

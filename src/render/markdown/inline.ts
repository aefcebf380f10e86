/** Inline Markdown as terminal text: weights, code, links whose address can be read. */

import { decodeEntities } from "../entities";
import { modelText } from "../sanitize";
import type { Token, Tokens } from "./lexer";
import type { Look } from "./look";

/** The text of inline tokens; line ends of the source stay. */
export function renderInline(tokens: readonly Token[] | undefined, look: Look): string {
  return (tokens ?? []).map((token) => renderToken(token, look)).join("");
}

function renderToken(token: Token, look: Look): string {
  switch (token.type) {
    case "strong":
      return look.paint("strong", renderInline(token.tokens, look));
    case "em":
      return look.paint("emphasis", renderInline(token.tokens, look));
    case "del":
      return look.color
        ? look.paint("strike", renderInline(token.tokens, look))
        : `~~${renderInline(token.tokens, look)}~~`;
    case "codespan":
      return renderCodespan(token.text, look);
    case "br":
      return "\n";
    case "link":
      return renderLink(token as Tokens.Link, look);
    case "image":
      return renderImage(token as Tokens.Image);
    case "html":
      return renderTag(token.raw);
    case "checkbox":
      return "";
    default:
      return "tokens" in token && token.tokens ? renderInline(token.tokens, look) : plain(token);
  }
}

/** Text; an escaped character is what it stands for, and references are resolved before the sanitizer looks. */
function plain(token: Token): string {
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return modelText(token.type === "escape" ? text : decodeEntities(text));
}

function renderCodespan(text: string, look: Look): string {
  const code = modelText(text);
  return look.color ? look.paint("code", code) : `\`${code}\``;
}

/** `label (address)`: what is clicked is what is read. A label that is the address stands alone. */
function renderLink(token: Tokens.Link, look: Look): string {
  const address = modelText(decodeEntities(token.href));
  const label = renderInline(token.tokens, look);
  const bare = address.replace(/^mailto:/, "");
  const shown = look.paint("link", address);
  const target = hyperlink(address, look);
  if (token.text === bare || token.text === address || token.text === "") return target(shown);
  return `${label} (${target(shown)})`;
}

/** Wraps a text in OSC 8 where the terminal knows it and the address is of a kind that is safe to open. */
function hyperlink(address: string, look: Look): (text: string) => string {
  const isSafe = /^(?:https?:\/\/|mailto:)[!-~]+$/i.test(address);
  return (text) => (isSafe && look.hyperlinks ? `\u001b]8;;${address}\u0007${text}\u001b]8;;\u0007` : text);
}

function renderImage(token: Tokens.Image): string {
  const label = modelText(decodeEntities(token.text));
  const address = modelText(decodeEntities(token.href));
  return label === "" ? `[${address}]` : `[${label}] (${address})`;
}

/** A line break tag breaks the line; any other tag is shown as it was written. */
function renderTag(raw: string): string {
  return /^<br\s*\/?>$/i.test(raw) ? "\n" : modelText(raw);
}

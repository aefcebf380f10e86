/** HTML as plain text without a parser: what is left when a page is too much for the converter, and for search hits. */

import { decodeEntities } from "../../render/entities";
import { scanHtml } from "./htmlScan";

const BREAKS = new Set(
  "address article aside blockquote br dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table td th tr ul".split(
    " ",
  ),
);

/** The text of a page, a line for each block. */
export function plainTextOf(html: string): string {
  let text = "";
  for (const token of scanHtml(html)) {
    if (token.kind === "text") text += token.source.replace(/\s+/g, " ");
    else if (BREAKS.has(token.name)) text += "\n";
  }
  return decodeEntities(text)
    .split("\n")
    .map((line) => line.replace(/[ \u00a0]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

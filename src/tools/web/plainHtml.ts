/** HTML as plain text without a parser: what is left when a page is too much for the converter, and for search hits. */

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
  return decodeReferences(text)
    .split("\n")
    .map((line) => line.replace(/[ \u00a0]+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

/** `&amp;`, `&#39;`, `&#x2f;` and the other common character references. */
export function decodeReferences(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  middot: "·",
  bull: "•",
  copy: "©",
  reg: "®",
  trade: "™",
  times: "×",
};

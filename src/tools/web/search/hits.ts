/** What services send as a result, made into one: plain text on one line, whatever markup it came in. */

import { plainTextOf } from "../plainHtml";
import type { SearchHit } from "./SearchBackend";

const MAX_SNIPPET = 500;

/** A hit from what a service gave; what is no text is left empty. */
export function hitOf(title: unknown, url: unknown, snippet: unknown): SearchHit {
  return { title: lineOf(title), url: typeof url === "string" ? url : "", snippet: lineOf(snippet) };
}

function lineOf(value: unknown): string {
  if (typeof value !== "string") return "";
  const line = plainTextOf(value)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length > MAX_SNIPPET ? `${line.slice(0, MAX_SNIPPET).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}

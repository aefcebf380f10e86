/** Cuts HTML down to what a converter can bear: no scripts, at most so many characters, at most so many levels. */

import { scanHtml } from "./htmlScan";

export interface TrimmedHtml {
  html: string;
  /** The page's title, as it is written. */
  title: string;
  isCut: boolean;
}

const MAX_HTML_CHARS = 1024 * 1024;
const MAX_LEVELS = 500;

/** Leaves out tags (never text) below `MAX_LEVELS`, and all that comes after `MAX_HTML_CHARS`. */
export function trimHtml(html: string): TrimmedHtml {
  const levels = new Levels();
  const parts: string[] = [];
  const titles: string[] = [];
  let length = 0;
  let isTitle = false;
  for (const token of scanHtml(html)) {
    if (token.kind !== "text" && token.name === "title") {
      isTitle = token.kind === "open" && titles.length === 0;
      continue;
    }
    if (isTitle) {
      titles.push(token.source);
      continue;
    }
    if (token.kind === "open" && !levels.open(token.name)) continue;
    if (token.kind === "close" && !levels.close(token.name)) continue;
    if (length + token.source.length > MAX_HTML_CHARS) {
      const rest = token.kind === "text" ? token.source.slice(0, MAX_HTML_CHARS - length) : "";
      return { html: [...parts, rest].join(""), title: titles.join(""), isCut: true };
    }
    parts.push(token.source);
    length += token.source.length;
  }
  return { html: parts.join(""), title: titles.join(""), isCut: false };
}

const VOID = new Set(
  "area base br col embed frame hr img input link meta param source track wbr basefont keygen".split(" "),
);

/** What a tag ends without a word: `<li>` the item before it, a block the paragraph that it stands in. */
const ENDED_BY: Record<string, string[]> = {
  li: ["li", "p"],
  dt: ["dt", "dd", "p"],
  dd: ["dt", "dd", "p"],
  td: ["td", "th", "p"],
  th: ["td", "th", "p"],
  tr: ["td", "th", "tr", "p"],
  tbody: ["td", "th", "tr", "thead", "tbody", "tfoot"],
  option: ["option"],
};
const ENDS_PARAGRAPH = new Set(
  "address article aside blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul".split(
    " ",
  ),
);

/** The elements that are open, and which of them were left out. */
class Levels {
  readonly #open: { name: string; isKept: boolean }[] = [];
  readonly #counts = new Map<string, number>();
  #kept = 0;

  /** True when the tag may stay. */
  open(name: string): boolean {
    const ended = ENDED_BY[name] ?? (ENDS_PARAGRAPH.has(name) ? ["p"] : []);
    while (ended.includes(this.#open.at(-1)?.name ?? "")) this.#pop();
    if (VOID.has(name)) return true;
    const isKept = this.#kept < MAX_LEVELS;
    this.#open.push({ name, isKept });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (isKept) this.#kept += 1;
    return isKept;
  }

  /** True when the tag may stay: it ends something that was not left out. */
  close(name: string): boolean {
    if ((this.#counts.get(name) ?? 0) === 0) return false;
    for (;;) {
      const { name: closed, isKept } = this.#pop();
      if (closed === name) return isKept;
    }
  }

  #pop(): { name: string; isKept: boolean } {
    const last = this.#open.pop() ?? { name: "", isKept: false };
    this.#counts.set(last.name, (this.#counts.get(last.name) ?? 1) - 1);
    if (last.isKept) this.#kept -= 1;
    return last;
  }
}

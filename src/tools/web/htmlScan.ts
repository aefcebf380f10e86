/** Walks through HTML tag by tag in one pass, whatever is wrong with it: no tree, no stack, no way back. */

export type HtmlToken =
  | { kind: "text"; source: string }
  | { kind: "open"; name: string; source: string }
  | { kind: "close"; name: string; source: string };

/** Elements whose content is no text for a reader. */
const UNREAD = ["script", "style", "svg"];
const ENDLESS = Number.POSITIVE_INFINITY;

/** Texts and tags in order. Comments, declarations, scripts, styles and drawings are left out. */
export function* scanHtml(html: string): Generator<HtmlToken> {
  const skip = createSkipper(html);
  let at = 0;
  while (at < html.length) {
    const start = tagStart(html, at);
    if (start > at) yield { kind: "text", source: html.slice(at, start) };
    if (start >= html.length) return;
    const end = html.startsWith("<!--", start) ? skip.comment(start) : tagEnd(html, start);
    at = end;
    const tag = TAG.exec(html.slice(start, Math.min(end, start + LONGEST_NAME)));
    const name = tag?.[2]?.toLowerCase();
    if (!name || end === ENDLESS) continue;
    if (tag?.[1] === "" && UNREAD.includes(name)) at = skip.element(name, end);
    else yield { kind: tag?.[1] === "" ? "open" : "close", name, source: html.slice(start, end) };
  }
}

/** The attributes of an opening tag, as they are written (character references included). */
export function attributesOf(source: string): Record<string, string> {
  const found: Record<string, string> = {};
  const inner = source.replace(/^<[^\s/>]+/, "").replace(/\/?>$/, "");
  for (const match of inner.matchAll(/([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g)) {
    const name = (match[1] ?? "").toLowerCase();
    if (!Object.hasOwn(found, name)) found[name] = match[2] ?? match[3] ?? match[4] ?? "";
  }
  return found;
}

const TAG = /^<(\/?)([a-z][^\s/>]*)/i;
const LONGEST_NAME = 80;

/** The next `<` that begins something; a lone one is text. */
function tagStart(html: string, from: number): number {
  for (let at = html.indexOf("<", from); at >= 0; at = html.indexOf("<", at + 1)) {
    if (/[a-z/!?]/i.test(html.charAt(at + 1))) return at;
  }
  return html.length;
}

/** Behind the `>` that ends a tag. Quotes count only after an equals sign, as in a browser. */
function tagEnd(html: string, start: number): number {
  let last = "";
  for (let at = start + 1; at < html.length; at += 1) {
    const char = html.charAt(at);
    if (char === ">") return at + 1;
    if (last === "=" && (char === '"' || char === "'")) {
      at = html.indexOf(char, at + 1);
      if (at < 0) return ENDLESS;
    }
    if (char !== " " && char !== "\n" && char !== "\t") last = char;
  }
  return ENDLESS;
}

/** What has no end is looked for once only, so that a page full of open ends costs no more than another. */
function createSkipper(html: string) {
  const ends = new Map<string, RegExp>(UNREAD.map((name) => [name, new RegExp(`</${name}(?=[\\s/>])[^>]*>?`, "gi")]));
  const missing = new Set<string>();
  return {
    comment(start: number): number {
      const end = html.indexOf("-->", start + 2);
      return end < 0 ? ENDLESS : end + 3;
    },
    element(name: string, from: number): number {
      const end = ends.get(name);
      if (!end || missing.has(name)) return from;
      end.lastIndex = from;
      if (end.test(html)) return end.lastIndex;
      missing.add(name);
      // Browsers take the rest for script or style; a drawing without an end is ended by what follows.
      return name === "svg" ? from : ENDLESS;
    },
  };
}

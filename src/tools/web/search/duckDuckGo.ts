/** DuckDuckGo's page for browsers without scripts: needs no key, but may change or refuse at any time. */

import { decodeEntities } from "../../../render/entities";
import { attributesOf, scanHtml } from "../htmlScan";
import { hitOf } from "./hits";
import type { SearchHit, WebSearchBackend } from "./SearchBackend";
import type { AskService } from "./service";

export function createDuckDuckGo(base: string, ask: AskService): WebSearchBackend {
  return {
    name: "duckduckgo",
    async search(query, count, signal) {
      const url = new URL("/html/", base);
      url.searchParams.set("q", query);
      const page = await ask(url, { headers: { accept: "text/html" }, signal });
      const hits = hitsOf(page);
      // Its page for people says so when nothing was found; anything else is a question whether one is a person.
      if (hits.length === 0 && !/no-results|no results/i.test(page)) {
        throw new Error(`${url.host} gave no results to a program`);
      }
      return hits.slice(0, count);
    },
  };
}

/** The links of class `result__a` are the hits, each followed by its `result__snippet`. Advertisements are left out. */
function hitsOf(page: string): SearchHit[] {
  const hits: { title: string; link: string; snippet: string }[] = [];
  let part: { name: string; kind: "title" | "snippet" } | undefined;
  for (const token of scanHtml(page)) {
    if (token.kind === "open" && !part) {
      const { class: classes = "", href = "" } = attributesOf(token.source);
      const names = classes.split(/\s+/);
      if (names.includes("result__a")) {
        hits.push({ title: "", link: targetOf(href), snippet: "" });
        part = { name: token.name, kind: "title" };
      } else if (names.includes("result__snippet") && hits.length > 0) part = { name: token.name, kind: "snippet" };
    } else if (token.kind === "close" && token.name === part?.name) part = undefined;
    else if (token.kind === "text" && part) {
      const hit = hits.at(-1);
      if (hit) hit[part.kind] += token.source;
    }
  }
  return hits.filter(({ link }) => link !== "").map(({ title, link, snippet }) => hitOf(title, link, snippet));
}

/** Links lead through a counter that carries the real address; where there is none the link is no result. */
function targetOf(href: string): string {
  const link = decodeEntities(href);
  if (!URL.canParse(link, "https://duckduckgo.com")) return "";
  const url = new URL(link, "https://duckduckgo.com");
  const isCounter = /(^|\.)duckduckgo\.com$/.test(url.hostname);
  return isCounter ? (url.searchParams.get("uddg") ?? "") : url.href;
}

/** SearXNG, a search server of one's own; its JSON format must be switched on there. */

import { hitOf } from "./hits";
import type { WebSearchBackend } from "./SearchBackend";
import { type AskService, jsonOf, listAt } from "./service";

/** `base`: the server's address, with or without a path. */
export function createSearxng(base: string, ask: AskService): WebSearchBackend {
  return {
    name: "searxng",
    async search(query, count, signal) {
      if (!URL.canParse(base)) throw new Error(`the address of the search server, "${base}", is none`);
      const url = new URL(base);
      if (!url.pathname.endsWith("/search")) url.pathname = `${url.pathname.replace(/\/$/, "")}/search`;
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      const found = jsonOf(await ask(url, { headers: { accept: "application/json" }, signal }), url.host);
      return listAt(found, "results")
        .slice(0, count)
        .map(({ title, url: link, content }) => hitOf(title, link, content));
    },
  };
}

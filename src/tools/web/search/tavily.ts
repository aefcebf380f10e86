/** Tavily's search interface; needs a key. */

import { hitOf } from "./hits";
import type { WebSearchBackend } from "./SearchBackend";
import { type AskService, jsonOf, listAt } from "./service";

export function createTavily(base: string, key: string, ask: AskService): WebSearchBackend {
  return {
    name: "tavily",
    async search(query, count, signal) {
      const url = new URL("/search", base);
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
      const body = JSON.stringify({ query, max_results: count });
      const found = jsonOf(await ask(url, { method: "POST", headers, body, signal }), url.host);
      return listAt(found, "results")
        .slice(0, count)
        .map(({ title, url: link, content }) => hitOf(title, link, content));
    },
  };
}

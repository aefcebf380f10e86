/** Brave's search interface; needs a key. */

import { hitOf } from "./hits";
import type { WebSearchBackend } from "./SearchBackend";
import { type AskService, jsonOf, listAt } from "./service";

export function createBrave(base: string, key: string, ask: AskService): WebSearchBackend {
  return {
    name: "brave",
    async search(query, count, signal) {
      const url = new URL("/res/v1/web/search", base);
      url.searchParams.set("q", query);
      url.searchParams.set("count", String(count));
      const headers = { accept: "application/json", "x-subscription-token": key };
      const found = jsonOf(await ask(url, { headers, signal }), url.host);
      return listAt(found, "web.results")
        .slice(0, count)
        .map(({ title, url: link, description }) => hitOf(title, link, description));
    },
  };
}

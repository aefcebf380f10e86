/** web_search: asks the services in turn until one answers; without any it says so, and that work can go on. */

import type { ToolResult } from "../../../shared/contracts";
import { textFrom } from "../../../shared/env";
import { messageOf } from "../../../shared/errors";
import { failed } from "../../toolReturns";
import type { WebToolOptions } from "../access";
import { resolveBackends } from "./backends";
import type { SearchHit, WebSearchBackend } from "./SearchBackend";
import { createAskService } from "./service";

export interface SearchQuery {
  text: string;
  count: number;
}

/** Never rejects but with the signal's reason. */
export async function searchWeb(
  query: SearchQuery,
  options: WebToolOptions & { signal?: AbortSignal | undefined },
): Promise<ToolResult | string> {
  const { env = process.env, search = {}, signal } = options;
  const ask = createAskService({
    socks: textFrom(env, "SOCKS5_PROXY"),
    agents: options.agents,
    timeLimitMs: options.timeLimitMs,
  });
  try {
    const backends = resolveBackends(search.backend, { env, url: search.url }, ask);
    const hits = await firstAnswer(backends, query, signal);
    return hits.length === 0 ? `No results for "${query.text}".` : render(hits);
  } catch (error) {
    signal?.throwIfAborted();
    return failed(`Web search is not available: ${messageOf(error)}. Continue without it.`);
  }
}

/** All reasons count: the last service is often not the one that the person has set up. */
async function firstAnswer(
  backends: readonly WebSearchBackend[],
  { text, count }: SearchQuery,
  signal: AbortSignal | undefined,
): Promise<SearchHit[]> {
  const reasons: string[] = [];
  for (const backend of backends) {
    try {
      return (await backend.search(text, count, signal)).slice(0, count);
    } catch (error) {
      signal?.throwIfAborted();
      reasons.push(messageOf(error).replace(/\.$/, ""));
    }
  }
  throw new Error([...new Set(reasons)].join("; "));
}

function render(hits: readonly SearchHit[]): string {
  const indented = ({ title, url, snippet }: SearchHit, at: number) =>
    [`${at + 1}. ${title || url}`, `   ${url}`, ...(snippet ? [`   ${snippet}`] : [])].join("\n");
  return hits.map(indented).join("\n");
}

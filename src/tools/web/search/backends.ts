/** The search services that web_search can use: one line each, tried from the top. */

import { type Environment, textFrom } from "../../../shared/env";
import { createBrave } from "./brave";
import { createDuckDuckGo } from "./duckDuckGo";
import type { WebSearchBackend } from "./SearchBackend";
import { createSearxng } from "./searxng";
import type { AskService } from "./service";
import { createTavily } from "./tavily";

export interface BackendSettings {
  env: Environment;
  /** Address of a SearXNG server; goes before ZQAGENT_SEARCH_URL. */
  url?: string | undefined;
}

/** The base addresses of services that have only one. */
export const BASE_URLS = {
  brave: "https://api.search.brave.com",
  tavily: "https://api.tavily.com",
  duckduckgo: "https://html.duckduckgo.com",
} as const;

interface Row {
  name: string;
  /** The service, or undefined where something that it needs is not set. */
  create(settings: BackendSettings, ask: AskService): WebSearchBackend | undefined;
  /** What it needs, for the message. */
  needs: string;
}

/** A server of the person's own first, then those with a key, then the one that needs nothing. */
const ROWS: Row[] = [
  {
    name: "searxng",
    needs: "ZQAGENT_SEARCH_URL",
    create: ({ env, url }, ask) =>
      withValue(url ?? textFrom(env, "ZQAGENT_SEARCH_URL"), (base) => createSearxng(base, ask)),
  },
  {
    name: "brave",
    needs: "BRAVE_API_KEY",
    create: ({ env }, ask) =>
      withValue(textFrom(env, "BRAVE_API_KEY"), (key) => createBrave(BASE_URLS.brave, key, ask)),
  },
  {
    name: "tavily",
    needs: "TAVILY_API_KEY",
    create: ({ env }, ask) =>
      withValue(textFrom(env, "TAVILY_API_KEY"), (key) => createTavily(BASE_URLS.tavily, key, ask)),
  },
  { name: "duckduckgo", needs: "", create: (_, ask) => createDuckDuckGo(BASE_URLS.duckduckgo, ask) },
];

function withValue(
  value: string | undefined,
  create: (value: string) => WebSearchBackend,
): WebSearchBackend | undefined {
  return value === undefined ? undefined : create(value);
}

/**
 * The services to try, in order: all that can be used, or the one that was named. Throws an Error with the reason where
 * the named one is not known or lacks its setting.
 */
export function resolveBackends(
  wanted: string | WebSearchBackend | undefined,
  settings: BackendSettings,
  ask: AskService,
): WebSearchBackend[] {
  if (typeof wanted === "object") return [wanted];
  if (!wanted) return ROWS.map((row) => row.create(settings, ask)).filter((backend) => backend !== undefined);
  const row = ROWS.find(({ name }) => name === wanted.toLowerCase());
  const names = ROWS.map(({ name }) => name).join(", ");
  if (!row) throw new Error(`there is no search service "${wanted}" (there are: ${names})`);
  const backend = row.create(settings, ask);
  if (!backend) throw new Error(`the search service ${row.name} needs ${row.needs}`);
  return [backend];
}

/** How the tools that reach out into the web do so: which hosts, through which proxy, with which search service. */

import { type Environment, textFrom } from "../../shared/env";
import type { GuardedFetchOptions } from "./guardedFetch";
import type { Resolve } from "./hostCheck";
import type { WebSearchBackend } from "./search/SearchBackend";

/** What both tools, and media for its addresses, go by. */
export interface WebAccess {
  /**
   * Addition: hosts that may be fetched though they are on this machine or in a private network (setting
   * `web.allowHosts`): names, `*.domain`, `host:port`, addresses, ranges like `10.1.0.0/16`.
   */
  allowHosts?: readonly string[] | undefined;
  /** Where SOCKS5_PROXY and the keys of search services are read, at each call. Default: the process's. */
  env?: Environment | undefined;
  /** All addresses of a host name. Default: the system's look-up. */
  resolve?: Resolve | undefined;
  /** Agents to connect with, instead of our own. */
  agents?: GuardedFetchOptions["agents"] | undefined;
  /** Milliseconds that one call may take. Default: 30 s. */
  timeLimitMs?: number | undefined;
}

export interface WebToolOptions extends WebAccess {
  search?:
    | {
        /** The name of one service, or one of the host's own; by default all that can be used are tried in turn. */
        backend?: string | WebSearchBackend | undefined;
        /** Address of a SearXNG server; goes before ZQAGENT_SEARCH_URL. */
        url?: string | undefined;
      }
    | undefined;
}

/** The options as one fetch needs them. */
export function fetchOptionsOf({ env = process.env, ...rest }: WebAccess): GuardedFetchOptions {
  return { ...rest, socks: textFrom(env, "SOCKS5_PROXY") };
}

/** The agents under every request of ours: straight to the host, or through a SOCKS5 proxy. */

import { type AgentOptions, Agent as HttpAgent } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import { httpsModule } from "./lateModules";
import { createSocksAgents } from "./socks";

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

const IDLE_SOCKET_MS = 20_000;
const KEPT = { keepAlive: true, scheduling: "lifo", timeout: IDLE_SOCKET_MS } as const;

/**
 * `socks`: a proxy URL as in SOCKS5_PROXY. `keepAlive`: idle sockets are kept for reuse for 20 s; they never keep the
 * process alive.
 */
export function createAgents({ socks, keepAlive }: { socks?: string | undefined; keepAlive: boolean }): Agents {
  const options: AgentOptions = keepAlive ? KEPT : { keepAlive: false };
  if (socks) return createSocksAgents(socks, options);
  let https: HttpsAgent | undefined;
  return {
    http: new HttpAgent(options),
    get https() {
      https ??= new (httpsModule().Agent)(options);
      return https;
    },
  };
}

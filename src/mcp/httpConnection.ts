/** The transports of a server that is an address: streamable HTTP, and SSE for servers that only know that. */

import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { McpHttpConfig } from "./config";
import { createGuardedFetch, type FetchWatch } from "./guardedFetch";

/** Builds a transport of one kind. Nothing is sent before it is started. */
export async function createHttpTransport(
  kind: "http" | "sse",
  { url, headers = {} }: McpHttpConfig,
  watch: FetchWatch,
): Promise<Transport> {
  const options = { requestInit: { headers }, fetch: createGuardedFetch(watch) };
  if (kind === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    return new SSEClientTransport(new URL(url), options);
  }
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  // Its type says `sessionId: string | undefined` where the contract says `sessionId?: string`.
  return new StreamableHTTPClientTransport(new URL(url), options) as Transport;
}

/** Whether a refused first request means that the server only knows the older transport. */
export function isOldServer(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === 400 || code === 404 || code === 405;
}

/** Tells a server that its session is over, where it keeps one; waits a second at most. Never rejects. */
export async function endSession(transport: Transport): Promise<void> {
  if (!("terminateSession" in transport) || typeof transport.terminateSession !== "function") return;
  const ended = Promise.resolve(transport.terminateSession()).catch(() => {});
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
}

/** An address for a message: without login, query and fragment, which may hold secrets. */
export function shownAddress(url: string): string {
  if (!URL.canParse(url)) return "the address";
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

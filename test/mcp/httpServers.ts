/** MCP servers on 127.0.0.1 for the running test: streamable, SSE, and ones that break. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

/** Starts a server; resolves to its base address. */
export async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a server was asked, and the answer of its one tool. */
export interface HttpFixture {
  url: string;
  seen: { method: string; authorization: string | undefined }[];
}

/** Gives the answer; `begin` sends a first sign of life on the same stream. */
type Respond = (response: ServerResponse, begin: () => Promise<void>) => Promise<object> | object;

function createFixture(current: () => ServerResponse, respond: Respond): Server {
  const server = new Server({ name: "http-fixture", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: "ask", description: "Asks.", inputSchema: { type: "object" as const } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const progressToken = params._meta?.progressToken ?? 0;
    const begin = () =>
      extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    return (await respond(current(), begin)) as { content: [] };
  });
  return server;
}

/** A streamable server with sessions. `asJson`: plain JSON answers instead of streams. */
export async function streamableServer(respond: Respond, { asJson = false } = {}): Promise<HttpFixture> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen: HttpFixture["seen"] = [];
  let current: ServerResponse;
  const url = await listen(async (request, response) => {
    if (request.method === "POST") current = response;
    seen.push({ method: String(request.method), authorization: request.headers.authorization });
    const id = request.headers["mcp-session-id"];
    let transport = typeof id === "string" ? sessions.get(id) : undefined;
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => `session-${sessions.size}`,
        enableJsonResponse: asJson,
        onsessioninitialized: (session) => void sessions.set(session, transport!),
      });
      await createFixture(() => current, respond).connect(transport as Transport);
    }
    await transport.handleRequest(request, response);
  });
  return { url: `${url}/mcp`, seen };
}

/** A server that only knows the older transport: a stream, and a second address for messages. */
export async function sseServer(respond: Respond): Promise<HttpFixture> {
  const seen: HttpFixture["seen"] = [];
  let transport: SSEServerTransport | undefined;
  const url = await listen(async (request: IncomingMessage, response: ServerResponse) => {
    seen.push({ method: String(request.method), authorization: request.headers.authorization });
    if (request.method === "GET") {
      transport = new SSEServerTransport("/messages", response);
      await createFixture(() => response, respond).connect(transport);
    } else if (request.url?.startsWith("/messages")) await transport?.handlePostMessage(request, response);
    else response.writeHead(405).end();
  });
  return { url: `${url}/sse`, seen };
}

/** A scripted OpenAI-compatible server on 127.0.0.1: the model behind `zqagent demo`, and behind every test. */

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ModelRequest, type Reply, type Script, ScriptPlayer, type SideScript } from "./script";
import { chatCompletion, chatEvents } from "./wireChat";
import { historyFault, parseRequest } from "./wireRequest";
import { responseObject, responsesEvents } from "./wireResponses";

export interface ModelServerOptions {
  /** Answers requests that cannot call tools (session names, summaries), so that they do not use up the script. */
  side?: SideScript;
  /** The endpoint has no Responses API: it answers 404 there. */
  chatOnly?: boolean;
  /** Refuse an invalid history with 400, as strict endpoints do. */
  strict?: boolean;
  /** What `GET /v1/models` lists (default: one model, `scripted`). */
  models?: { id: string; [extra: string]: unknown }[];
}

/** A model request with what HTTP adds. */
export interface LoggedRequest extends ModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  raw: string;
  /** Milliseconds since 1970, when the body was read. */
  at: number;
  /** The status that it was answered with; 0 before the headers went out. */
  answered: number;
}

/** `start()`, hand `url` to a client as its base URL, `close()`. */
export class ModelServer {
  /** Every model request so far (refused ones too), oldest first. */
  readonly requests: LoggedRequest[] = [];
  /** Paths of requests that were not for a model, as `GET /v1/models`. */
  readonly others: string[] = [];
  readonly #player: ScriptPlayer;
  readonly #options: ModelServerOptions;
  readonly #sockets = new Set<Socket>();
  readonly #waiters = new Set<{
    count: number;
    resolve: (request: LoggedRequest) => void;
    reject: (error: Error) => void;
  }>();
  #server: Server | undefined;

  constructor(script: Script, options: ModelServerOptions = {}) {
    this.#player = new ScriptPlayer(script, options.side);
    this.#options = options;
  }

  /** Listens on a free port. `url` ends in `/v1`. */
  async start(): Promise<{ url: string; port: number }> {
    const server = createServer(
      (request, response) => void this.#serve(request, response).catch(() => response.destroy()),
    );
    this.#server = server;
    server.on("connection", (socket) => this.#keep(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/v1`, port };
  }

  /** Ends every reply in the middle and leaves no socket or timer. */
  async close(): Promise<void> {
    for (const waiter of this.#waiters)
      waiter.reject(new Error(`The server was closed before request ${waiter.count} came.`));
    this.#waiters.clear();
    for (const socket of this.#sockets) socket.destroy();
    const server = this.#server;
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** Resolves with the `count`-th model request (the first is 1) as soon as it has arrived. Rejects on `close()`. */
  waitForRequest(count = 1): Promise<LoggedRequest> {
    const here = this.requests[count - 1];
    if (here) return Promise.resolve(here);
    const arrival = new Promise<LoggedRequest>((resolve, reject) => this.#waiters.add({ count, resolve, reject }));
    arrival.catch(() => undefined);
    return arrival;
  }

  #keep(socket: Socket): void {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(incoming);
    const path = incoming.url ?? "/";
    const route = path.split("?")[0] ?? path;
    if (incoming.method === "POST" && route.endsWith("/responses"))
      return this.#call("responses", { incoming, response, raw });
    if (incoming.method === "POST" && route.endsWith("/chat/completions"))
      return this.#call("chat", { incoming, response, raw });
    this.others.push(`${incoming.method} ${path}`);
    if (!route.endsWith("/models"))
      return sendJson(response, 404, { error: { message: `Invalid URL (${incoming.method} ${path})` } });
    const models = this.#options.models ?? [{ id: "scripted" }];
    sendJson(response, 200, {
      object: "list",
      data: models.map((model) => ({ object: "model", owned_by: "script", ...model })),
    });
  }

  async #call(
    api: ModelRequest["api"],
    http: { incoming: IncomingMessage; response: ServerResponse; raw: string },
  ): Promise<void> {
    const { incoming, response, raw } = http;
    const head = { path: incoming.url ?? "/", headers: incoming.headers, raw, at: Date.now(), answered: 0 };
    const request: LoggedRequest = { ...parseRequest(api, parseBody(raw)), ...head };
    const gone = goneSignal(response);
    const serial = this.#arrive(request);
    const reply = this.#refusal(request) ?? (await this.#player.answer(request));
    await send(reply, { request, response, serial, gone }).catch((error: unknown) => {
      if (!gone.aborted) throw error;
    });
  }

  #arrive(request: LoggedRequest): number {
    this.requests.push(request);
    for (const waiter of this.#waiters) {
      const here = this.requests[waiter.count - 1];
      if (!here) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(here);
    }
    return this.requests.length;
  }

  #refusal(request: LoggedRequest): Reply | undefined {
    if (this.#options.chatOnly && request.api === "responses") {
      return {
        status: 404,
        body: { error: { message: `Invalid URL (POST ${request.path})`, type: "invalid_request_error" } },
      };
    }
    const fault = this.#options.strict ? historyFault(request.messages) : undefined;
    return fault
      ? { status: 400, body: { error: { message: fault, type: "invalid_request_error", param: "messages" } } }
      : undefined;
  }
}

interface Exchange {
  request: LoggedRequest;
  response: ServerResponse;
  serial: number;
  gone: AbortSignal;
}

async function send(reply: Reply, exchange: Exchange): Promise<void> {
  const { request, response, gone } = exchange;
  if (reply.fault === "hang-before-headers") return;
  if (reply.delayMs) await sleep(reply.delayMs, undefined, { signal: gone });
  const status = reply.status ?? 200;
  request.answered = status;
  if (reply.body !== undefined || status >= 400) return sendBody(reply, status, response);
  if (request.stream) return stream(reply, exchange);
  const build = request.api === "chat" ? chatCompletion : responseObject;
  sendJson(response, status, build(reply, request, exchange.serial), reply.headers);
}

function sendBody(reply: Reply, status: number, response: ServerResponse): void {
  if (typeof reply.body !== "string") {
    const body = reply.body ?? { error: { message: `The script answers ${status}.` } };
    sendJson(response, status, body, reply.headers);
    return;
  }
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...reply.headers });
  response.end(reply.body);
}

async function stream(reply: Reply, { request, response, serial, gone }: Exchange): Promise<void> {
  const build = request.api === "chat" ? chatEvents : responsesEvents;
  const events = build(reply, request, serial);
  response.writeHead(reply.status ?? 200, { "content-type": "text/event-stream; charset=utf-8", ...reply.headers });
  response.flushHeaders();
  const healthy = reply.fault ? events.slice(0, Math.max(1, events.length >> 1)) : events;
  for (const event of healthy) {
    if (gone.aborted) return;
    if (!response.write(event)) await drained(response, gone);
    if (reply.everyMs) await sleep(reply.everyMs, undefined, { signal: gone });
  }
  if (reply.fault) await breakOff(reply.fault, response, gone);
  else response.end();
}

async function breakOff(fault: string, response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (fault === "hang") return;
  if (fault === "garbage") return void response.end('data: {"choices":[{"delta":{"cont\n\n');
  // What was written must have left before the connection dies, or the client would not even see it.
  await sleep(15, undefined, { signal: gone });
  if (fault === "reset") response.socket?.resetAndDestroy();
  else response.socket?.destroy();
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go);
      gone.removeEventListener("abort", go);
      resolve();
    };
    response.once("drain", go);
    gone.addEventListener("abort", go, { once: true });
  });
}

/** Aborted when the client has left or `close()` cut it off: whoever is still writing stops then. */
function goneSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.on("close", () => left.abort());
  response.on("error", () => left.abort());
  return left.signal;
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function parseBody(raw: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(raw);
    return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

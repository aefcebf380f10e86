/** Requests to model endpoints: which redirects may be followed with a key, and what a broken exchange is called. */

import type { IncomingMessage } from "node:http";
import { ModelError } from "../shared/errors";
import { type Agents, createAgents } from "../shared/net/agents";
import { type HttpRequest, NetFailure, openExchange, readBody, redirectOf } from "../shared/net/httpExchange";
import type { HeaderMap } from "./retryDelay";

export type { HttpRequest } from "../shared/net/httpExchange";

/** An answer of any status: what an error body says is for the caller to read. */
export interface HttpAnswer {
  status: number;
  headers: HeaderMap;
  /** The URL that answered, after redirects. */
  url: string;
  /** The decoded body. Throws `ModelError` (network, stream_idle). Leaving the loop closes the connection. */
  body: AsyncIterable<Buffer>;
}

/** Sends one request; throws `ModelError` of type network, or the signal's reason. */
export type HttpSend = (url: string, request: HttpRequest) => Promise<HttpAnswer>;

const MAX_REDIRECTS = 3;

/** `socks`: a proxy URL as in SOCKS5_PROXY. Idle sockets are kept for reuse and never keep the process alive. */
export function createHttpSend(options: { socks?: string } = {}): HttpSend {
  const agents = createAgents({ socks: options.socks, keepAlive: true });
  return (url, request) => follow(agents, new URL(url), request);
}

/** A redirect is followed only where body and key stay with the same host, and TLS is not given up. */
async function follow(agents: Agents, url: URL, request: HttpRequest): Promise<HttpAnswer> {
  let target = url;
  for (let hop = 0; ; hop += 1) {
    const incoming = await open(agents, target, request);
    const next = redirectOf(incoming, target);
    if (!next) return answerOf(incoming, target, request);
    incoming.destroy();
    if (hop === MAX_REDIRECTS || !isSafeHop(target, next, incoming.statusCode ?? 0)) throw redirected(target, next);
    target = next;
  }
}

async function open(agents: Agents, url: URL, request: HttpRequest): Promise<IncomingMessage> {
  try {
    return await openExchange(url, request, { agents });
  } catch (error) {
    throw modelErrorOf(error, url, request);
  }
}

function isSafeHop(from: URL, to: URL, status: number): boolean {
  return (
    (status === 307 || status === 308) &&
    from.hostname === to.hostname &&
    (to.protocol === from.protocol || to.protocol === "https:")
  );
}

function redirected(from: URL, to: URL): ModelError {
  const message = `The endpoint ${from.origin}${from.pathname} redirects to ${to.origin}${to.pathname}. Set the base URL to the address that answers itself.`;
  return new ModelError("endpoint_unsupported", message, { retriable: false });
}

function answerOf(incoming: IncomingMessage, url: URL, request: HttpRequest): HttpAnswer {
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    url: url.href,
    body: bodyOf(incoming, url, request),
  };
}

async function* bodyOf(incoming: IncomingMessage, url: URL, request: HttpRequest): AsyncGenerator<Buffer> {
  try {
    yield* readBody(incoming, request);
  } catch (error) {
    throw modelErrorOf(error, url, request);
  }
}

/** An interrupt passes as it is. */
function modelErrorOf(error: unknown, url: URL, { timeoutMs, idleMs }: HttpRequest): unknown {
  if (!(error instanceof NetFailure)) return error;
  if (error.kind === "late") return tooSlow(url, timeoutMs);
  return error.kind === "silent" ? silent(url, idleMs) : networkError(error.cause, url);
}

function networkError(cause: unknown, url: URL): ModelError {
  const { code = "", message = String(cause) } = cause as NodeJS.ErrnoException;
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_)/.test(code)) return untrusted(url, code, cause);
  const reason =
    REASONS[code] ?? (message === "aborted" ? "the connection was closed in the middle of the reply" : message);
  return new ModelError("network", `No reply from ${url.origin}: ${reason}${code ? ` (${code})` : ""}.`, {
    retriable: true,
    cause,
  });
}

function untrusted(url: URL, code: string, cause: unknown): ModelError {
  const message = `The certificate of ${url.origin} is not trusted (${code}). If it is your own, name its authority in NODE_EXTRA_CA_CERTS.`;
  return new ModelError("network", message, { retriable: false, cause });
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: "nothing listens there; check the base URL and that the server runs",
  ENOTFOUND: "there is no such host; check the base URL and the network",
  EAI_AGAIN: "the host name could not be looked up; check the network",
  ECONNRESET: "the connection was lost",
  ETIMEDOUT: "it could not be reached in time",
};

function tooSlow(url: URL, ms: number): ModelError {
  return new ModelError(
    "network",
    `${url.origin} sent no answer within ${Math.round(ms / 1000)} s (OPENAI_TIMEOUT_MS).`,
    { retriable: true },
  );
}

function silent(url: URL, ms: number): ModelError {
  return new ModelError(
    "stream_idle",
    `${url.origin} sent nothing for ${ms / 1000} s in the middle of a reply (OPENAI_STREAM_IDLE_MS).`,
    { retriable: true },
  );
}

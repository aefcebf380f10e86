/**
 * A `fetch` over node:http for the openai client: cheaper to load than undici, closed at once by an abort, and with a
 * watchdog that counts bytes, so that keep-alive comments (which no event iterator shows) keep a slow stream alive.
 */

import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ModelError } from "../shared/errors";
import type { HeaderMap } from "./retryDelay";
import { createSocksAgents } from "./socks";

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Milliseconds until the headers must be there. */
  timeoutMs: number;
  /** Milliseconds that may pass without a byte of the body. */
  idleMs: number;
}

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

type Agents = { http: HttpAgent; https: HttpAgent };

const MAX_REDIRECTS = 3;
const IDLE_SOCKET_MS = 20_000;

/** `socks`: a proxy URL as in SOCKS5_PROXY. Idle sockets are kept for reuse and never keep the process alive. */
export function createHttpSend(options: { socks?: string } = {}): HttpSend {
  const agents: Agents = options.socks ? createSocksAgents(options.socks) : createAgents();
  return (url, request) => follow(agents, new URL(url), request);
}

function createAgents(): Agents {
  const options = { keepAlive: true, scheduling: "lifo", timeout: IDLE_SOCKET_MS } as const;
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
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

function redirectOf(incoming: IncomingMessage, from: URL): URL | undefined {
  const status = incoming.statusCode ?? 0;
  const location = incoming.headers.location;
  if (status < 300 || status > 399 || !location || !URL.canParse(location, from.href)) return undefined;
  return new URL(location, from);
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

/** A kept socket may have been closed by the server just now: such a request was never read, so it goes out again. */
async function open(agents: Agents, url: URL, request: HttpRequest): Promise<IncomingMessage> {
  for (;;) {
    const sent = send(agents, url, request);
    try {
      return await headersOf(sent, request, url);
    } catch (error) {
      if (!(error instanceof StaleSocket)) throw error;
    }
  }
}

class StaleSocket extends Error {}

function send(agents: Agents, url: URL, request: HttpRequest): ClientRequest {
  const secure = url.protocol === "https:";
  const length = request.body === undefined ? {} : { "content-length": String(Buffer.byteLength(request.body)) };
  const options: RequestOptions = {
    method: request.method,
    headers: { ...request.headers, ...length },
    agent: secure ? agents.https : agents.http,
  };
  const sent = secure ? httpsRequest(url, options) : httpRequest(url, options);
  sent.setNoDelay(true);
  sent.end(request.body);
  return sent;
}

function headersOf(sent: ClientRequest, request: HttpRequest, url: URL): Promise<IncomingMessage> {
  const { signal, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      settle();
      sent.on("error", () => undefined);
      sent.destroy();
      reject(error);
    };
    const abort = () => fail(abortReason(signal));
    const timer = setTimeout(() => fail(tooSlow(url, timeoutMs)), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    sent.once("error", (error) => fail(isStale(sent, error) ? new StaleSocket() : networkError(error, url)));
    sent.once("response", (incoming) => {
      settle();
      resolve(incoming);
    });
  });
}

function isStale(sent: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

function answerOf(incoming: IncomingMessage, url: URL, request: HttpRequest): HttpAnswer {
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    url: url.href,
    body: bodyOf(incoming, url, request),
  };
}

/** The watchdog runs only while bytes are awaited: a reader that takes its time is no silent server. */
async function* bodyOf(incoming: IncomingMessage, url: URL, request: HttpRequest): AsyncGenerator<Buffer> {
  const { signal, idleMs } = request;
  let ending: Error | undefined;
  let isWaiting = true;
  const stop = (reason: Error) => {
    ending = reason;
    incoming.destroy(reason);
  };
  const abort = () => stop(abortReason(signal));
  const timer = setTimeout(() => (isWaiting ? stop(silent(url, idleMs)) : timer.refresh()), idleMs);
  const decoded = decode(incoming);
  try {
    if (signal?.aborted) throw abortReason(signal);
    signal?.addEventListener("abort", abort, { once: true });
    for await (const piece of decoded) {
      isWaiting = false;
      yield piece as Buffer;
      isWaiting = true;
      timer.refresh();
    }
  } catch (error) {
    throw ending ?? (signal?.aborted ? abortReason(signal) : networkError(error, url));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    incoming.on("error", () => undefined);
    if (!incoming.readableEnded) incoming.destroy();
  }
}

function decode(incoming: IncomingMessage): Readable {
  const encoding = String(incoming.headers["content-encoding"] ?? "identity").toLowerCase();
  const decoder = decoderFor(encoding);
  return decoder ? pipeline(incoming, decoder, () => undefined) : incoming;
}

function decoderFor(encoding: string) {
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip();
  if (encoding === "deflate") return createInflate();
  return encoding === "br" ? createBrotliDecompress() : undefined;
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new DOMException("This operation was aborted", "AbortError");
}

function networkError(cause: unknown, url: URL): ModelError {
  if (cause instanceof ModelError) return cause;
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

/**
 * One HTTP exchange over node:http: cheaper to load than undici, closed at once by an abort, and with a watchdog that
 * counts bytes, so that keep-alive comments (which no event iterator shows) keep a slow stream alive.
 */

import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Agents } from "./agents";
import { httpsModule } from "./lateModules";
import type { Wanted } from "./socks";

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

/** Which way a request goes. `lookup` answers for the host's name, so that the address connected to is a known one. */
export interface Route {
  agents: Agents;
  lookup?: RequestOptions["lookup"];
}

/** Why there is no answer or only a part of one: not reached or broken off (`lost`), no headers in time, no bytes. */
export class NetFailure extends Error {
  readonly kind: "lost" | "late" | "silent";

  constructor(kind: NetFailure["kind"], cause?: unknown) {
    super(`the exchange was ${kind}`, { cause });
    this.name = "NetFailure";
    this.kind = kind;
  }
}

/**
 * Sends one request and waits for the headers; redirects are answers like others. Throws `NetFailure`, or the signal's
 * reason. A kept socket may have been closed by the server just now: such a request was never read, so it goes again.
 */
export async function openExchange(url: URL, request: HttpRequest, route: Route): Promise<IncomingMessage> {
  for (;;) {
    const sent = send(url, request, route);
    try {
      return await headersOf(sent, request);
    } catch (error) {
      if (!(error instanceof StaleSocket)) throw error;
    }
  }
}

/** Where an answer sends its reader on to; undefined where it does not, or to what is no address at all. */
export function redirectOf(incoming: IncomingMessage, from: URL): URL | undefined {
  const status = incoming.statusCode ?? 0;
  const location = incoming.headers.location;
  if (status < 300 || status > 399 || !location || !URL.canParse(location, from.href)) return undefined;
  return new URL(location, from);
}

class StaleSocket extends Error {}

function send(url: URL, request: HttpRequest, { agents, lookup }: Route): ClientRequest {
  const secure = url.protocol === "https:";
  // As bytes: Node encodes a long string anew for the length and, four times as slowly, for the socket.
  const body = request.body === undefined ? undefined : Buffer.from(request.body);
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const options: RequestOptions & Wanted = {
    ...(request.signal && { until: request.signal }),
    method: request.method,
    headers: { ...request.headers, ...length },
    agent: secure ? agents.https : agents.http,
    ...(lookup && { lookup }),
  };
  const sent = secure ? httpsModule().request(url, options) : httpRequest(url, options);
  sent.setNoDelay(true);
  sent.end(body);
  return sent;
}

function headersOf(sent: ClientRequest, { signal, timeoutMs }: HttpRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      settle();
      sent.on("error", () => undefined);
      sent.destroy();
      reject(error);
    };
    const abort = () => fail(abortReason(signal));
    const timer = setTimeout(() => fail(new NetFailure("late")), timeoutMs);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    sent.once("error", (error) => fail(isStale(sent, error) ? new StaleSocket() : new NetFailure("lost", error)));
    sent.once("response", (incoming) => {
      settle();
      resolve(incoming);
    });
  });
}

function isStale(sent: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/**
 * The decompressed body. Leaving the loop closes the connection. Throws `NetFailure`, or the signal's reason. The
 * watchdog runs only while bytes are awaited: a reader that takes its time is no silent server.
 */
export async function* readBody(incoming: IncomingMessage, request: HttpRequest): AsyncGenerator<Buffer> {
  const { signal, idleMs } = request;
  let ending: Error | undefined;
  let isWaiting = true;
  const stop = (reason: Error) => {
    ending = reason;
    incoming.destroy(reason);
  };
  const abort = () => stop(abortReason(signal));
  const timer = setTimeout(() => (isWaiting ? stop(new NetFailure("silent")) : timer.refresh()), idleMs);
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
    throw ending ?? (signal?.aborted ? abortReason(signal) : new NetFailure("lost", error));
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

/** A GET for addresses that a model names: every hop is checked first; bytes, hops and time are limited. */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isZqError, ZqError } from "../../shared/errors";
import { type Agents, createAgents } from "../../shared/net/agents";
import { type HttpRequest, NetFailure, openExchange, readBody, redirectOf } from "../../shared/net/httpExchange";
import { sizeOf } from "../text";
import { checkHost, type HostRules } from "./hostCheck";

export interface GuardedFetchOptions extends HostRules {
  /** A proxy as in SOCKS5_PROXY. */
  socks?: string | undefined;
  /** Milliseconds for all of it. Default: 30 s. */
  timeLimitMs?: number | undefined;
  /** Default: of our own, for this one fetch. */
  agents?: Agents | undefined;
}

export interface FetchRequest {
  /** Most bytes of the body, decompressed. What comes after them is left out. */
  maxBytes: number;
  accept: string;
  signal?: AbortSignal | undefined;
}

export interface Fetched {
  /** The address that answered, after redirects. */
  url: URL;
  status: number;
  statusText: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** Why the body is not whole; undefined where it is. */
  cut?: string;
}

const MAX_REDIRECTS = 5;
const TIME_LIMIT_MS = 30_000;

/**
 * Fetches what a model named. An answer of any status is an answer. Throws `ZqError`: `InvalidAddress`,
 * `AddressRefused`, `HostNotFound`, `TooManyRedirects`, `FetchFailed`, `FetchTimeout`; and the signal's reason.
 */
export async function guardedFetch(
  address: unknown,
  request: FetchRequest,
  options: GuardedFetchOptions,
): Promise<Fetched> {
  const timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
  const clock = AbortSignal.timeout(timeLimitMs);
  const hop: Hop = {
    agents: options.agents ?? createAgents({ socks: options.socks, keepAlive: false }),
    clock,
    timeLimitMs,
    request: {
      method: "GET",
      headers: {
        accept: request.accept,
        "accept-encoding": "gzip, deflate, br",
        "accept-language": "en, *;q=0.5",
        "user-agent": `Mozilla/5.0 (compatible; zqagent/${ZQAGENT_VERSION})`,
      },
      signal: request.signal ? AbortSignal.any([request.signal, clock]) : clock,
      timeoutMs: timeLimitMs,
      idleMs: timeLimitMs,
    },
  };
  const { url, incoming } = await follow(parseAddress(address), hop, options);
  return { url, ...statusOf(incoming), ...(await collect(url, incoming, { ...hop, maxBytes: request.maxBytes })) };
}

interface Hop {
  agents: Agents;
  clock: AbortSignal;
  timeLimitMs: number;
  request: HttpRequest;
}

/** An address as models write it, sometimes without its scheme. */
export function parseAddress(address: unknown): URL {
  const text = typeof address === "string" ? address.trim() : "";
  const whole = /^[a-z][\w+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(whole)) throw new ZqError("InvalidAddress", `"${text.slice(0, 200)}" is no http or https address.`);
  return checkedAddress(new URL(whole));
}

function checkedAddress(url: URL): URL {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ZqError("AddressRefused", `${url.protocol} addresses are not fetched: only http and https.`);
  }
  if (url.username || url.password) {
    const what = `An address with a user name or password before its host (${url.host}) is not fetched.`;
    throw new ZqError("AddressRefused", `${what} Give it without.`);
  }
  return url;
}

async function follow(
  start: URL,
  hop: Hop,
  options: GuardedFetchOptions,
): Promise<{ url: URL; incoming: IncomingMessage }> {
  let url = start;
  for (let hops = 0; ; hops += 1) {
    const incoming = await open(url, hop, options);
    const next = redirectOf(incoming, url);
    if (!next) return { url, incoming };
    incoming.on("error", () => undefined).destroy();
    if (hops === MAX_REDIRECTS) {
      throw new ZqError("TooManyRedirects", `${start.href} redirects more than ${MAX_REDIRECTS} times.`);
    }
    url = redirected(url, next);
  }
}

function redirected(from: URL, to: URL): URL {
  try {
    return checkedAddress(to);
  } catch (error) {
    if (!isZqError(error)) throw error;
    throw new ZqError(error.code, `${from.href} redirects to an address that is refused. ${error.message}`);
  }
}

async function open(url: URL, hop: Hop, options: GuardedFetchOptions): Promise<IncomingMessage> {
  const { signal } = hop.request;
  try {
    const host = await orAborted(checkHost(url, options, Boolean(options.socks)), signal);
    return await openExchange(url, hop.request, { agents: hop.agents, ...host });
  } catch (error) {
    throw failureOf(error, url, hop);
  }
}

/** A look-up cannot be stopped, but nobody has to wait for it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function statusOf(incoming: IncomingMessage): Pick<Fetched, "status" | "statusText" | "headers"> {
  return { status: incoming.statusCode ?? 0, statusText: incoming.statusMessage ?? "", headers: incoming.headers };
}

/** Reads up to the limits; what came before an end that came too early is kept. */
async function collect(
  url: URL,
  incoming: IncomingMessage,
  { maxBytes, ...hop }: Hop & { maxBytes: number },
): Promise<Pick<Fetched, "bytes" | "cut">> {
  const parts: Buffer[] = [];
  let length = 0;
  let cut: string | undefined;
  try {
    for await (const piece of readBody(incoming, hop.request)) {
      parts.push(piece);
      length += piece.length;
      if (length > maxBytes) {
        cut = `at ${sizeOf(maxBytes)}`;
        break;
      }
    }
  } catch (error) {
    if (length === 0 || error !== hop.clock.reason) throw failureOf(error, url, hop);
    cut = `after ${hop.timeLimitMs / 1000} s`;
  }
  return { bytes: Buffer.concat(parts).subarray(0, maxBytes), ...(cut && { cut }) };
}

function failureOf(error: unknown, url: URL, { clock, timeLimitMs }: Hop): unknown {
  if (clock.aborted && error === clock.reason) {
    return new ZqError("FetchTimeout", `${url.origin} gave no whole answer within ${timeLimitMs / 1000} s.`);
  }
  if (!(error instanceof NetFailure)) return error;
  const { code = "", message = "the connection failed" } = (error.cause ?? {}) as NodeJS.ErrnoException;
  const reason = message === "aborted" ? "the connection was closed in the middle" : (REASONS[code] ?? message);
  return new ZqError("FetchFailed", `No answer from ${url.origin}: ${reason}${code ? ` (${code})` : ""}.`, {
    cause: error,
  });
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was lost",
  ETIMEDOUT: "it could not be reached in time",
  ENETUNREACH: "the network cannot be reached",
  EHOSTUNREACH: "the host cannot be reached",
};

/** One request to a search service that the person chose: no redirects, bounded in bytes and time. */

import { type Agents, createAgents } from "../../../shared/net/agents";
import { NetFailure, openExchange, readBody } from "../../../shared/net/httpExchange";

export interface ServiceRequest {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
}

/** Resolves to the text of a good answer; rejects with a reason that fits into a sentence, or the signal's reason. */
export type AskService = (url: URL, request: ServiceRequest) => Promise<string>;

const TIME_LIMIT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;

/** `socks`: a proxy URL as in SOCKS5_PROXY. */
export function createAskService(options: {
  socks?: string | undefined;
  timeLimitMs?: number | undefined;
  agents?: Agents | undefined;
}): AskService {
  const agents = options.agents ?? createAgents({ socks: options.socks, keepAlive: false });
  const timeLimitMs = options.timeLimitMs ?? TIME_LIMIT_MS;
  return async (url, request) => {
    const clock = AbortSignal.timeout(timeLimitMs);
    try {
      return await ask(
        url,
        { ...request, signal: request.signal ? AbortSignal.any([request.signal, clock]) : clock },
        agents,
      );
    } catch (error) {
      if (error === clock.reason) throw new Error(`${url.host} gave no answer within ${timeLimitMs / 1000} s`);
      throw error instanceof NetFailure ? new Error(`${url.host} cannot be reached (${reasonOf(error)})`) : error;
    }
  };
}

async function ask(url: URL, request: ServiceRequest & { signal: AbortSignal }, agents: Agents): Promise<string> {
  const sent = {
    method: request.method ?? "GET",
    headers: { "accept-encoding": "gzip, deflate, br", "user-agent": USER_AGENT, ...request.headers },
    ...(request.body !== undefined && { body: request.body }),
    signal: request.signal,
    timeoutMs: TIME_LIMIT_MS,
    idleMs: TIME_LIMIT_MS,
  };
  const incoming = await openExchange(url, sent, { agents });
  const parts: Buffer[] = [];
  let length = 0;
  for await (const piece of readBody(incoming, sent)) {
    parts.push(piece);
    length += piece.length;
    if (length > MAX_BYTES) throw new Error(`${url.host} sent more than 5 MB`);
  }
  const status = incoming.statusCode ?? 0;
  if (status !== 200) throw new Error(`${url.host} answered with HTTP ${status}${STATUSES[status] ?? ""}`);
  return Buffer.concat(parts).toString("utf8");
}

const USER_AGENT = `Mozilla/5.0 (compatible; zqagent/${ZQAGENT_VERSION})`;

const STATUSES: Record<number, string> = {
  401: ": the key is not accepted",
  402: ": the account has no credit left",
  403: ": it does not let this program or this key search",
  429: ": too many searches, or the month's are used up",
};

function reasonOf({ kind, cause }: NetFailure): string {
  if (kind !== "lost") return "no answer in time";
  const { code, message = String(cause) } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? message;
}

/** The parsed answer of a service, for its adapter to look into. Rejects where it is no JSON. */
export function jsonOf(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${host} answered with something that is no JSON`);
  }
}

/** The items of a list at a path like `web.results`, as far as they are objects; a strange answer has none. */
export function listAt(value: unknown, path: string): Record<string, unknown>[] {
  let at = value;
  for (const part of path.split(".")) at = isRecord(at) ? at[part] : undefined;
  return Array.isArray(at) ? at.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

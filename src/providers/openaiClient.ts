/** The openai package, loaded at the first request, as builder and sender of requests; replies are read by our own decoders. */

import type OpenAI from "openai";
import type { HttpAnswer, HttpSend } from "./http";

export interface ClientSettings {
  apiKey: string;
  baseURL: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  timeoutMs: number;
  idleMs: number;
}

/** Posts JSON to a path below the base URL, or gets one. */
export type ClientCall = (path: string, options: { body?: string; signal: AbortSignal }) => Promise<HttpAnswer>;

/** Loads the package and gives a call that answers with any status; only network errors and aborts throw. */
export async function createClientCall(settings: ClientSettings, send: HttpSend): Promise<ClientCall> {
  const client = await createClient(settings, send);
  return async (path, { body, signal }) => {
    const headers = {
      "content-type": "application/json",
      accept: body === undefined ? "application/json" : "text/event-stream",
    };
    const options = { headers, signal, timeout: settings.timeoutMs };
    const reply = body === undefined ? client.get(path, options) : client.post(path, { ...options, body });
    const { result } = (await reply.asResponse()) as unknown as Handed;
    if ("failure" in result) throw result.failure;
    return result;
  };
}

async function createClient(settings: ClientSettings, send: HttpSend): Promise<OpenAI> {
  const loaded = await import("openai");
  const Client = loaded.OpenAI ?? loaded.default;
  return new Client({
    apiKey: settings.apiKey,
    baseURL: settings.baseURL,
    defaultHeaders: settings.headers,
    defaultQuery: settings.query,
    // Retries are ours: they are told before they wait, and an abort ends the wait.
    maxRetries: 0,
    logLevel: "off",
    fetch: async (url, init) => {
      const handed = await handOver(settings, send, String(url), init ?? {});
      return handed as unknown as Response;
    },
  });
}

/** What the client gets from `fetch` and gives back unread. */
interface Handed {
  ok: true;
  status: number;
  headers: Map<string, string>;
  result: HttpAnswer | { failure: unknown };
}

/** The client must neither read the body nor judge the status nor rewrite an error, so all of it travels inside. */
async function handOver(settings: ClientSettings, send: HttpSend, url: string, init: RequestInit): Promise<Handed> {
  const headers = Object.fromEntries(init.headers as unknown as Iterable<[string, string]>);
  const { timeoutMs, idleMs } = settings;
  const request = {
    method: init.method ?? "GET",
    headers,
    timeoutMs,
    idleMs,
    ...(typeof init.body === "string" ? { body: init.body } : {}),
    ...(init.signal ? { signal: init.signal } : {}),
  };
  const result = await send(url, request).catch((failure: unknown) => ({ failure }));
  return { ok: true, status: 200, headers: new Map(), result };
}

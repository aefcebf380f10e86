/** Options and environment of the provider, resolved once (guide 10.1, 20.2). */

import { type Environment, NETWORK_RETRY_BASE_MS, numberFrom, textFrom } from "../shared/env";
import { ModelError } from "../shared/errors";
import type { KnownEndpoints } from "./endpointMemory";
import type { ApiMode } from "./modelCall";
import type { ObservedAnswer } from "./observing";

export interface OpenAIProviderOptions {
  /** Default: OPENAI_API_KEY. */
  apiKey?: string | undefined;
  /** Any OpenAI-compatible endpoint. Default: OPENAI_BASE_URL, else OpenAI's own. */
  baseURL?: string | undefined;
  /** Root folder of the audit log: one file for each request and answer, by date. It holds what the messages say. */
  logDir?: string | undefined;
  /** Output limit in tokens of every call that names none itself. Default: the endpoint's own. */
  maxTokens?: number | undefined;
  /** Default: the endpoint's own. */
  temperature?: number | undefined;
  /** Default: OPENAI_FORCE_API_MODE, else Responses first and Chat where that is not there. */
  apiMode?: ApiMode | undefined;
  /** Sent with every request. */
  headers?: Record<string, string> | undefined;
  /** Added to every URL. */
  query?: Record<string, string> | undefined;
  /** What endpoints taught an earlier provider (its `learned`). */
  knownEndpoints?: KnownEndpoints | undefined;
  /** Instead of `process.env`. */
  env?: Environment | undefined;
  /** Told each exchange as it was on the wire; what it throws is passed over. */
  observe?: ((answer: ObservedAnswer) => void) | undefined;
}

export interface ProviderSettings {
  apiKey: string | undefined;
  baseURL: string;
  headers: Record<string, string>;
  query: Record<string, string>;
  /** The option `apiMode`, else OPENAI_FORCE_API_MODE. */
  forced: ApiMode | undefined;
  /** How often a refusal that time may cure is sent again (OPENAI_MAX_RETRIES). */
  maxRetries: number;
  /** First step of the backoff in milliseconds (NETWORK_RETRY_BASE_MS). */
  backoffMs: number;
  timeoutMs: number;
  idleMs: number;
  socks: string | undefined;
  maxTokens: number | undefined;
  temperature: number | undefined;
  isOpenAI: boolean;
}

const OPENAI_URL = "https://api.openai.com/v1";

export function resolveProviderSettings(options: OpenAIProviderOptions): ProviderSettings {
  const env = options.env ?? process.env;
  const { url, query } = splitURL(options.baseURL?.trim() || textFrom(env, "OPENAI_BASE_URL") || OPENAI_URL);
  const mode = textFrom(env, "OPENAI_FORCE_API_MODE")?.toLowerCase();
  return {
    apiKey: options.apiKey?.trim() || textFrom(env, "OPENAI_API_KEY"),
    baseURL: url,
    headers: options.headers ?? {},
    query: { ...query, ...options.query },
    forced: options.apiMode ?? (mode === "chat" || mode === "responses" ? mode : undefined),
    maxRetries: numberFrom(env, "OPENAI_MAX_RETRIES", 2),
    backoffMs: numberFrom(env, "NETWORK_RETRY_BASE_MS", NETWORK_RETRY_BASE_MS),
    timeoutMs: numberFrom(env, "OPENAI_TIMEOUT_MS", 600_000, 1),
    idleMs: numberFrom(env, "OPENAI_STREAM_IDLE_MS", 300_000, 1),
    socks: textFrom(env, "SOCKS5_PROXY"),
    maxTokens: options.maxTokens,
    temperature: options.temperature,
    isOpenAI: URL.canParse(url) && new URL(url).hostname === new URL(OPENAI_URL).hostname,
  };
}

/** A URL that was copied whole from a vendor's page works as well: the path of an API is cut off, its query is kept. */
function splitURL(text: string): { url: string; query: Record<string, string> } {
  const [path = "", search = ""] = text.split("?");
  const url = path.replace(/\/+$/, "").replace(/\/(chat\/completions|completions|responses)$/, "");
  return { url, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** What must be there before the first request. Throws `ModelError`. */
export function requireReady({ apiKey, baseURL }: ProviderSettings): string {
  if (!apiKey) {
    throw new ModelError(
      "auth",
      "OPENAI_API_KEY is not set. Set it, or pass apiKey or a provider of your own. A local server takes any text as key.",
      { retriable: false },
    );
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ModelError(
      "auth",
      "OPENAI_API_KEY holds characters that no key has (a space, a line break, a letter with an accent). Copy it again.",
      { retriable: false },
    );
  }
  if (!URL.canParse(baseURL) || !/^https?:/.test(baseURL)) {
    throw new ModelError(
      "endpoint_unsupported",
      `The base URL "${baseURL}" is no http(s) address. Check OPENAI_BASE_URL.`,
      { retriable: false },
    );
  }
  return apiKey;
}

/** The door to a session's endpoint, opened with what that endpoint taught us before. */

import { OpenAIProvider, type ProviderClient } from "../index";
import { EndpointKeeper, readEndpoints } from "./endpointMemory";
import type { SessionOptions } from "./sessionOptions";

export interface SessionProvider {
  client: ProviderClient;
  /** Keeps what was learnt since; resolves when it is on disk. Never rejects. */
  keep(): Promise<void>;
}

export function createSessionProvider(options: SessionOptions): SessionProvider {
  if (options.provider) return { client: options.provider, keep: async () => {} };
  const provider = createProvider(options);
  const keeper = new EndpointKeeper(options.home, provider);
  return {
    client: provider,
    keep: async () => {
      await Promise.all([keeper.keep(), provider.settled()]);
    },
  };
}

/** The provider of the options' endpoint, with the lessons of the last week. */
export function createProvider(options: Omit<SessionOptions, "workspace" | "vcs" | "lang">): OpenAIProvider {
  const { apiKey, baseUrl, apiMode, logDir, headers, query } = options;
  return new OpenAIProvider({
    knownEndpoints: readEndpoints(options.home),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(apiMode === undefined ? {} : { apiMode }),
    ...(logDir === undefined ? {} : { logDir }),
    ...(headers === undefined ? {} : { headers }),
    ...(query === undefined ? {} : { query }),
  });
}

/** What a session is opened with. */

import type { CreateEngineOpts, Lang, Mode, ProviderClient, SandboxOptions, VcsMode } from "../index";

export interface SessionOptions {
  workspace: string;
  /** The folder that is `~/.zqagent` by default. */
  home: string;
  lang: Lang;
  vcs: VcsMode;
  /** How commands are confined; default: where it can be done. */
  sandbox?: SandboxOptions;
  /** Id of the session to go on with; absent: a new one. */
  resume?: string;
  model?: string;
  /** Wins over what a resumed session remembers; `model` and `mode` do not. */
  named?: { model?: string; mode?: Mode };
  apiKey?: string;
  baseUrl?: string;
  apiMode?: "responses" | "chat";
  /** Instead of the endpoint of the options above. */
  provider?: ProviderClient;
  reasoningEffort?: string;
  mode?: Mode;
  agent?: "code" | "cowork";
  allow?: string[];
  maxIterations?: number;
  contextWindow?: number;
  thresholdPct?: number;
  softThresholdPct?: number;
  capTokens?: number;
  logDir?: string;
  /** Hosts that web_fetch may reach although they are private, and the search service. */
  web?: CreateEngineOpts["web"];
  /** Sent with every request, and added to every URL. */
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** How long a turn may wait for rate limits in all, in milliseconds. */
  waitLimitMs?: number;
}

/** When the tools of MCP servers are too many to list, and the model searches them instead (guide 15.4). */

import { type Environment, switchFrom, textFrom } from "../shared/env";
import type { ShelfTool } from "./definitions";

/** Options of guide 15.4. */
export interface McpLazyOptions {
  /** True: always; false: never; absent: when one of the thresholds is passed. ZQAGENT_MCP_LAZY wins over it. */
  enabled?: boolean | undefined;
  /** More tools than this (default 16). */
  thresholdTools?: number | undefined;
  /** More characters than this in their schemas (default 24,000). */
  thresholdChars?: number | undefined;
  /** How many found tools are registered at a time (default 40). */
  maxLoaded?: number | undefined;
}

export interface LazyPolicy {
  enabled: boolean | undefined;
  thresholdTools: number;
  thresholdChars: number;
  maxLoaded: number;
}

/** The options with their defaults, and what the environment forces. */
export function resolveLazyPolicy(options: McpLazyOptions = {}, env: Environment = process.env): LazyPolicy {
  const { enabled, thresholdTools = 16, thresholdChars = 24_000, maxLoaded = 40 } = options;
  const isForced = textFrom(env, "ZQAGENT_MCP_LAZY") !== undefined;
  return {
    enabled: isForced ? switchFrom(env, "ZQAGENT_MCP_LAZY", false) : enabled,
    thresholdTools,
    thresholdChars,
    maxLoaded,
  };
}

/** Whether so many tools are to be searched instead of listed. */
export function shouldBeLazy(tools: readonly ShelfTool[], policy: LazyPolicy): boolean {
  if (policy.enabled !== undefined) return policy.enabled;
  if (tools.length > policy.thresholdTools) return true;
  return charactersOf(tools) > policy.thresholdChars;
}

function charactersOf(tools: readonly ShelfTool[]): number {
  return tools.reduce((sum, { name, definition }) => {
    return sum + name.length + definition.description.length + JSON.stringify(definition.parameters).length;
  }, 0);
}

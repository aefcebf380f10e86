/** One server as a host may show it. */

import type { McpServerConfig } from "./config";
import type { ShelfTool } from "./definitions";
import type { McpServerState, ServerSlot } from "./ServerSlot";

/** Addition: one server as it stands. */
export interface McpServerStatus {
  name: string;
  type: McpServerConfig["type"];
  enabled: boolean;
  state: McpServerState;
  /** Registered names of its tools, in the order in which the model would see them. */
  tools: string[];
  error?: string;
  warnings: string[];
  /** It announced a change of its tools since they were read. */
  isStale: boolean;
}

/** The status of a server; `shelf` are the tools of all servers. */
export function buildStatus(slot: ServerSlot, shelf: readonly ShelfTool[]): McpServerStatus {
  const { name, type, enabled } = slot.config;
  const tools = shelf.filter((tool) => tool.server === name).map((tool) => tool.name);
  const { state, error, warnings, isStale } = slot;
  return { name, type, enabled, state, tools, ...(error !== undefined && { error }), warnings, isStale };
}

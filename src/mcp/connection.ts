/** What the manager needs of a server, wherever it runs: a child, an address, or this very process. */

import type { ToolContext, ToolResult } from "../shared/contracts";
import type { McpToolDefinition } from "./definitions";

export interface McpConnection {
  /** False once the server has gone, or before it was there. */
  readonly isConnected: boolean;
  /** Connects. Throws `ZqError` with what happened; aborting the signal ends the attempt. */
  connect(signal?: AbortSignal): Promise<void>;
  /** The server's tools, sorted by name, and what was wrong with others. Throws `ZqError`. */
  listTools(): Promise<{ tools: McpToolDefinition[]; warnings: string[] }>;
  /** Calls a tool by the server's own name for it. Throws `ZqError`, or an `AbortError` at an interrupt. */
  callTool(name: string, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult>;
  /** Ends the connection and all that was started for it. Never rejects. */
  close(): Promise<void>;
}

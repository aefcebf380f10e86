/** One configured server in the manager: connected on demand, started again when it died, asked what it offers. */

import type { ToolContext, ToolResult } from "../shared/contracts";
import { messageOf, ZqError } from "../shared/errors";
import { abortError } from "./clientErrors";
import type { McpServerConfig } from "./config";
import type { McpConnection } from "./connection";
import { withDeadline } from "./deadline";
import type { McpToolDefinition, ShelfTool } from "./definitions";
import { visibleName } from "./foreignText";

export type McpServerState = "off" | "connecting" | "connected" | "lost" | "failed";

export interface SlotHooks {
  onToolsChanged(): void;
  onClosed(): void;
}

/** Longer than any connection attempt may take: it ends by its own limit. */
const FOREVER_MS = 2 ** 30;

export class ServerSlot {
  readonly config: McpServerConfig;
  /** What the server offered when it was last asked, sorted by name. */
  tools: McpToolDefinition[] = [];
  warnings: string[] = [];
  /** Why the last attempt failed. */
  error: string | undefined;
  /** The server said that its tools have changed since they were read. */
  isStale = false;
  readonly #create: (hooks: SlotHooks) => McpConnection;
  #connection: McpConnection | null = null;
  #opening: Promise<void> | null = null;
  #stop = new AbortController();
  #isOpen = false;

  constructor(config: McpServerConfig, create: (hooks: SlotHooks) => McpConnection) {
    this.config = config;
    this.#create = create;
  }

  get state(): McpServerState {
    if (this.#opening) return "connecting";
    if (this.#isOpen) return this.#connection?.isConnected ? "connected" : "lost";
    return this.error === undefined ? "off" : "failed";
  }

  /** True from a successful `open` to `close`, also while the server is gone in between. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Connects and reads the tools; several callers share one attempt. Throws `ZqError`. */
  open(hooks: SlotHooks): Promise<void> {
    if (this.#isOpen && this.#connection?.isConnected) return Promise.resolve();
    this.#opening ??= this.#attempt(hooks).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Calls a tool. A server that died since is started again first, if it still offers the same tool. */
  async call(tool: ShelfTool, args: Record<string, unknown>, ctx: ToolContext, hooks: SlotHooks): Promise<ToolResult> {
    if (!this.#isOpen) throw new ZqError("mcp_closed", `The MCP server ${visibleName(this.config.name)} was closed.`);
    if (ctx.signal?.aborted) throw abortError();
    if (!this.#connection?.isConnected) {
      await withDeadline(this.open(hooks), FOREVER_MS, ctx.signal);
    }
    this.#checkSame(tool);
    if (!this.#connection) throw abortError();
    return this.#connection.callTool(tool.definition.name, args, ctx);
  }

  /** Ends an attempt under way, the connection, and what was started for it. Never rejects. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.error = undefined;
    this.#stop.abort();
    this.#stop = new AbortController();
    const connection = this.#connection;
    this.#connection = null;
    await this.#opening?.catch(() => {});
    await connection?.close();
  }

  async #attempt(hooks: SlotHooks): Promise<void> {
    const { signal } = this.#stop;
    await this.#connection?.close();
    const connection = this.#create(hooks);
    this.#connection = connection;
    try {
      await connection.connect(signal);
      const { tools, warnings } = await withDeadline(connection.listTools(), FOREVER_MS, signal);
      if (signal.aborted) throw abortError();
      this.tools = tools;
      this.warnings = warnings;
      this.isStale = false;
      this.error = undefined;
      this.#isOpen = true;
    } catch (error) {
      if (!signal.aborted) this.error = messageOf(error);
      await connection.close();
      throw error;
    }
  }

  /** What a person allowed was the tool as it was described then. */
  #checkSame({ definition }: ShelfTool): void {
    const now = this.tools.find((tool) => tool.name === definition.name);
    if (now?.fingerprint === definition.fingerprint) return;
    const what = now ? "describes this tool differently" : "no longer has this tool";
    throw new ZqError(
      "mcp_changed",
      `The MCP server ${visibleName(this.config.name)} was started again and ${what}. Nothing was called. ` +
        "The user can refresh the server to accept its new tools.",
    );
  }
}

/** One connection to one server over the official SDK, which is loaded when the first server is connected (guide 15). */

import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ToolContext, ToolResult } from "../shared/contracts";
import { type Environment, numberFrom } from "../shared/env";
import { ZqError } from "../shared/errors";
import { EventType } from "../shared/events";
import { abortError, connectFailure, isAnswer, isTimeout, reasonOf } from "./clientErrors";
import type { McpHttpConfig, McpServerConfig, McpServerEntry } from "./config";
import type { McpConnection } from "./connection";
import { withDeadline } from "./deadline";
import { type McpToolDefinition, parseDefinitions } from "./definitions";
import { visibleName } from "./foreignText";
import { createHttpTransport, endSession, isOldServer } from "./httpConnection";
import { LineReader } from "./LineReader";
import { buildToolResult } from "./results";
import { StdioTransport } from "./StdioTransport";
import { resolveStdioServer } from "./stdioServer";
import { resolveMcpConfig } from "./variables";

export interface McpClientOptions {
  /** Where `${VAR}` and the child's environment come from; default is the process's. */
  env?: Environment | undefined;
  /** Working folder of a child process; default is the process's. */
  workspace?: string | undefined;
  /** The server says that its list of tools has changed. */
  onToolsChanged?: (() => void) | undefined;
  /** The connection has ended though nobody closed it. */
  onClosed?: (() => void) | undefined;
}

const CONNECT_TIMEOUT_MS = 60_000;
const CALL_TIMEOUT_MS = 300_000;
/** A call that keeps reporting progress ends after so many times its time limit. */
const MOST_TIMEOUTS = 12;
const MAX_PAGES = 100;
const MAX_TOOLS = 5_000;

/** A client of one stdio, HTTP or SSE server. It can be connected again after its end. */
export class McpClient implements McpConnection {
  readonly name: string;
  readonly #config: McpServerConfig;
  readonly #options: McpClientOptions;
  #client: Client | null = null;
  #transport: Transport | null = null;
  /** Why the connection ended, for the calls that it took along. */
  #end = "";

  /** Takes a configuration in any form of guide 15.2. Throws `ZqError` where it is none of a server. */
  constructor(config: McpServerConfig | McpServerEntry, options: McpClientOptions = {}) {
    this.#config = resolveMcpConfig(config, options.env).config;
    this.#options = options;
    this.name = this.#config.name;
  }

  get isConnected(): boolean {
    return this.#client !== null;
  }

  /** Starts or reaches the server and greets it. */
  async connect(signal?: AbortSignal): Promise<void> {
    if (this.#client) return;
    const config = this.#config;
    if (config.type === "builtin") throw new ZqError("mcp_connect", `${this.name} is built in; McpManager runs it.`);
    if (config.type === "stdio") {
      const { env, workspace } = this.#options;
      await this.#open(new StdioTransport(resolveStdioServer(config, { env, workspace })), signal);
      return;
    }
    if (!URL.canParse(config.url)) throw new ZqError("mcp_connect", `${this.name}: url is no http(s) address.`);
    await this.#openAddress(config, signal);
  }

  async listTools(): Promise<{ tools: McpToolDefinition[]; warnings: string[] }> {
    const raw: unknown[] = [];
    const seen = new Set<string>();
    for (let cursor: string | undefined; seen.size < MAX_PAGES; ) {
      const page = await this.#request("tools/list", cursor === undefined ? {} : { cursor }, {
        timeout: this.#connectTimeout,
      });
      if (Array.isArray(page.tools)) raw.push(...page.tools.slice(0, MAX_TOOLS - raw.length));
      const next = page.nextCursor;
      if (typeof next !== "string" || seen.has(next) || raw.length >= MAX_TOOLS) break;
      seen.add(next);
      cursor = next;
    }
    return parseDefinitions(raw);
  }

  async callTool(name: string, args: Record<string, unknown>, ctx: ToolContext = {}): Promise<ToolResult> {
    const { signal } = ctx;
    if (signal?.aborted) throw abortError();
    const timeout = this.#config.timeoutMs ?? callTimeout(this.#options.env);
    try {
      const result = await this.#request(
        "tools/call",
        { name, arguments: args },
        {
          timeout,
          maxTotalTimeout: timeout * MOST_TIMEOUTS,
          resetTimeoutOnProgress: true,
          onprogress: (progress) => tellProgress(name, progress, ctx),
          ...(signal && { signal }),
        },
      );
      return buildToolResult(result);
    } catch (error) {
      if (signal?.aborted) throw abortError();
      throw this.#callFailure(error, timeout);
    }
  }

  async close(): Promise<void> {
    const transport = this.#transport;
    const client = this.#client;
    this.#client = null;
    this.#transport = null;
    if (transport) {
      transport.onclose = undefined;
      await endSession(transport);
      await transport.close().catch(() => {});
    }
    await client?.close().catch(() => {});
  }

  get #connectTimeout(): number {
    return this.#config.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  }

  /** The newer transport first; a server that refuses its first request may only know the older one. */
  async #openAddress(config: McpHttpConfig, signal: AbortSignal | undefined): Promise<void> {
    const watch = {
      onFlood: () => this.#fail(`it sent a message of more than ${LineReader.LIMIT_MB} MB`),
      onLost: (id: number | string) => this.#answerLost(id),
    };
    try {
      await this.#open(await createHttpTransport(config.type, config, watch), signal);
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (config.type === "sse" || !isOldServer(cause) || signal?.aborted) throw error;
      // Where neither is there the first refusal says more.
      await createHttpTransport("sse", config, watch)
        .then((transport) => this.#open(transport, signal))
        .catch(() => Promise.reject(error));
    }
  }

  async #open(transport: Transport, signal: AbortSignal | undefined): Promise<void> {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const client = new Client({ name: "zqagent", version: ZQAGENT_VERSION }, { capabilities: {} });
    this.#transport = transport;
    this.#end = "";
    client.onclose = () => this.#ended(client, transport);
    client.fallbackNotificationHandler = async ({ method }) => {
      if (method === "notifications/tools/list_changed") this.#options.onToolsChanged?.();
    };
    try {
      await withDeadline(client.connect(transport, { timeout: this.#connectTimeout }), this.#connectTimeout, signal);
      this.#client = client;
    } catch (error) {
      const words = transport instanceof StdioTransport ? transport.lastWords : "";
      this.#transport = null;
      await transport.close().catch(() => {});
      if (signal?.aborted) throw abortError();
      throw connectFailure(this.#config, error, { words, timeoutMs: this.#connectTimeout });
    }
  }

  #ended(client: Client, transport: Transport): void {
    if (transport instanceof StdioTransport) this.#end ||= transport.lastWords;
    if (this.#client !== client) return;
    this.#client = null;
    this.#transport = null;
    this.#options.onClosed?.();
  }

  #fail(why: string): void {
    this.#end = why;
    void this.#transport?.close();
  }

  /** Answers in the server's stead a request whose answer can no longer come; one answered already is not touched. */
  #answerLost(id: number | string): void {
    const error = { code: -32000, message: "The connection broke off before the answer came." };
    this.#transport?.onmessage?.({ jsonrpc: "2.0", id, error });
  }

  async #request(
    method: string,
    params: Record<string, unknown>,
    options: Parameters<Client["request"]>[2],
  ): Promise<Record<string, unknown>> {
    if (!this.#client) throw new ZqError("mcp_closed", `The MCP server ${visibleName(this.name)} is not connected.`);
    const { ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
    return await this.#client.request({ method, params }, ResultSchema, options);
  }

  #callFailure(error: unknown, timeoutMs: number): ZqError {
    const who = `The MCP server ${visibleName(this.name)}`;
    if (!this.#client) {
      const why = this.#end ? ` (${this.#end})` : "";
      return new ZqError("mcp_closed", `${who} ended before it answered${why}. The next call starts it again.`);
    }
    if (isTimeout(error)) {
      const text = `${who} did not answer within ${timeoutMs / 1000} s (MCP_CALL_TIMEOUT_MS). The call was cancelled.`;
      return new ZqError("mcp_timeout", text);
    }
    if (isAnswer(error)) return new ZqError("mcp_error", `${who} refused the call: ${reasonOf(error)}`);
    // The line is broken, or the server has forgotten us (it may have been restarted): the next call begins anew.
    this.#fail("");
    return new ZqError(
      "mcp_closed",
      `The call to ${who.replace("The", "the")} failed: ${reasonOf(error)}. The next call connects again.`,
    );
  }
}

function callTimeout(env: Environment = process.env): number {
  return numberFrom(env, "MCP_CALL_TIMEOUT_MS", CALL_TIMEOUT_MS, 1);
}

function tellProgress(name: string, { progress, total, message }: ProgressReport, ctx: ToolContext): void {
  const { emit, reqId = "", taskId = "" } = ctx;
  const share = total === undefined ? `${progress}` : `${progress}/${total}`;
  const chunk = `${[share, message && visibleName(message)].filter(Boolean).join(" ")}\n`;
  emit?.(EventType.TOOL_OUTPUT, { reqId, name, chunk, taskId });
}

interface ProgressReport {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

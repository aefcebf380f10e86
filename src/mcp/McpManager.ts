/** All MCP servers of a session: connects them, keeps their tools in a registry, ends them (guide 15). */

import type { ToolContext, ToolResult } from "../shared/contracts";
import { messageOf, ZqError } from "../shared/errors";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { createBuiltin } from "./builtin";
import type { McpBuiltinContext } from "./builtinContext";
import type { McpServerConfig, McpServerEntry } from "./config";
import type { McpConnection } from "./connection";
import type { ShelfTool } from "./definitions";
import { type McpLazyOptions, resolveLazyPolicy } from "./lazyPolicy";
import { McpClient } from "./McpClient";
import { ServerSlot, type SlotHooks } from "./ServerSlot";
import { buildStatus, type McpServerStatus } from "./serverStatus";
import { type Delivery, ToolShelf, type ToolsChange } from "./ToolShelf";
import { buildMetadata } from "./toolMetadata";
import { asWritten, resolveMcpConfig } from "./variables";

/** Something that a host may want to show or act upon. */
export type McpEvent =
  /** The server announced other tools; nothing changes before `refresh`. */
  | { type: "list_changed"; server: string }
  /** The server ended by itself; the next call starts it again. */
  | { type: "lost"; server: string }
  /** A refresh found other tools: whoever allowed a changed one may want to be asked again. */
  | ({ type: "tools_changed"; server: string } & ToolsChange);

export interface McpManagerOptions {
  /** What presets need, and where servers run (guide 15.1). */
  builtin?: McpBuiltinContext | undefined;
  /** When tools are searched instead of listed (guide 15.4). */
  lazy?: McpLazyOptions | undefined;
  /** Addition: told of what servers do by themselves. What it throws is passed over. */
  onEvent?: ((event: McpEvent) => void) | undefined;
}

export interface McpConnectResult {
  /** Names of all servers that are connected now. */
  connected: string[];
  failed: { name: string; error: string }[];
}

/** A slow server does not keep the others' tools back for longer than this, in milliseconds. */
const FIRST_BATCH_MS = 4_500;

/**
 * Keeps everything in memory: nothing is read from or written to a file (guide 15.5). All methods may be called at any
 * time; what is under way is shared or ended.
 */
export class McpManager {
  readonly #options: McpManagerOptions;
  readonly #shelf: ToolShelf;
  readonly #slots = new Map<string, ServerSlot>();

  /** Throws `ZqError` for a configuration that cannot be one, or whose name is used twice. */
  constructor(
    registry: ToolRegistry,
    configs: readonly (McpServerConfig | McpServerEntry)[] = [],
    options: McpManagerOptions = {},
  ) {
    this.#options = options;
    this.#shelf = new ToolShelf(registry, {
      policy: resolveLazyPolicy(options.lazy, options.builtin?.env),
      metadataOf: buildMetadata,
      call: (tool, args, ctx) => this.#call(tool, args, ctx),
    });
    for (const config of configs) this.addConfig(config);
  }

  /** The configurations, in order, as `saveMcpConfigFile` takes them. */
  get configs(): McpServerConfig[] {
    return [...this.#slots.values()].map((slot) => slot.config);
  }

  /** Addition: every server as it stands. */
  status(): McpServerStatus[] {
    return [...this.#slots.values()].map((slot) => buildStatus(slot, this.#shelf.tools));
  }

  /**
   * Connects all enabled servers side by side (guide 15.1). Resolves when each is connected or has failed; never
   * rejects. Tools are registered sorted by server and name, those of slow servers behind the others'.
   */
  async connectAll(): Promise<McpConnectResult> {
    const wanted = [...this.#slots.values()].filter((slot) => slot.config.enabled);
    const arrived: ServerSlot[] = [];
    const register = () => this.#register(arrived.splice(0));
    const timer = setTimeout(register, FIRST_BATCH_MS);
    timer.unref();
    const connect = async (slot: ServerSlot): Promise<string | undefined> => {
      const isNew = !slot.isOpen;
      try {
        await slot.open(this.#hooksOf(slot));
        if (isNew) arrived.push(slot);
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    };
    const errors = await Promise.all(wanted.map(connect));
    clearTimeout(timer);
    register();
    const names = wanted.map((slot) => slot.config.name);
    return {
      connected: names.filter((_name, at) => errors[at] === undefined),
      failed: names.flatMap((name, at) => (errors[at] === undefined ? [] : [{ name, error: errors[at] }])),
    };
  }

  /** Connects one server and registers its tools behind all others (guide 15.5). Throws `ZqError`. */
  async connectServer(name: string): Promise<McpServerStatus> {
    const slot = this.#slotOf(name);
    if (!slot.config.enabled) throw new ZqError("mcp_disabled", `The MCP server ${name} is disabled. Enable it first.`);
    const isNew = !slot.isOpen;
    await slot.open(this.#hooksOf(slot));
    if (isNew) this.#register([slot]);
    return buildStatus(slot, this.#shelf.tools);
  }

  /**
   * Disconnects, connects again and registers anew (guide 15.5): a tool that is still there keeps its place. Throws
   * `ZqError` where the server cannot be reached; its tools are gone then.
   */
  async refresh(name: string): Promise<McpServerStatus> {
    const slot = this.#slotOf(name);
    await slot.close();
    try {
      await slot.open(this.#hooksOf(slot));
    } catch (error) {
      this.#shelf.remove(name);
      throw error;
    }
    const change = this.#shelf.replace(name, slot.tools);
    const count = change.added.length + change.removed.length + change.changed.length;
    if (count > 0) this.#tell({ type: "tools_changed", server: name, ...change });
    return buildStatus(slot, this.#shelf.tools);
  }

  /** Moves the tools to the registry of an engine that was built anew (guide 15.5). */
  attach(registry: ToolRegistry): void {
    this.#shelf.attach(registry);
  }

  /** Ends all servers and takes their tools away (guide 15.5). Never rejects. */
  async closeAll(): Promise<void> {
    this.#shelf.clear();
    await Promise.all([...this.#slots.values()].map((slot) => slot.close()));
  }

  /** Adds a server without connecting it. Throws `ZqError` for a bad entry or a name that is taken. */
  addConfig(config: McpServerConfig | McpServerEntry): McpServerConfig {
    const slot = this.#createSlot(config);
    const { name } = slot.config;
    if (this.#slots.has(name)) throw new ZqError("mcp_name", `There is an MCP server named ${name} already.`);
    this.#slots.set(name, slot);
    return slot.config;
  }

  /** Changes a server's configuration and disconnects it; `connectServer` starts it as it is now. Throws `ZqError`. */
  async updateConfig(name: string, patch: Partial<McpServerEntry>): Promise<McpServerConfig> {
    const old = this.#slotOf(name);
    const slot = this.#createSlot({ ...patched(asWritten(old.config), patch), name });
    this.#slots.set(name, slot);
    this.#shelf.remove(name);
    await old.close();
    return slot.config;
  }

  /** Takes a server out, with its tools. False where there is none of that name. */
  async removeConfig(name: string): Promise<boolean> {
    const slot = this.#slots.get(name);
    this.#slots.delete(name);
    this.#shelf.remove(name);
    await slot?.close();
    return slot !== undefined;
  }

  #createSlot(entry: McpServerConfig | McpServerEntry): ServerSlot {
    const { builtin } = this.#options;
    const { config, warnings } = resolveMcpConfig(entry, builtin?.env);
    const slot = new ServerSlot(config, (hooks) => this.#createConnection(config, hooks));
    slot.warnings = warnings;
    return slot;
  }

  #createConnection(config: McpServerConfig, hooks: SlotHooks): McpConnection {
    const { builtin = {} } = this.#options;
    if (config.type === "builtin") return createBuiltin(config, builtin);
    return new McpClient(config, {
      ...hooks,
      ...(builtin.env && { env: builtin.env }),
      ...(builtin.workspace !== undefined && { workspace: builtin.workspace }),
    });
  }

  #register(slots: readonly ServerSlot[]): void {
    const there = slots.filter((slot) => slot.isOpen && this.#slots.get(slot.config.name) === slot);
    this.#shelf.put(there.map((slot): Delivery => ({ server: slot.config.name, tools: slot.tools })));
  }

  async #call(tool: ShelfTool, args: Record<string, unknown>, ctx: ToolContext = {}): Promise<ToolResult> {
    const slot = this.#slotOf(tool.server);
    return slot.call(tool, args, ctx, this.#hooksOf(slot));
  }

  #slotOf(name: string): ServerSlot {
    const slot = this.#slots.get(name);
    if (slot) return slot;
    const known = [...this.#slots.keys()].join(", ") || "none";
    throw new ZqError("mcp_unknown", `There is no MCP server named ${name}. Configured: ${known}.`);
  }

  #hooksOf(slot: ServerSlot): SlotHooks {
    const server = slot.config.name;
    return {
      onToolsChanged: () => {
        // While it connects its tools have yet to be read.
        if (!slot.isOpen) return;
        slot.isStale = true;
        this.#tell({ type: "list_changed", server });
      },
      onClosed: () => this.#tell({ type: "lost", server }),
    };
  }

  #tell(event: McpEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch {
      // A host's listener must not break a connection.
    }
  }
}

/** What decides the kind of a server: a new one takes the place of the old. */
const KIND_FIELDS = ["type", "builtin", "url", "command"];

/** A configuration with the fields of a patch; those that are undefined stay as they were. */
function patched(config: McpServerConfig, patch: Partial<McpServerEntry>): McpServerEntry {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const hasNewKind = given.some(([field]) => KIND_FIELDS.includes(field) && field !== "type");
  const kept = Object.entries(config).filter(([field]) => !(hasNewKind && KIND_FIELDS.includes(field)));
  return Object.fromEntries([...kept, ...given]);
}

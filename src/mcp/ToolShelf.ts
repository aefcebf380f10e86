/** Foreign tools in a registry: in a fixed order, under names of their own, all at once or by search (guide 15.3, 15.4). */

import type { ToolContext, ToolMetadata, ToolResult, ToolSpec } from "../shared/contracts";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { byName, type McpToolDefinition, type ShelfTool } from "./definitions";
import { type LazyPolicy, shouldBeLazy } from "./lazyPolicy";
import { registerLazyTools } from "./lazyTools";
import { ToolNames } from "./ToolNames";

/** What a second look at a server's list found, by registered name. */
export interface ToolsChange {
  added: string[];
  removed: string[];
  changed: string[];
}

export interface ShelfOptions {
  policy: LazyPolicy;
  /** What the permission engine is told of every tool. */
  metadataOf(tool: ShelfTool): ToolMetadata;
  call(tool: ShelfTool, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult>;
}

export interface Delivery {
  server: string;
  tools: readonly McpToolDefinition[];
}

export class ToolShelf {
  readonly #options: ShelfOptions;
  readonly #names = new ToolNames();
  /** Every tool of every connected server, in order of arrival. */
  readonly #tools = new Map<string, ShelfTool>();
  /** What stands in the registry because of us, in the order in which the model sees it. */
  readonly #specs = new Map<string, ToolSpec>();
  /** Tools found by search, the least recently used first. */
  readonly #loaded = new Set<string>();
  #registry: ToolRegistry;
  #isLazy = false;

  constructor(registry: ToolRegistry, options: ShelfOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** All tools, registered or only to be searched. */
  get tools(): ShelfTool[] {
    return [...this.#tools.values()];
  }

  /** True once tools are to be searched instead of listed. */
  get isLazy(): boolean {
    return this.#isLazy;
  }

  /** Takes the tools of servers that were connected together: sorted by server and tool, behind all that is there. */
  put(deliveries: readonly Delivery[]): void {
    const batch = [...deliveries]
      .sort((one, other) => byName({ name: one.server }, { name: other.server }))
      .flatMap(({ server, tools }) => [...tools].sort(byName).map((definition) => this.#shelve(server, definition)));
    if (batch.length === 0) return;
    // What is listed already stays: only what comes now is kept back when it would be too much.
    this.#isLazy ||= shouldBeLazy(this.tools, this.#options.policy);
    if (this.#isLazy) this.#showLazyTools();
    else for (const tool of batch) this.#show(tool);
  }

  /** Takes a server's list anew: what is still there keeps its place, what is new comes last. */
  replace(server: string, definitions: readonly McpToolDefinition[]): ToolsChange {
    const before = this.tools.filter((tool) => tool.server === server);
    const now = new Map(definitions.map((definition) => [definition.name, definition]));
    const change: ToolsChange = { added: [], removed: [], changed: [] };
    for (const tool of before) {
      const definition = now.get(tool.definition.name);
      now.delete(tool.definition.name);
      if (!definition) {
        this.#drop(tool.name);
        change.removed.push(tool.name);
      } else if (definition.fingerprint !== tool.definition.fingerprint) {
        change.changed.push(tool.name);
        this.#tools.set(tool.name, { ...tool, definition });
        if (this.#specs.has(tool.name)) this.#show({ ...tool, definition });
      }
    }
    const known = new Set(this.#tools.keys());
    this.put([{ server, tools: [...now.values()] }]);
    change.added = [...this.#tools.keys()].filter((name) => !known.has(name));
    return change;
  }

  /** Takes a server's tools away. */
  remove(server: string): void {
    for (const tool of this.tools) if (tool.server === server) this.#drop(tool.name);
  }

  /** Takes everything away, as if nothing had ever been put here; names are remembered. */
  clear(): void {
    for (const name of [...this.#specs.keys()]) this.#hide(name);
    this.#tools.clear();
    this.#isLazy = false;
  }

  /** Moves everything that is registered to another registry, in the same order (guide 15.5). */
  attach(registry: ToolRegistry): void {
    if (registry === this.#registry) return;
    const order = [...this.#specs.keys()];
    for (const name of order) this.#hide(name);
    this.#registry = registry;
    for (const name of order) {
      const tool = this.#tools.get(name);
      if (tool) this.#show(tool);
      else this.#showLazyTools();
    }
  }

  /** Registers tools that a search found; the least recently used give way when there are too many. */
  load(tools: readonly ShelfTool[]): void {
    for (const tool of [...tools].sort(byName)) {
      if (!this.#specs.has(tool.name)) this.#show(tool);
      else if (!this.#loaded.has(tool.name)) continue;
      this.#loaded.delete(tool.name);
      this.#loaded.add(tool.name);
    }
    for (const name of this.#loaded) {
      if (this.#loaded.size <= Math.max(this.#options.policy.maxLoaded, tools.length)) return;
      this.#hide(name);
    }
  }

  call(tool: ShelfTool, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult> {
    if (this.#loaded.delete(tool.name)) this.#loaded.add(tool.name);
    return this.#options.call(tool, args, ctx);
  }

  #shelve(server: string, definition: McpToolDefinition): ShelfTool {
    const name = this.#names.nameOf(server, definition.name, (wanted) => this.#isForeign(wanted));
    const tool = { name, server, definition };
    this.#tools.set(name, tool);
    return tool;
  }

  /** Somebody else's tool of that name is never replaced. */
  #isForeign(name: string): boolean {
    const spec = this.#registry.get(name);
    return spec !== undefined && spec !== this.#specs.get(name);
  }

  #show(tool: ShelfTool): void {
    const { name, server, definition } = tool;
    const wasHidden = this.#specs.get(name)?.enabled === false;
    const spec = this.#registry.register(
      (args, ctx) => this.call(this.#tools.get(name) ?? tool, args, ctx),
      this.#options.metadataOf(tool),
      { type: "function", function: { name, description: definition.description, parameters: definition.parameters } },
      `mcp:${server}`,
    );
    this.#specs.set(name, spec);
    if (wasHidden) this.#registry.disable(name);
  }

  #showLazyTools(): void {
    for (const spec of registerLazyTools(this.#registry, this)) this.#specs.set(spec.name, spec);
  }

  #hide(name: string): void {
    if (!this.#isForeign(name)) this.#registry.remove(name);
    this.#specs.delete(name);
    this.#loaded.delete(name);
  }

  #drop(name: string): void {
    if (this.#specs.has(name)) this.#hide(name);
    this.#tools.delete(name);
  }
}

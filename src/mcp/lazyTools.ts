/** The two tools that stand for all others while these are not listed: one finds, one calls (guide 15.4). */

import callDescription from "../../prompts/mcp/call_tool.md";
import searchDescription from "../../prompts/mcp/search_tools.md";
import type { ToolContext, ToolResult, ToolSpec } from "../shared/contracts";
import { parseToolArguments } from "../tools/arguments";
import type { ToolRegistry } from "../tools/ToolRegistry";
import { headOf } from "../tools/text";
import { failed } from "../tools/toolReturns";
import { buildToolSchema } from "../tools/toolSchema";
import type { ShelfTool } from "./definitions";
import { visibleName } from "./foreignText";
import { searchTools } from "./toolSearch";

/** Name of the tool that searches (guide 20.1). */
export const MCP_SEARCH_TOOL = "mcp_search_tools";
/** Name of the tool that calls (guide 20.1). */
export const MCP_CALL_TOOL = "mcp_call_tool";

const MOST_FOUND = 8;

/** What the two need of the shelf. */
export interface LazyShelf {
  readonly tools: ShelfTool[];
  load(tools: readonly ShelfTool[]): void;
  call(tool: ShelfTool, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult>;
}

/** Registers both, once: a second time nothing changes, so that the model's list of tools stays the same. */
export function registerLazyTools(registry: ToolRegistry, shelf: LazyShelf): ToolSpec[] {
  const source = "mcp";
  const hasBoth = [MCP_SEARCH_TOOL, MCP_CALL_TOOL].every((name) => registry.get(name)?.source === source);
  if (hasBoth) return [];
  return [
    registry.register(
      (args) => search(shelf, args),
      { category: "mcp", riskLevel: "low", capabilities: [MCP_SEARCH_TOOL], requiresApproval: false },
      buildToolSchema(MCP_SEARCH_TOOL, `${searchDescription.trim()} Servers: ${serversOf(shelf.tools)}.`, {
        required: ["query"],
        properties: { query: { type: "string", description: "Keywords: what the tool should do, or its name." } },
      }),
      source,
    ),
    registry.register(
      (args, ctx) => call(shelf, args, ctx),
      {
        category: "mcp",
        riskLevel: "high",
        capabilities: [MCP_CALL_TOOL],
        requiresApproval: true,
        // "Always" for one foreign tool must not open all of them.
        actsAs: ({ name }) => (typeof name === "string" ? name : undefined),
      },
      buildToolSchema(MCP_CALL_TOOL, callDescription, {
        required: ["name"],
        properties: {
          name: { type: "string", description: "Full name, as the search gave it." },
          arguments: { type: "object", description: "The tool's own arguments." },
        },
      }),
      source,
    ),
  ];
}

function search(shelf: LazyShelf, { query }: Record<string, unknown>): string {
  const { tools } = shelf;
  const found = searchTools(tools, typeof query === "string" ? query : "").slice(0, MOST_FOUND);
  if (found.length === 0) {
    return `No tool matches. Servers: ${serversOf(tools)}. Try other keywords, or the name of a server.`;
  }
  shelf.load(found);
  const head = `${found.length} of ${tools.length} tools, loaded: call them by name, or with ${MCP_CALL_TOOL}.`;
  return [head, ...found.map(lineOf)].join("\n");
}

function lineOf({ name, definition }: ShelfTool): string {
  const { properties = {}, required = [] } = definition.parameters;
  const parameters = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`));
  const description = headOf(definition.description.replace(/\s+/g, " "), 300);
  return `- ${name}(${headOf(parameters.join(", "), 300)}): ${description}`;
}

async function call(shelf: LazyShelf, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult> {
  const name = typeof args.name === "string" ? args.name.trim() : "";
  const tool = shelf.tools.find((candidate) => candidate.name === name);
  if (!tool) return failed(unknownSentence(shelf.tools, name));
  const parsed = parseToolArguments(name, tool.definition.parameters, args.arguments ?? {});
  return "fault" in parsed ? failed(parsed.fault) : shelf.call(tool, parsed.args, ctx);
}

/** Only a full name is called, for it is what the person who allows the call has read. */
function unknownSentence(tools: readonly ShelfTool[], name: string): string {
  const meant = tools.filter((tool) => name === tool.definition.name || tool.name.endsWith(`__${name}`));
  const hint =
    meant.length > 0 && name !== ""
      ? `Did you mean ${meant
          .slice(0, 3)
          .map((tool) => tool.name)
          .join(", ")}?`
      : "";
  return `No MCP tool is named "${visibleName(name, 80)}". ${hint || `Find its full name with ${MCP_SEARCH_TOOL}.`}`;
}

function serversOf(tools: readonly ShelfTool[]): string {
  const counts = new Map<string, number>();
  for (const { server } of tools) counts.set(server, (counts.get(server) ?? 0) + 1);
  const list = [...counts].map(([server, count]) => `${visibleName(server, 40)} (${count})`);
  return list.slice(0, 30).join(", ") || "none is connected";
}

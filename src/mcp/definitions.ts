/** Tools as a server lists them, read with patience: what cannot be used is left out with a warning, the rest is taken. */

import { createHash } from "node:crypto";
import type { JsonSchema } from "../shared/contracts";
import { visibleDescription, visibleName } from "./foreignText";
import { cleanParameters } from "./schemaCleaning";

/** A foreign tool, all its texts made harmless but for the name by which the server knows it. */
export interface McpToolDefinition {
  name: string;
  description: string;
  parameters: JsonSchema;
  /** Of everything that the server says about the tool: a changed one is another tool to whoever approved it. */
  fingerprint: string;
}

/** A tool of a server under the name that the model knows. */
export interface ShelfTool {
  name: string;
  server: string;
  definition: McpToolDefinition;
}

const MAX_DESCRIPTION = 2_048;
const MAX_RAW_NAME = 200;

/** Reads a list of tools. A name that comes twice is taken once: the server could not tell them apart either. */
export function parseDefinitions(raw: readonly unknown[]): { tools: McpToolDefinition[]; warnings: string[] } {
  const tools = new Map<string, McpToolDefinition>();
  const warnings: string[] = [];
  for (const entry of raw) {
    const tool = parseDefinition(entry);
    if (tool === null) warnings.push("A tool without a usable name was left out.");
    else if (needsTasks(entry)) warnings.push(`The tool ${visibleName(tool.name)} was left out: it needs tasks.`);
    else if (tools.has(tool.name))
      warnings.push(`The tool ${visibleName(tool.name)} is listed twice; the first one counts.`);
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()].sort(byName), warnings };
}

/** Tools that can only be started as a task of the protocol's newest form refuse a plain call. */
function needsTasks(raw: unknown): boolean {
  const { execution } = raw as { execution?: { taskSupport?: unknown } | null };
  return execution?.taskSupport === "required";
}

/** By code unit: the order must not depend on the machine's language. */
export function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

function parseDefinition(raw: unknown): McpToolDefinition | null {
  if (typeof raw !== "object" || raw === null || !("name" in raw)) return null;
  const { name } = raw;
  if (typeof name !== "string" || name === "" || name.length > MAX_RAW_NAME) return null;
  const { description, title, inputSchema } = raw as { description?: unknown; title?: unknown; inputSchema?: unknown };
  return {
    name,
    description:
      visibleDescription(description, MAX_DESCRIPTION) || visibleDescription(title, 200) || visibleName(name),
    parameters: cleanParameters(inputSchema),
    fingerprint: createHash("sha256")
      .update(JSON.stringify([name, title, description, inputSchema]))
      .digest("hex"),
  };
}

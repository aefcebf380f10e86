/** What the permission engine is told of foreign tools (guide 15.3). */

import { hasProtectedName } from "../permissions/protectedFiles";
import type { ToolMetadata } from "../shared/contracts";
import type { ShelfTool } from "./definitions";

/**
 * Every foreign tool asks. A server's `path` may be anywhere or no path at all, so it is not
 * held against the workspace; but an argument that names a protected file makes the call ask in every mode.
 */
export function buildMetadata(tool: ShelfTool): ToolMetadata {
  return {
    category: "mcp",
    riskLevel: "high",
    capabilities: [tool.name],
    requiresApproval: true,
    writes: (args) => Object.values(args).flat().filter(isProtectedPath),
  };
}

function isProtectedPath(value: unknown): value is string {
  return typeof value === "string" && value.length < 4_096 && !/[\n\0]/.test(value) && hasProtectedName(value);
}

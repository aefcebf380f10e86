/** Registers one write tool: its schema, what the permission engine asks of it, and its function. */

import type { ToolContext, ToolMetadata, ToolSchema } from "../../shared/contracts";
import { WorkspaceRoots } from "../../shared/paths";
import type { ToolRegistry } from "../ToolRegistry";
import { type EditPlace, type EditTool, type Previewed, previewEdit, runEdit, type WriteToolOptions } from "./runEdit";

export interface EditToolSpec {
  tool: EditTool;
  schema: ToolSchema;
  category: "file" | "patch";
  workspace: string;
  options: WriteToolOptions;
}

export function registerEditTool(registry: ToolRegistry, spec: EditToolSpec): void {
  const { tool, schema, category, workspace, options } = spec;
  const place: EditPlace = { ...options, roots: options.roots ?? new WorkspaceRoots(workspace) };
  const previewed: Previewed = new Map();
  const metadata: ToolMetadata = {
    category,
    riskLevel: "high",
    capabilities: ["write"],
    requiresApproval: true,
    writes: (args) => tool.paths(args, place),
    preview: (args) => previewEdit(tool, args, { place, previewed }),
  };
  const func = (args: Record<string, unknown>, ctx?: ToolContext) =>
    runEdit(tool, args, { place, previewed, ...(ctx ? { ctx } : {}) });
  registry.register(func, metadata, schema);
}

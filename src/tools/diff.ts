/** apply_patch and apply_unified_diff (guide 7.1): changes to several files, all of them or none. */

import patchDescription from "../../prompts/tools/apply_patch.md";
import diffDescription from "../../prompts/tools/apply_unified_diff.md";
import { patchTool, unifiedDiffTool } from "./edit/patchTools";
import { registerEditTool } from "./edit/registerEditTool";
import type { WriteToolOptions } from "./edit/runEdit";
import type { ToolRegistry } from "./ToolRegistry";
import { buildToolSchema } from "./toolSchema";

const patchSchema = buildToolSchema("apply_patch", patchDescription, {
  required: ["patch"],
  properties: { patch: { type: "string", description: "The whole patch text." } },
});

const diffSchema = buildToolSchema("apply_unified_diff", diffDescription, {
  required: ["diff"],
  properties: {
    diff: { type: "string", description: "The diff text." },
    path: { type: "string", description: "Target file, only when the diff has no file header." },
  },
});

/** Registers apply_patch and apply_unified_diff. Without `options.roots` the workspace alone may be written. */
export function registerDiffTools(registry: ToolRegistry, workspace: string, options: WriteToolOptions = {}): void {
  const common = { category: "patch" as const, workspace, options };
  registerEditTool(registry, { tool: patchTool, schema: patchSchema, ...common });
  registerEditTool(registry, { tool: unifiedDiffTool, schema: diffSchema, ...common });
}

/** write_file and replace_in_file (guide 7.1): a file as a whole, and exact pieces of one. */

import replaceDescription from "../../prompts/tools/replace_in_file.md";
import writeDescription from "../../prompts/tools/write_file.md";
import type { JsonSchema } from "../shared/contracts";
import { registerEditTool } from "./edit/registerEditTool";
import { replaceTool } from "./edit/replaceTool";
import type { WriteToolOptions } from "./edit/runEdit";
import { writeTool } from "./edit/writeTool";
import type { ToolRegistry } from "./ToolRegistry";
import { buildToolSchema } from "./toolSchema";

export type { WriteToolOptions };

const path: JsonSchema = { type: "string", description: "Path relative to the workspace root." };
const replaceAll: JsonSchema = { type: "boolean", description: "Change every occurrence." };

const writeSchema = buildToolSchema("write_file", writeDescription, {
  required: ["path", "content"],
  properties: { path, content: { type: "string", description: "The complete new content." } },
});

const replaceSchema = buildToolSchema("replace_in_file", replaceDescription, {
  required: ["path"],
  properties: {
    path,
    old_string: { type: "string", description: "Text to find, copied exactly." },
    new_string: { type: "string", description: "Text to put in its place; empty deletes." },
    replace_all: replaceAll,
    edits: {
      type: "array",
      description: "Several replacements in this file.",
      items: {
        type: "object",
        properties: {
          old_string: { type: "string", description: "Text to find." },
          new_string: { type: "string", description: "Text to put in its place." },
          replace_all: replaceAll,
        },
        required: ["old_string", "new_string"],
        additionalProperties: false,
      },
      minItems: 1,
    },
  },
});

/** Registers write_file and replace_in_file. Without `options.roots` the workspace alone may be written. */
export function registerWriteTools(registry: ToolRegistry, workspace: string, options: WriteToolOptions = {}): void {
  const common = { category: "file" as const, workspace, options };
  registerEditTool(registry, { tool: writeTool, schema: writeSchema, ...common });
  registerEditTool(registry, { tool: replaceTool, schema: replaceSchema, ...common });
}

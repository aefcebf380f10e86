/** media: questions about an image, a sound or a video; in the table, though this version cannot serve it (guide 7.1). */

import description from "../../prompts/tools/media.md";
import type { ToolRegistry } from "./ToolRegistry";
import { failed } from "./toolReturns";
import { buildToolSchema } from "./toolSchema";

/** Registers media. */
export function registerMediaTool(registry: ToolRegistry): void {
  registry.register(
    () =>
      failed(
        "media is not available in this version. Use read_file for an image if this model can see images, " +
          "a local program through run_shell, or ask the user what the file holds.",
      ),
    { category: "media", riskLevel: "medium", capabilities: ["media"], requiresApproval: true },
    SCHEMA,
  );
}

const SCHEMA = buildToolSchema("media", description, {
  required: ["path"],
  properties: {
    path: { type: "string", description: "File in the workspace, or an http(s) address." },
    question: { type: "string", description: "What to find out.", default: "Describe the content." },
  },
});

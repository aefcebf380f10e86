/** web_search and web_fetch: in the model's table from the start, though this version cannot serve them (guide 7.1). */

import fetchDescription from "../../prompts/tools/web_fetch.md";
import searchDescription from "../../prompts/tools/web_search.md";
import type { ToolMetadata } from "../shared/contracts";
import type { ToolRegistry } from "./ToolRegistry";
import { failed } from "./toolReturns";
import { buildToolSchema } from "./toolSchema";

/** Registers web_search and web_fetch. The workspace is not used; every register function of this kind takes one. */
export function registerWebTools(registry: ToolRegistry, _workspace?: string): void {
  registry.register(
    () => failed("Web search is not available: this version has no search service. Continue without it."),
    metadata("web_search"),
    SEARCH_SCHEMA,
  );
  registry.register(
    () =>
      failed(
        "web_fetch is not available in this version. Continue without it, ask the user to paste the text, " +
          "or fetch the address with run_shell (curl) if that is allowed.",
      ),
    metadata("web_fetch"),
    FETCH_SCHEMA,
  );
}

function metadata(capability: string): ToolMetadata {
  return { category: "network", riskLevel: "medium", capabilities: [capability], requiresApproval: true };
}

const SEARCH_SCHEMA = buildToolSchema("web_search", searchDescription, {
  required: ["query"],
  properties: {
    query: { type: "string", description: "Search words." },
    count: { type: "integer", description: "Number of results.", default: 5, minimum: 1, maximum: 10 },
  },
});

const FETCH_SCHEMA = buildToolSchema("web_fetch", fetchDescription, {
  required: ["url"],
  properties: {
    url: { type: "string", description: "http or https address." },
    format: {
      type: "string",
      description: "Form of the result.",
      enum: ["markdown", "text", "raw"],
      default: "markdown",
    },
    offset: {
      type: "integer",
      description: "Start at this character, to page through a long page.",
      minimum: 0,
    },
  },
});

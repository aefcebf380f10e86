/** web_search and web_fetch: what they take and when they are asked about; the work is loaded at the first call (guide 7.1). */

import fetchDescription from "../../prompts/tools/web_fetch.md";
import searchDescription from "../../prompts/tools/web_search.md";
import type { ToolContext, ToolMetadata } from "../shared/contracts";
import type { ToolRegistry } from "./ToolRegistry";
import { buildToolSchema } from "./toolSchema";
import { fetchOptionsOf, type WebAccess, type WebToolOptions } from "./web/access";
import type { PageMemory } from "./web/fetchPage";
import type { PageForm } from "./web/pageText";

export type { WebToolOptions } from "./web/access";

/** Registers web_search and web_fetch. The workspace is not used; every register function of this kind takes one. */
export function registerWebTools(registry: ToolRegistry, _workspace?: string, options: WebToolOptions = {}): void {
  const memory: PageMemory = new Map();
  registry.register((args, ctx) => search(args, ctx, options), metadata("web_search"), SEARCH_SCHEMA);
  registry.register((args, ctx) => fetchOne(args, ctx, { options, memory }), metadata("web_fetch"), FETCH_SCHEMA);
}

async function search(args: Record<string, unknown>, ctx: ToolContext | undefined, options: WebToolOptions) {
  const { searchWeb } = await import("./web/search/searchWeb");
  const query = { text: String(args.query ?? ""), count: Number(args.count ?? DEFAULT_COUNT) };
  return searchWeb(query, { ...options, signal: ctx?.signal });
}

async function fetchOne(
  args: Record<string, unknown>,
  ctx: ToolContext | undefined,
  { options, memory }: { options: WebAccess; memory: PageMemory },
): Promise<string> {
  const { fetchPage } = await import("./web/fetchPage");
  const form = FORMS.find((known) => known === args.format) ?? "markdown";
  const request = { url: args.url, form, offset: Math.max(0, Number(args.offset ?? 0)), signal: ctx?.signal };
  return fetchPage(request, fetchOptionsOf(options), memory);
}

const DEFAULT_COUNT = 5;
const FORMS: PageForm[] = ["markdown", "text", "raw"];

function metadata(capability: string): ToolMetadata {
  return { category: "network", riskLevel: "medium", capabilities: [capability], requiresApproval: true };
}

const SEARCH_SCHEMA = buildToolSchema("web_search", searchDescription, {
  required: ["query"],
  properties: {
    query: { type: "string", description: "Search words." },
    count: { type: "integer", description: "Number of results.", default: DEFAULT_COUNT, minimum: 1, maximum: 10 },
  },
});

const FETCH_SCHEMA = buildToolSchema("web_fetch", fetchDescription, {
  required: ["url"],
  properties: {
    url: { type: "string", description: "http or https address." },
    format: {
      type: "string",
      description: "Form of the result.",
      enum: FORMS,
      default: "markdown",
    },
    offset: {
      type: "integer",
      description: "Start at this character, to page through a long page.",
      minimum: 0,
    },
  },
});

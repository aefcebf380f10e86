/** list_files: a folder as a tree, or the files that a glob names, newest first (guide 7.1). */

import description from "../../prompts/tools/list_files.md";
import type { ToolContext } from "../shared/contracts";
import { ZqError } from "../shared/errors";
import type { WorkspaceRoots } from "../shared/paths";
import { findFiles } from "./list/find";
import { renderTree } from "./list/tree";
import { boundaryOf, resolveReadable } from "./readable";
import type { ToolRegistry } from "./ToolRegistry";
import { buildToolSchema } from "./toolSchema";
import { trackedThoughIgnored } from "./walk/tracked";

const DEFAULT_DEPTH = 2;
const DEFAULT_LIMIT = 300;
const MAX_LIMIT = 2000;

/** Registers list_files. */
export function registerListFiles(registry: ToolRegistry, { roots }: { roots: WorkspaceRoots }): void {
  registry.register(
    (args, ctx) => listFiles(args, ctx ?? {}, roots),
    { category: "file", riskLevel: "low", capabilities: ["list_files"], requiresApproval: false },
    SCHEMA,
  );
}

async function listFiles(args: Record<string, unknown>, ctx: ToolContext, roots: WorkspaceRoots): Promise<string> {
  const folder = await resolveReadable(roots, textArgument(args.path) ?? ".");
  if (!folder.stats.isDirectory()) throw new ZqError("NotDirectory", `${folder.shown} is a file. Use read_file.`);
  const includeIgnored = args.include_ignored === true;
  const limit = wholeArgument(args.limit, DEFAULT_LIMIT, MAX_LIMIT);
  const boundary = boundaryOf(folder.realPath, roots);
  let known: Promise<ReadonlySet<string>> | undefined;
  const tracked = () => (known ??= trackedThoughIgnored(folder.realPath, ctx.signal));
  const common = { folder, roots, limit, includeIgnored, boundary, tracked, ...(ctx.signal && { signal: ctx.signal }) };
  const pattern = textArgument(args.pattern);
  const list =
    pattern === undefined
      ? await renderTree({ ...common, depth: wholeArgument(args.depth, DEFAULT_DEPTH, 8) })
      : await findFiles({ ...common, pattern });
  ctx.signal?.throwIfAborted();
  return list;
}

function textArgument(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function wholeArgument(value: unknown, fallback: number, most: number): number {
  return typeof value === "number" && value >= 1 ? Math.min(Math.trunc(value), most) : fallback;
}

const SCHEMA = buildToolSchema("list_files", description, {
  properties: {
    path: { type: "string", description: "Folder, relative to the workspace root.", default: "." },
    pattern: {
      type: "string",
      description: "Glob over relative paths, e.g. `src/**/*.{ts,tsx}`. With it the newest files come first.",
    },
    depth: {
      type: "integer",
      description: "Levels to show when no pattern is given.",
      default: DEFAULT_DEPTH,
      minimum: 1,
      maximum: 8,
    },
    limit: { type: "integer", description: "Most entries to return.", default: DEFAULT_LIMIT, maximum: MAX_LIMIT },
    include_ignored: { type: "boolean", description: "Also list what .gitignore hides." },
  },
});

/** media: a question about an image, a sound or a video, answered by a model that can look at it (guide 7.1). */

import description from "../../prompts/tools/media.md";
import type { ProviderClient, ToolContext, ToolResult } from "../shared/contracts";
import { WorkspaceRoots } from "../shared/paths";
import type { ToolRegistry } from "./ToolRegistry";
import { failed } from "./toolReturns";
import { buildToolSchema } from "./toolSchema";
import type { WebAccess } from "./web/access";

export interface MediaToolOptions extends WebAccess {
  /** Default: the folder in which the process runs. */
  workspace?: string | undefined;
  /** The bytes go to this provider. Without one a call only says that it cannot look at anything. */
  provider?: ProviderClient | undefined;
  /** The session's model, or how to ask for the one in use now. MEDIA_MODEL is used where it lacks the sense. */
  model?: string | (() => string) | undefined;
  /** Where may be read; by default the workspace alone. */
  roots?: WorkspaceRoots | undefined;
}

/** Registers media. */
export function registerMediaTool(registry: ToolRegistry, options: MediaToolOptions = {}): void {
  const roots = options.roots ?? new WorkspaceRoots(options.workspace ?? process.cwd());
  registry.register(
    (args, ctx) => lookAt(args, { ...options, roots }, ctx ?? {}),
    { category: "media", riskLevel: "medium", capabilities: ["media"], requiresApproval: true },
    SCHEMA,
  );
}

async function lookAt(
  args: Record<string, unknown>,
  options: MediaToolOptions & { roots: WorkspaceRoots },
  ctx: ToolContext,
): Promise<string | ToolResult> {
  const { provider, model = "", env = process.env } = options;
  if (!provider) return failed("media is not available: no provider was given to it. Use read_file for images.");
  const [{ readMedia }, { askModel }] = await Promise.all([import("./media/mediaBytes"), import("./media/askModel")]);
  const file = await readMedia(String(args.path ?? ""), options, ctx.signal);
  const models = { provider, model: typeof model === "function" ? model() : model, env };
  return askModel(file, String(args.question ?? DEFAULT_QUESTION), models, ctx);
}

const DEFAULT_QUESTION = "Describe the content.";

const SCHEMA = buildToolSchema("media", description, {
  required: ["path"],
  properties: {
    path: { type: "string", description: "File in the workspace, or an http(s) address." },
    question: { type: "string", description: "What to find out.", default: DEFAULT_QUESTION },
  },
});

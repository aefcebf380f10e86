/** The presets that run in this process instead of a child, and what they need to know (guide 15.6). */

import type { ProviderClient } from "../shared/contracts";
import type { Environment } from "../shared/env";
import { ZqError } from "../shared/errors";
import type { WorkspaceRoots } from "../shared/paths";
import type { McpBuiltinConfig } from "./config";
import type { McpConnection } from "./connection";
import { createOcr } from "./ocr/ocr";

/** What the manager's host knows (guide 15.1, 18.4). */
export interface McpBuiltinContext {
  /** Where children start, and what the presets may read. Default: the process's folder. */
  workspace?: string;
  /** Where `${VAR}`, PATH and the children's environment come from. Default: the process's. */
  env?: Environment;
  /** The session's model, for the multimodal way of the OCR preset. */
  llm?: McpBuiltinModel;
  /** Addition: the places that the session may read (`engine.permissions.roots`); default is the workspace alone. */
  roots?: WorkspaceRoots;
}

export interface McpBuiltinModel {
  apiKey?: string;
  baseURL?: string;
  model: string;
  /** Addition: the session's own provider, instead of a new one from key and address. */
  provider?: ProviderClient;
}

/** The connection of a preset. Throws `ZqError` for one that is not there. */
export function createBuiltin({ builtin }: McpBuiltinConfig, context: McpBuiltinContext): McpConnection {
  if (builtin === "ocr") return createOcr(context);
  throw new ZqError("mcp_connect", `There is no builtin MCP server "${builtin}".`);
}

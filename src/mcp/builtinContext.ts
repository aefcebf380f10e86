/** What the presets are told by the manager's host (guide 15.1, 18.4). */

import type { ProviderClient } from "../shared/contracts";
import type { Environment } from "../shared/env";
import type { WorkspaceRoots } from "../shared/paths";

/** What the manager's host knows (guide 15.1, 18.4). */
export interface McpBuiltinContext {
  /** Where children start, and what the presets may read. Default: the process's folder. */
  workspace?: string | undefined;
  /** Where `${VAR}`, PATH and the children's environment come from. Default: the process's. */
  env?: Environment | undefined;
  /** The session's model, for the multimodal way of the OCR preset. */
  llm?: McpBuiltinModel | undefined;
  /** Addition: the places that the session may read (`engine.permissions.roots`); default is the workspace alone. */
  roots?: WorkspaceRoots | undefined;
}

export interface McpBuiltinModel {
  apiKey?: string | undefined;
  baseURL?: string | undefined;
  model: string;
  /** Addition: the session's own provider, instead of a new one from key and address. */
  provider?: ProviderClient | undefined;
}

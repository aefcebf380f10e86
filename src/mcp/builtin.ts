/** The presets that run in this process instead of a child (guide 15.6). */

import { ZqError } from "../shared/errors";
import type { McpBuiltinContext } from "./builtinContext";
import type { McpBuiltinConfig } from "./config";
import type { McpConnection } from "./connection";
import { OcrServer } from "./ocr/OcrServer";

/** The connection of a preset. Throws `ZqError` for one that is not there. */
export function createBuiltin({ builtin }: McpBuiltinConfig, context: McpBuiltinContext): McpConnection {
  if (builtin === "ocr") return new OcrServer(context);
  throw new ZqError("mcp_connect", `There is no builtin MCP server "${builtin}".`);
}

/** How a configured program is started: found on PATH, in the workspace, with an environment that holds no secrets. */

import { isAbsolute, resolve } from "node:path";
import { buildChildEnvironment, parentEnvironment } from "../shared/childEnvironment";
import type { Environment } from "../shared/env";
import { ZqError } from "../shared/errors";
import { findProgram } from "../shared/programs";
import type { McpStdioConfig } from "./config";
import { visibleName } from "./foreignText";
import type { StdioServer } from "./StdioTransport";

/**
 * Resolves program, folder and environment. Throws `ZqError` where the program is not on PATH: only absolute entries
 * count, so that no folder can put its own program in the way.
 */
export function resolveStdioServer(
  { name, command, cwd, env: extra }: McpStdioConfig,
  { env, workspace = process.cwd() }: { env?: Environment | undefined; workspace?: string | undefined },
): StdioServer {
  const folder = resolve(workspace, cwd ?? ".");
  const environment = buildChildEnvironment({ parent: env ?? parentEnvironment(), ...(extra && { extra }) });
  const [program = "", ...args] = command;
  const file = programFile(program, folder, environment);
  if (!file) {
    throw new ZqError(
      "mcp_start",
      `The MCP server ${visibleName(name)} could not be started: ${visibleName(program)} is not on PATH. ` +
        "Install it, or give its full path in command.",
    );
  }
  return { argv: [file, ...args], cwd: folder, env: environment };
}

function programFile(program: string, folder: string, env: Environment): string | null {
  if (isAbsolute(program)) return program;
  if (/[\\/]/.test(program)) return resolve(folder, program);
  return findProgram(program, { env });
}

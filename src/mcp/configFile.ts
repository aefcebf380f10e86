/** The file that lists MCP servers: where it lies, how it is read and written (guide 15.2). Nothing reads it unasked. */

import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Environment } from "../shared/env";
import { messageOf } from "../shared/errors";
import { isMissing, writeFileAtomicSync } from "../shared/files";
import { BUILTIN_MCP_CONFIGS, type McpConfigList, type McpServerConfig, normalizeMcpConfigs } from "./config";
import { asWritten, expandConfig } from "./variables";

const MAX_BYTES = 1024 * 1024;

/** `<workspace>/.agent/mcp.json` (guide 15.1). */
export function defaultMcpConfigPath(workspace: string): string {
  return join(workspace, ".agent", "mcp.json");
}

/**
 * The servers of a file, ready for `McpManager`: variables are filled in from `env` (default: the process's). Never
 * throws: a missing file is an empty list, anything unusable a warning (guide 15.1).
 */
export function loadMcpConfigFile(path: string, env: Environment = process.env): McpConfigList {
  const { configs, warnings } = readMcpConfigFile(path);
  const expanded = configs.map((config) =>
    config.enabled ? expandConfig(config, env) : { config, warnings: [] as string[] },
  );
  return {
    configs: expanded.map(({ config }) => config),
    warnings: [...warnings, ...expanded.flatMap((one) => one.warnings)],
  };
}

/** The same as written, `${VAR}` untouched: for showing, changing and saving. */
export function readMcpConfigFile(path: string): McpConfigList {
  let text: string;
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error("it is no file of at most 1 MB");
    text = readFileSync(path, "utf8");
  } catch (error) {
    const warnings = isMissing(error) ? [] : [`${path} cannot be read: ${messageOf(error)}.`];
    return { configs: [], warnings };
  }
  try {
    return normalizeMcpConfigs(parseJsonWithComments(text));
  } catch (error) {
    return { configs: [], warnings: [`${path} is not valid JSON: ${messageOf(error)}`] };
  }
}

/**
 * Writes the servers as `{ "servers": [...] }`, whole or not at all, mode 0600. Values that were filled in from the
 * environment go back as `${VAR}`; presets that nobody changed are left out.
 *
 * @throws what Node throws when the file cannot be written
 */
export function saveMcpConfigFile(path: string, configs: readonly McpServerConfig[]): void {
  const servers = configs
    .map(asWritten)
    .filter((config) => !isPreset(config))
    .map(entryOf);
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomicSync(path, `${JSON.stringify({ servers }, null, 2)}\n`);
}

function entryOf({ enabled, ...config }: McpServerConfig): object {
  return enabled ? config : { ...config, enabled };
}

function isPreset(config: McpServerConfig): boolean {
  return BUILTIN_MCP_CONFIGS.some((preset) => JSON.stringify(entryOf(preset)) === JSON.stringify(entryOf(config)));
}

/** JSON as people write it: comments and commas before a closing bracket are passed over. */
function parseJsonWithComments(text: string): unknown {
  const bare = text
    .replace(/^\ufeff/, "")
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_all, quoted: string | undefined) => quoted ?? " ")
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_all, quoted: string | undefined) => quoted ?? "");
  return JSON.parse(bare);
}

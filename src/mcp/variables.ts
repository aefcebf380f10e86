/** `${VAR}` and `${env:VAR}` in a server's configuration: filled in for use, never written back to a file (guide 15.2). */

import type { Environment } from "../shared/env";
import { type McpServerConfig, type McpServerEntry, normalizeMcpConfig } from "./config";

/** `${VAR}`, `${env:VAR}`, and with a text for the case that it is not set: `${VAR:-text}`. */
const place = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Each filled-in configuration with the form in which it was written. */
const written = new WeakMap<McpServerConfig, McpServerConfig>();

/** A configuration in any form, ready for use. Throws `ZqError` `invalid_mcp_config`. */
export function resolveMcpConfig(
  config: McpServerConfig | McpServerEntry,
  env: Environment = process.env,
): { config: McpServerConfig; warnings: string[] } {
  return isExpanded(config) ? { config, warnings: [] } : expandConfig(normalizeMcpConfig(config), env);
}

function isExpanded(config: McpServerConfig | McpServerEntry): config is McpServerConfig {
  return written.has(config as McpServerConfig);
}

/**
 * A copy with variables filled in; one whose variables were filled in before stays as it is. A variable that is not
 * set leaves nothing, and a warning.
 */
export function expandConfig(
  config: McpServerConfig,
  env: Environment,
): { config: McpServerConfig; warnings: string[] } {
  if (written.has(config)) return { config, warnings: [] };
  const missing = new Set<string>();
  const fill = (text: string) =>
    text.replace(place, (_all, name: string, otherwise: string | undefined) => {
      const value = env[name] || otherwise;
      if (value === undefined) missing.add(name);
      return value ?? "";
    });
  const expanded = mapTexts(config, fill);
  written.set(expanded, config);
  const warnings = [...missing].map((name) => `${config.name}: the environment variable ${name} is not set.`);
  return { config: expanded, warnings };
}

/** The configuration as it was written, secrets as `${VAR}`. */
export function asWritten(config: McpServerConfig): McpServerConfig {
  return written.get(config) ?? config;
}

function mapTexts(config: McpServerConfig, fill: (text: string) => string): McpServerConfig {
  const mapAll = (pairs: Record<string, string>) =>
    Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, fill(value)]));
  if (config.type === "builtin") return { ...config };
  if (config.type !== "stdio") {
    return { ...config, url: fill(config.url), ...(config.headers && { headers: mapAll(config.headers) }) };
  }
  return {
    ...config,
    command: config.command.map(fill),
    ...(config.env && { env: mapAll(config.env) }),
    ...(config.cwd !== undefined && { cwd: fill(config.cwd) }),
  };
}

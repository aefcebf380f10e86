/** What is known of an MCP server before it is started, and every form in which people write that down (guide 15.2). */

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { messageOf, ZqError } from "../shared/errors";
import { splitCommandLine } from "./commandLine";

interface McpServerBase {
  /** Unique; the middle part of its tools' names (guide 15.3). */
  name: string;
  enabled: boolean;
  /** Longest silence in a call, in milliseconds; default MCP_CALL_TIMEOUT_MS. */
  timeoutMs?: number | undefined;
  /** Longest wait for the server to be ready, in milliseconds; default 60,000. */
  connectTimeoutMs?: number | undefined;
}

/** A program that speaks over its standard input and output. */
export interface McpStdioConfig extends McpServerBase {
  type: "stdio";
  /** Program and arguments. */
  command: string[];
  /** Put into the child's environment, which otherwise holds no secrets. */
  env?: Record<string, string> | undefined;
  /** Relative to the workspace; default is the workspace. */
  cwd?: string | undefined;
}

/** An address. `http` is the streamable transport, falling back to SSE where a server only knows that. */
export interface McpHttpConfig extends McpServerBase {
  type: "http" | "sse";
  url: string;
  headers?: Record<string, string> | undefined;
}

/** A preset that runs in this process (guide 15.6). */
export interface McpBuiltinConfig extends McpServerBase {
  type: "builtin";
  builtin: string;
}

/** One server, in the one form that the manager works with. `${VAR}` may still stand in its texts. */
export type McpServerConfig = McpStdioConfig | McpHttpConfig | McpBuiltinConfig;

/** One server as people write it, in each form of guide 15.2. */
export interface McpServerEntry {
  name?: string | undefined;
  type?: string | undefined;
  builtin?: string | undefined;
  url?: string | undefined;
  command?: string | readonly string[] | undefined;
  [key: string]: unknown;
}

export interface McpConfigList {
  configs: McpServerConfig[];
  /** One sentence for each entry or value that could not be used. */
  warnings: string[];
}

/** Presets, as `withBuiltinMcpConfigs` appends them (guide 15.6). */
export const BUILTIN_MCP_CONFIGS: readonly McpBuiltinConfig[] = [
  { name: "ocr", type: "builtin", builtin: "ocr", enabled: true },
];

/** The configurations and behind them each preset whose name none of them has, switched on or off (guide 15.2). */
export function withBuiltinMcpConfigs(configs: readonly McpServerConfig[]): McpServerConfig[] {
  const taken = new Set(configs.map((config) => config.name));
  return [
    ...configs,
    ...BUILTIN_MCP_CONFIGS.filter((preset) => !taken.has(preset.name)).map((preset) => ({ ...preset })),
  ];
}

/**
 * A whole file's content in any form: an array, `{ servers }` or `{ mcpServers }`, each a list or a map by name. Never
 * throws: a bad entry becomes a warning, and the others are used.
 */
export function normalizeMcpConfigs(raw: unknown): McpConfigList {
  const configs: McpServerConfig[] = [];
  const warnings: string[] = [];
  for (const { entry, name } of entriesOf(raw, warnings)) {
    try {
      const config = normalizeMcpConfig(entry, name);
      if (configs.some((other) => other.name === config.name)) {
        warnings.push(`${config.name}: the name is used twice; the first entry counts.`);
      } else configs.push(config);
    } catch (error) {
      warnings.push(messageOf(error));
    }
  }
  return { configs, warnings };
}

/**
 * One entry. Without `type` it is inferred: `builtin`, then `url`, then `command` (guide 15.2).
 *
 * @throws ZqError `invalid_mcp_config` with the entry's name and what is wrong with it
 */
export function normalizeMcpConfig(raw: unknown, fallbackName?: string): McpServerConfig {
  const name = nameOf(raw, fallbackName);
  const fail = (problem: string) => new ZqError("invalid_mcp_config", `${name}: ${problem}`);
  if (!isRecord(raw)) throw fail("the entry must be an object.");
  const base: McpServerBase = {
    name,
    enabled: raw.enabled !== false && raw.disabled !== true,
    ...durations(raw),
  };
  const kind = kindOf(raw, name, fail);
  if (kind === "builtin") return { ...base, type: "builtin", builtin: presetOf(raw, name, fail) };
  if (kind === "stdio") return { ...base, type: "stdio", ...commandOf(raw, fail) };
  return { ...base, type: kind, ...addressOf(raw, fail) };
}

type Fail = (problem: string) => ZqError;
type Raw = Record<string, unknown>;

function* entriesOf(raw: unknown, warnings: string[]): Generator<{ entry: unknown; name?: string }> {
  if (Array.isArray(raw)) {
    for (const [at, entry] of raw.entries()) yield { entry, ...(!isRecord(entry) && { name: `entry ${at + 1}` }) };
    return;
  }
  const lists = isRecord(raw) ? [raw.servers, raw.mcpServers].filter((list) => list !== undefined) : [];
  if (lists.length === 0) warnings.push("No list of servers: an array, servers or mcpServers is expected.");
  for (const list of lists) {
    if (Array.isArray(list)) yield* entriesOf(list, warnings);
    else if (isRecord(list)) for (const [name, entry] of Object.entries(list)) yield { entry, name };
    else warnings.push("The list of servers must be an array, or an object with their names as keys.");
  }
}

/** The key of a map is the name; in a list the entry names itself. */
function nameOf(raw: unknown, fallback: string | undefined): string {
  const own = isRecord(raw) && typeof raw.name === "string" ? raw.name : undefined;
  const name = (fallback ?? own)?.trim();
  if (!name) throw new ZqError("invalid_mcp_config", "An MCP server has no name.");
  return name.slice(0, 100);
}

const kindByWord: Record<string, McpServerConfig["type"]> = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  remote: "http",
  streamablehttp: "http",
  sse: "sse",
  builtin: "builtin",
};

function kindOf(raw: Raw, name: string, fail: Fail): McpServerConfig["type"] {
  if (typeof raw.type === "string") {
    const word = raw.type.toLowerCase().replace(/[_-]/g, "");
    const kind = Object.hasOwn(kindByWord, word) ? kindByWord[word] : undefined;
    if (kind) return kind;
    throw fail(`type "${raw.type}" is none of stdio, http, sse, builtin.`);
  }
  if (typeof raw.builtin === "string") return "builtin";
  if (urlOf(raw) !== undefined) return "http";
  if (raw.command !== undefined) return "stdio";
  if (BUILTIN_MCP_CONFIGS.some((preset) => preset.name === name)) return "builtin";
  throw fail("it needs a command, a url or a builtin.");
}

function presetOf(raw: Raw, name: string, fail: Fail): string {
  const wanted = typeof raw.builtin === "string" ? raw.builtin : name;
  if (BUILTIN_MCP_CONFIGS.some((preset) => preset.builtin === wanted)) return wanted;
  const known = BUILTIN_MCP_CONFIGS.map((preset) => preset.builtin).join(", ");
  throw fail(`there is no builtin "${wanted}" (there is: ${known}).`);
}

function commandOf(raw: Raw, fail: Fail): Pick<McpStdioConfig, "command" | "env" | "cwd"> {
  const args = textsOf(raw.args);
  const command = [...programOf(raw, fail), ...(args ?? [])];
  if (args === undefined && raw.args !== undefined) throw fail("args must be a list of texts.");
  if (!command[0]) throw fail("command must be a text or a list of texts.");
  const env = pairsOf(raw.env, "env", fail);
  if (raw.cwd !== undefined && typeof raw.cwd !== "string") throw fail("cwd must be a text.");
  return { command, ...(env && { env }), ...(raw.cwd !== undefined && { cwd: raw.cwd }) };
}

function programOf(raw: Raw, fail: Fail): string[] {
  if (typeof raw.command !== "string") return textsOf(raw.command) ?? [];
  // The path of a program may hold blanks; then it is the program and nothing else.
  if (isAbsolute(raw.command) && existsSync(raw.command)) return [raw.command];
  try {
    return splitCommandLine(raw.command);
  } catch (error) {
    throw fail(messageOf(error));
  }
}

function addressOf(raw: Raw, fail: Fail): Pick<McpHttpConfig, "url" | "headers"> {
  const url = urlOf(raw);
  if (!url) throw fail("url must be an http(s) address.");
  const isOpen = url.includes("${");
  if (!isOpen && (!URL.canParse(url) || !/^https?:/i.test(url))) throw fail("url must be an http(s) address.");
  const headers = pairsOf(raw.headers, "headers", fail);
  return { url, ...(headers && { headers }) };
}

function urlOf(raw: Raw): string | undefined {
  return [raw.url, raw.serverUrl, raw.httpUrl].find((url): url is string => typeof url === "string")?.trim();
}

function pairsOf(value: unknown, field: string, fail: Fail): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw fail(`${field} must be an object of texts.`);
  const pairs = Object.entries(value).filter(([, text]) => text !== null && text !== undefined);
  const odd = pairs.find(([, text]) => typeof text === "object");
  if (odd) throw fail(`${field}.${odd[0]} must be a text.`);
  return Object.fromEntries(pairs.map(([name, text]) => [name, String(text)]));
}

/** `timeout` is written in seconds by some and in milliseconds by others; nobody waits 3,600 ms or 3,601 s. */
function durations(raw: Raw): Pick<McpServerBase, "timeoutMs" | "connectTimeoutMs"> {
  const { timeout } = raw;
  const loose = typeof timeout === "number" && timeout <= 3600 ? timeout * 1000 : timeout;
  const timeoutMs = [raw.timeoutMs, loose].find(isDuration);
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(isDuration(raw.connectTimeoutMs) && { connectTimeoutMs: raw.connectTimeoutMs }),
  };
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.some((item) => !["string", "number"].includes(typeof item))) return undefined;
  return value.map(String);
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

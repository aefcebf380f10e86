/** The user's settings file, `~/.zqagent/config.json`: read generously (unknown keys pass), checked strictly. */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { codeOf, messageOf } from "../shared/errors";
import { PROMPT_LANGS } from "../shared/lang";
import type { Texts } from "../shared/locales";
import { parseDuration } from "./duration";
import { usageError } from "./usageError";

/** The keys that this version uses. */
export interface UserConfig {
  apiKey?: string;
  baseUrl?: string;
  apiMode?: "responses" | "chat";
  model?: string;
  reasoningEffort?: string;
  mode?: "discuss" | "plan" | "interactive" | "auto";
  agent?: "code" | "cowork";
  lang?: string;
  allow?: string[];
  maxIterations?: number;
  contextWindow?: number;
  compaction?: { thresholdPct?: number; softThresholdPct?: number; capTokens?: number };
  vcs?: "auto" | "native" | "shadow" | "off";
  sandbox?: { mode?: "auto" | "off" | "required"; extraWritable?: string[]; network?: boolean };
  logDir?: string;
  /** Sent with every request (OpenRouter's titles, Azure's key). */
  headers?: Record<string, string>;
  /** Added to every URL (Azure's api-version). */
  query?: Record<string, string>;
  /** Hosts of private networks that web_fetch may reach: names, `*.domain`, `host:port`, addresses, CIDR ranges. */
  web?: { allowHosts?: string[] };
  /** Which service web_search asks. */
  search?: { backend?: string; url?: string };
  /** As `--wait-limits`: `30m`, `6h`. */
  waitLimits?: string;
  /** False: the terminal never rings. */
  notify?: boolean;
  /** As `--screen-reader`. */
  screenReader?: boolean;
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const trueOrFalse: Check = (value) => typeof value === "boolean";
const positive: Check = (value) => typeof value === "number" && value > 0;
const oneOf =
  (...choices: readonly string[]): Check =>
  (value) =>
    choices.includes(value as string);
const listOfText: Check = (value) => Array.isArray(value) && value.every(text);
const holding =
  (fields: Record<string, Check>): Check =>
  (value) =>
    typeof value === "object" && value !== null && faultIn(value as Record<string, unknown>, fields) === undefined;
/** Texts of one line each, by names of this form: anything else would break the request it goes into. */
const tableOf =
  (name: RegExp): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, field]) => name.test(key) && text(field) && /^[\t\x20-\x7e]*$/.test(field));

const KEYS: Record<keyof UserConfig, Check> = {
  apiKey: text,
  baseUrl: text,
  apiMode: oneOf("responses", "chat"),
  model: text,
  reasoningEffort: text,
  mode: oneOf("discuss", "plan", "interactive", "auto"),
  agent: oneOf("code", "cowork"),
  lang: oneOf(...PROMPT_LANGS),
  allow: listOfText,
  maxIterations: positive,
  contextWindow: positive,
  compaction: holding({ thresholdPct: positive, softThresholdPct: positive, capTokens: positive }),
  vcs: oneOf("auto", "native", "shadow", "off"),
  sandbox: holding({ mode: oneOf("auto", "off", "required"), extraWritable: listOfText, network: trueOrFalse }),
  logDir: text,
  headers: tableOf(/^[\w!#$%&'*+.^`|~-]+$/),
  query: tableOf(/./),
  web: holding({ allowHosts: listOfText }),
  search: holding({ backend: text, url: text }),
  waitLimits: (value) => typeof value === "string" && parseDuration(value) !== undefined,
  notify: trueOrFalse,
  screenReader: trueOrFalse,
};

/** `~/.zqagent`, or where ZQAGENT_HOME says. */
export function userHome(env: NodeJS.ProcessEnv): string {
  return resolve(env.ZQAGENT_HOME || join(homedir(), ".zqagent"));
}

/** Reads the settings; no file means none. Throws UsageError when the file is broken or a key has a wrong value. */
export function readUserConfig(home: string, texts: Texts): UserConfig {
  const path = join(home, "config.json");
  const fail = (problem: string) => usageError(texts.cli.badConfig, { path, problem });
  let raw: string;
  try {
    raw = readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    throw fail(messageOf(error));
  }
  const config = parseObject(raw);
  if (config === null) throw fail("it is not a JSON object");
  const fault = faultIn(config, KEYS);
  if (fault !== undefined) throw fail(`the value of "${fault}" does not fit`);
  return config as UserConfig;
}

function parseObject(raw: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(raw.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function faultIn(config: Record<string, unknown>, checks: Record<string, Check>): string | undefined {
  return Object.keys(config).find((key) => config[key] !== undefined && checks[key] && !checks[key](config[key]));
}

/** The settings of a run: flag over environment over the user's file over default, checked at this border. */

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Environment, numberFrom, switchFrom, textFrom } from "../shared/env";
import { codeOf } from "../shared/errors";
import { isLang, type Lang } from "../shared/lang";
import { type Texts, textsFor } from "../shared/locales";
import { parseDuration } from "./duration";
import type { RunOptions } from "./program";
import { langOfEnvironment } from "./texts";
import { usageError } from "./usageError";
import { readUserConfig, type UserConfig, userHome } from "./userConfig";

/** Everything a run needs to know, merged and checked. */
export interface Settings {
  workspace: string;
  /** `~/.zqagent`, or where ZQAGENT_HOME moves it. */
  home: string;
  lang: Lang;
  texts: Texts;
  apiKey?: string;
  baseUrl?: string;
  apiMode?: "responses" | "chat";
  model?: string;
  /** What the command line itself says: it also wins over what a resumed session remembers. */
  named: { model?: string; mode?: NonNullable<RunOptions["mode"]> };
  reasoningEffort?: string;
  mode?: NonNullable<RunOptions["mode"]>;
  agent: "code" | "cowork";
  allow: string[];
  maxIterations?: number;
  contextWindow?: number;
  thresholdPct?: number;
  softThresholdPct?: number;
  capTokens?: number;
  logDir?: string;
  web?: { allowHosts?: string[]; search?: { backend?: string; url?: string } };
  /** Sent with every request, and added to every URL: from the user's file alone, never from a project. */
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** How long a turn may wait for rate limits in all, in milliseconds. */
  waitLimitMs?: number;
  vcs: NonNullable<RunOptions["vcs"]>;
  sandbox: SandboxSettings;
  /** The terminal rings when something waits and it has no focus. */
  notify: boolean;
  /** Plain lines that only ever grow, for a screen reader, in place of the screen. */
  screenReader: boolean;
  verbose: boolean;
}

/** How commands are confined. */
export interface SandboxSettings {
  mode: NonNullable<RunOptions["sandbox"]>;
  extraWritable?: string[];
  network?: boolean;
}

/** Throws UsageError for a folder, a file or a value that cannot be used. */
export function resolveSettings(options: RunOptions, env: NodeJS.ProcessEnv = process.env): Settings {
  const home = userHome(env);
  const early = textsFor(options.lang !== undefined && isLang(options.lang) ? options.lang : langOfEnvironment(env));
  const config = readUserConfig(home, early);
  const lang = resolveLang(options, config, env);
  const texts = textsFor(lang);
  const given: Partial<Settings> = {
    apiKey: textFrom(env, "OPENAI_API_KEY") ?? config.apiKey,
    baseUrl: options.baseUrl ?? textFrom(env, "OPENAI_BASE_URL") ?? config.baseUrl,
    apiMode: options.apiMode ?? apiModeFrom(env) ?? config.apiMode,
    model: options.model ?? textFrom(env, "OPENAI_MODEL") ?? config.model,
    reasoningEffort: textFrom(env, "OPENAI_REASONING_EFFORT") ?? config.reasoningEffort,
    mode: options.mode ?? config.mode,
    maxIterations: options.maxIterations ?? positive(env, "MAX_ITERATIONS") ?? config.maxIterations,
    contextWindow: positive(env, "CONTEXT_WINDOW") ?? config.contextWindow,
    thresholdPct: positive(env, "COMPACTION_THRESHOLD_PCT") ?? config.compaction?.thresholdPct,
    softThresholdPct: positive(env, "COMPACTION_SOFT_THRESHOLD_PCT") ?? config.compaction?.softThresholdPct,
    capTokens: positive(env, "COMPACTION_CAP_TOKENS") ?? config.compaction?.capTokens,
    logDir: absolute(options.logDir ?? config.logDir),
    headers: config.headers,
    query: config.query,
    web: { ...config.web, ...(config.search ? { search: config.search } : {}) },
    waitLimitMs: options.waitLimits ?? (config.waitLimits === undefined ? undefined : parseDuration(config.waitLimits)),
  };
  return {
    ...withoutUndefined(given),
    named: withoutUndefined({ model: options.model, mode: options.mode }),
    workspace: resolveWorkspace(options.cwd, texts),
    home,
    lang,
    texts,
    agent: config.agent ?? "code",
    allow: [...(config.allow ?? []), ...options.allow],
    vcs: options.vcs ?? config.vcs ?? "auto",
    sandbox: { ...config.sandbox, mode: options.sandbox ?? config.sandbox?.mode ?? "auto" },
    notify: config.notify ?? true,
    screenReader: options.screenReader ?? switchFrom(env, "INK_SCREEN_READER", config.screenReader ?? false),
    verbose: options.verbose || switchFrom(env, "ZQAGENT_DEBUG", false),
  };
}

function resolveLang(options: RunOptions, config: UserConfig, env: NodeJS.ProcessEnv): Lang {
  const named = options.lang ?? config.lang;
  return named !== undefined && isLang(named) ? named : langOfEnvironment(env);
}

function resolveWorkspace(cwd: string | undefined, texts: Texts): string {
  const path = resolve(cwd ?? ".");
  try {
    if (statSync(path).isDirectory()) return path;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
  throw usageError(texts.cli.notAFolder, { path: cwd ?? path });
}

function apiModeFrom(env: Environment): "responses" | "chat" | undefined {
  const mode = textFrom(env, "OPENAI_FORCE_API_MODE");
  return mode === "responses" || mode === "chat" ? mode : undefined;
}

/** A number above zero, or undefined: a limit of 0 would mean that nothing works. */
function positive(env: Environment, name: string): number | undefined {
  const value = numberFrom(env, name, 0);
  return value > 0 ? value : undefined;
}

function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

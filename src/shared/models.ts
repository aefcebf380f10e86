/** What is known of a model: its window, output limit, senses, way of thinking, price. A look-up without network. */

import { readFileSync, statSync } from "node:fs";
import { type Environment, textFrom } from "./env";
import { MODEL_TABLE, type ModelInfo } from "./modelTable";

export type { ModelInfo } from "./modelTable";

/** What an entry of the user's own table, the server or the host may state. */
export type ModelFacts = Partial<Omit<ModelInfo, "assumed">>;

export interface ModelSources {
  /** The host's explicit word; wins over everything. */
  explicit?: ModelFacts;
  /** One entry of the endpoint's model list, as it came. */
  listed?: Record<string, unknown>;
  /** Default: the process's. `ZQAGENT_MODELS` names the user's own table. */
  env?: Environment;
}

/** The window of a model that nobody knows (guide 6.1). */
export const ASSUMED_CONTEXT_WINDOW = 128_000;

const UNKNOWN: ModelInfo = {
  contextWindow: ASSUMED_CONTEXT_WINDOW,
  maxOutput: 16_384,
  vision: false,
  audio: false,
  video: false,
  reasoning: "none",
  parallelTools: true,
  editTool: "replace",
  systemRole: "system",
  assumed: true,
};

const resolved = new Map<string, ModelInfo>();

/**
 * The figures of a model: the host's word, else the user's table, else the endpoint's own list, else our table, else a
 * guess marked `assumed`. Never throws.
 */
export function resolveModel(id: string, sources: ModelSources = {}): ModelInfo {
  const env = sources.env ?? process.env;
  const own = userFacts(id, env);
  if (!sources.explicit && !sources.listed && !own) return fromTable(id);
  const listed = sources.listed && windowOfEntry(sources.listed);
  const stated = { ...(listed !== undefined && { contextWindow: listed }), ...own, ...sources.explicit };
  const base = fromTable(id);
  return { ...base, ...stated, assumed: base.assumed && stated.contextWindow === undefined };
}

function fromTable(id: string): ModelInfo {
  const known = resolved.get(id);
  if (known) return known;
  const name = bareName(id);
  const rule = MODEL_TABLE.find(({ match }) => match.test(name));
  const info = rule ? withoutMatch({ ...UNKNOWN, ...rule, assumed: false }) : UNKNOWN;
  resolved.set(id, info);
  return info;
}

function withoutMatch({ match: _match, ...info }: ModelInfo & { match: RegExp }): ModelInfo {
  return info;
}

/** The model's own name: lower case, without what gateways put in front (`openrouter/`, `us.anthropic.`). */
function bareName(id: string): string {
  const last = id.trim().toLowerCase().split("/").at(-1) ?? "";
  return last.replace(/^(?:[a-z]+\.)+(?=[a-z])/, "");
}

/** The window that an entry of a server's model list tells, in tokens: each kind of server has a field of its own. */
export function windowOfEntry(entry: Record<string, unknown>): number | undefined {
  const meta = entry["meta"];
  const trained =
    typeof meta === "object" && meta !== null ? (meta as Record<string, unknown>)["n_ctx_train"] : undefined;
  const windows = [
    entry["loaded_context_length"],
    entry["max_model_len"],
    entry["context_length"],
    entry["context_window"],
    trained,
  ];
  return windows.find(isTokens);
}

function isTokens(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

let userTable: { path: string; mtimeMs: number; facts: Record<string, ModelFacts> } | null = null;

/**
 * The user's own table, `ZQAGENT_MODELS`: a JSON file `{ "<id or id with *>": { "contextWindow": 32768, … } }`. A file
 * that cannot be read counts as empty.
 */
function userFacts(id: string, env: Environment): ModelFacts | undefined {
  const path = textFrom(env, "ZQAGENT_MODELS");
  if (!path) return undefined;
  const facts = readUserTable(path);
  const wanted = id.toLowerCase();
  const name = Object.keys(facts).find((pattern) => fits(pattern.toLowerCase(), wanted));
  return name === undefined ? undefined : facts[name];
}

function fits(pattern: string, id: string): boolean {
  if (!pattern.includes("*")) return pattern === id;
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(id);
}

function readUserTable(path: string): Record<string, ModelFacts> {
  try {
    const { mtimeMs } = statSync(path);
    if (userTable?.path === path && userTable.mtimeMs === mtimeMs) return userTable.facts;
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const facts = typeof value === "object" && value !== null ? soundFacts(value as Record<string, unknown>) : {};
    userTable = { path, mtimeMs, facts };
    return facts;
  } catch {
    return {};
  }
}

const shapes: Record<keyof ModelFacts, (value: unknown) => boolean> = {
  contextWindow: isTokens,
  maxInput: isTokens,
  maxOutput: isTokens,
  vision: isSwitch,
  audio: isSwitch,
  video: isSwitch,
  parallelTools: isSwitch,
  reasoning: (value) => value === "none" || value === "effort" || value === "switch",
  editTool: (value) => value === "replace" || value === "patch",
  systemRole: (value) => value === "system" || value === "developer",
  price: isPrice,
};

function isSwitch(value: unknown): boolean {
  return typeof value === "boolean";
}

function isPrice(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { input, output, cached = 0 } = value as Record<string, unknown>;
  return [input, output, cached].every((part) => typeof part === "number" && part >= 0);
}

/** Keeps the fields of the right shape; the rest of a hand-written table must not harm a session. */
function soundFacts(table: Record<string, unknown>): Record<string, ModelFacts> {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => {
      const fields = Object.entries(typeof entry === "object" && entry !== null ? entry : {});
      return [name, Object.fromEntries(fields.filter(([field, value]) => shapes[field as keyof ModelFacts]?.(value)))];
    }),
  );
}

/** The environment variables that the library reads (guide 20.2), in one table with their defaults. */

export interface Environment {
  [name: string]: string | undefined;
}

/** A whole number of at least `least`; anything else is the default. */
export function numberFrom(env: Environment, name: string, fallback: number, least = 0): number {
  const text = env[name]?.trim();
  if (!text) return fallback;
  const value = Number(text);
  return Number.isFinite(value) && value >= least ? value : fallback;
}

/** A variable's text; empty counts as unset. */
export function textFrom(env: Environment, name: string): string | undefined {
  const text = env[name]?.trim();
  return text ? text : undefined;
}

/** A switch: `0`, `false`, `off` and `no` are off; other texts are on. */
export function switchFrom(env: Environment, name: string, fallback: boolean): boolean {
  const text = textFrom(env, name);
  return text === undefined ? fallback : !/^(0|false|off|no)$/i.test(text);
}

export const DEFAULT_MAX_ITERATIONS = 800;
export const NETWORK_RETRY_MAX = 2;
export const NETWORK_RETRY_BASE_MS = 800;
export const TOOL_RESULT_MAX_CHARS = 30_000;

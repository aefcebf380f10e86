/** How long a server asks to be left alone: headers first, then data in the body, then its sentence. */

import type { ErrorWords } from "./errorBody";
import { readWait, readWaitIn } from "./waits";

/** Headers by lower-case name. */
export interface HeaderMap {
  [name: string]: string | string[] | undefined;
}

/** Waits above this are reported and not slept on (milliseconds). */
export const LONGEST_WAIT_MS = 65_000;

/** The delay that was asked for, in milliseconds; undefined where none was stated. `now` in milliseconds since 1970. */
export function statedDelay(headers: HeaderMap, words: ErrorWords, now = Date.now()): number | undefined {
  const ms = headers["retry-after-ms"];
  return (
    (typeof ms === "string" ? readWait(`${ms.trim()}ms`, now) : undefined) ??
    readWait(headers["retry-after"], now) ??
    readWait(words.wait, now) ??
    readWaitIn(words.message, now)
  );
}

/**
 * When the budgets that headers tell of are full again, in milliseconds from `now`: the last of those that are not known
 * to have something left. Only for refusals that are about limits: good answers and other refusals carry these, too.
 */
export function budgetDelay(headers: HeaderMap, now = Date.now()): number | undefined {
  const waits = budgetsOf(headers)
    .filter(({ remaining }) => !(Number.parseFloat(remaining) > 0))
    .flatMap(({ reset }) => readWait(reset, now) ?? []);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** Backoff where the server names no delay: doubling from `baseMs`, with a quarter of jitter, at most half a minute. */
export function backoffDelay(attempt: number, baseMs: number, random = Math.random()): number {
  return Math.round(Math.min(baseMs * 2 ** (attempt - 1), 30_000) * (0.75 + random * 0.5));
}

interface Budget {
  reset: string;
  /** Empty where it is not told. */
  remaining: string;
}

/** `…-reset…` beside the `…-remaining…` of the same name, and the one header of the drafts that holds both. */
function budgetsOf(headers: HeaderMap): Budget[] {
  const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? "")] as const);
  const known = Object.fromEntries(texts);
  return texts.flatMap(([name, value]) => {
    if (/^(x-)?rate-?limit$/.test(name)) return value.split(/,(?=\s*")/).map(budgetIn);
    if (!/rate-?limit.*\breset\b/.test(name)) return [];
    return { reset: value, remaining: known[name.replace(/\breset\b/, "remaining")] ?? "" };
  });
}

/** `limit=100, remaining=0, reset=5` or `"burst";r=0;t=5`. */
function budgetIn(item: string): Budget {
  const part = (names: string) => new RegExp(`\\b(?:${names})\\s*=\\s*([\\d.]+)`).exec(item)?.[1] ?? "";
  return { reset: part("reset|t"), remaining: part("remaining|r") };
}

/** How long a server asks to be left alone: headers first, then data in the body, then its sentence. */

import type { ErrorWords } from "./errorBody";

/** Headers by lower-case name. */
export interface HeaderMap {
  [name: string]: string | string[] | undefined;
}

/** Waits above this are reported and not slept on (milliseconds). */
export const LONGEST_WAIT_MS = 65_000;

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN =
  "\\d+(?:\\.\\d+)?\\s*(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|hr|h|days?|d)(?![a-z])[\\s,]*(?:and\\s+)?";
const STATED = new RegExp(
  `(?:try again|retry|retried|resets?|wait|available|refresh(?:es)?)\\D{0,40}?((?:${SPAN})+)`,
  "i",
);
const STATED_BEFORE = /(\d+(?:\.\d+)?)\s*(毫秒|秒|分|小时|時間|天|日|초|분|시간).{0,4}(?:后|後|あと|후|뒤)/;
const UNITS_BEFORE: Record<string, number> = {
  毫秒: 1,
  秒: 1_000,
  초: 1_000,
  分: 60_000,
  분: 60_000,
  天: 86_400_000,
  日: 86_400_000,
};
const PIECE = /(\d+(?:\.\d+)?)\s*(ms|milli|s|m|h|d)/gi;

/** The delay that was asked for, in milliseconds; undefined where none was stated. `now` in milliseconds since 1970. */
export function statedDelay(headers: HeaderMap, words: ErrorWords, now = Date.now()): number | undefined {
  const ms = number(headers["retry-after-ms"]);
  if (ms !== undefined) return ms;
  return retryAfter(headers["retry-after"], now) ?? words.retryMs ?? delayInText(words.message);
}

/** Backoff where the server names no delay: doubling from `baseMs`, with a quarter of jitter, at most half a minute. */
export function backoffDelay(attempt: number, baseMs: number, random = Math.random()): number {
  return Math.round(Math.min(baseMs * 2 ** (attempt - 1), 30_000) * (0.75 + random * 0.5));
}

function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const seconds = number(typeof header === "string" ? header.replace(/\s*s(ec(onds?)?)?$/i, "") : header);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(String(header ?? ""));
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function delayInText(message: string): number | undefined {
  const stated = STATED.exec(message)?.[1];
  if (!stated) return delayBefore(message);
  let total = 0;
  for (const [, amount, unit] of stated.matchAll(PIECE)) total += Number(amount) * unitMs(unit ?? "s");
  return Math.round(total);
}

/** Languages that put the time in front of the word that says what it is for. */
function delayBefore(message: string): number | undefined {
  const [, amount, unit = ""] = STATED_BEFORE.exec(message) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS_BEFORE[unit] ?? 3_600_000));
}

function unitMs(unit: string): number {
  const name = unit.toLowerCase();
  return UNITS[name.startsWith("ms") || name.startsWith("milli") ? "ms" : name.charAt(0)] ?? 1_000;
}

function number(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? "").trim();
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

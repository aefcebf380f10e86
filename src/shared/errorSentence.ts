/** A failed turn in one to three lines for a person: what happened, what to do (with the time), what the endpoint said. */

import { fill, type Texts } from "./locales";

type ErrorTexts = Texts["errors"];

/** What an `error` event tells of a failure (guide 9.2); an `llm_retry` event fits as well. */
export interface ErrorFacts {
  error_type?: string;
  /** Our own English sentence. */
  error?: string;
  /** The endpoint's own words; empty where it gave none, absent where the failure is no refusal. */
  detail?: string;
  retryAfterMs?: number;
}

/** Waits below this are not worth a time of day. */
const SHORT_WAIT_MS = 5_000;
const MAX_DETAIL = 400;

/** Our English sentence of these says no more than the text of the table. */
const saysAll: ReadonlySet<string> = new Set([
  "empty_response",
  "stream_incomplete",
  "loop_detected",
  "repeating_output",
  "budget_exceeded",
]);

/** Lines end with `\n` between them only; what the endpoint said stands last and is foreign text, not yet made safe. */
export function errorSentence(texts: ErrorTexts, data: ErrorFacts, now = new Date()): string {
  const [what, todo] = linesOf(texts, data.error_type);
  const wait = data.retryAfterMs ?? 0;
  const next = wait >= SHORT_WAIT_MS ? fill(texts.tryAgainAt, waitValues(texts, wait, now)) : todo;
  return [what, next, detailOf(data)].filter((line) => line !== "").join("\n");
}

/** Only what happened, for a line that goes on by itself. */
export function errorCause(texts: ErrorTexts, data: ErrorFacts): string {
  return linesOf(texts, data.error_type)[0];
}

/** When a wait ends, and how long that is: `{time}` and `{span}` of a text. */
export function waitValues(texts: ErrorTexts, waitMs: number, now = new Date()): { time: string; span: string } {
  return { time: timeOf(new Date(now.getTime() + waitMs), now), span: spanOf(texts, waitMs) };
}

function linesOf(texts: ErrorTexts, type = ""): [what: string, todo: string] {
  const text = Object.hasOwn(texts, type) ? (texts as Record<string, string>)[type] : undefined;
  const [what = "", todo = ""] = (text?.includes("\n") ? text : texts.other).split("\n");
  return [what, todo];
}

function detailOf({ detail, error = "", error_type = "" }: ErrorFacts): string {
  const own = detail ?? (saysAll.has(error_type) ? "" : error);
  const line = own.replace(/\s+/g, " ").trim();
  return line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL)}…` : line;
}

/** The time of day; with the date where it is another day. */
function timeOf(time: Date, now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  const isToday = time.toDateString() === now.toDateString();
  return isToday ? clock : `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}

function spanOf(texts: ErrorTexts, ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return fill(texts.spanSeconds, { count: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return fill(texts.spanMinutes, { count: minutes });
  const hours = Math.round(minutes / 6) / 10;
  return hours < 48 ? fill(texts.spanHours, { count: hours }) : fill(texts.spanDays, { count: Math.round(hours / 24) });
}

/** The one place that says what a failed model call means: status, headers and words in, one class out. */

import { type ErrorType, ModelError } from "../shared/errors";
import { type ErrorWords, parseErrorBody } from "./errorBody";
import * as say from "./errorPatterns";
import { budgetDelay, type HeaderMap, statedDelay } from "./retryDelay";

/** A refusal as it was received. `status` is undefined where the error came inside a stream. */
export interface Refusal {
  status?: number | undefined;
  headers?: HeaderMap;
  words: ErrorWords;
}

/** What a refusal means. */
export interface Verdict {
  errorType: ErrorType;
  /** The same request may be sent again unchanged. */
  retriable: boolean;
  /** A delay that the server stated, in milliseconds. */
  retryAfterMs?: number;
  status?: number;
  words: ErrorWords;
}

/** A raw HTTP answer of 400 and more as the error that a caller sees. */
export function classifyHttpError(answer: { status: number; headers?: HeaderMap; body: string }): ModelError {
  return modelErrorOf(
    classify({ status: answer.status, headers: answer.headers ?? {}, words: parseErrorBody(answer.body) }),
  );
}

/** The class of a refusal. */
export function classify(refusal: Refusal): Verdict {
  const { words } = refusal;
  const status = refusal.status !== undefined && refusal.status >= 400 ? refusal.status : words.status;
  const headers = { ...words.headers, ...refusal.headers };
  const stated = statedDelay(headers, words);
  const errorType = typeOf({ status, words, delay: stated, text: textOf(words) });
  const isLimit = errorType === "rate_limit" || errorType === "overloaded";
  const delay = stated ?? (isLimit ? budgetDelay(headers) : undefined);
  return {
    errorType,
    retriable: isRetriable(errorType),
    words,
    ...(delay === undefined ? {} : { retryAfterMs: delay }),
    ...(status === undefined ? {} : { status }),
  };
}

interface Facts {
  status: number | undefined;
  words: ErrorWords;
  delay: number | undefined;
  /** Message, type, code and parameter in one line. */
  text: string;
}

/**
 * The rules in their order: money and identity first, then what the endpoint is, then rate limits (whose words speak of
 * tokens too), then the history, then sizes, then what the endpoint cannot take, and last the bare status.
 */
function typeOf(facts: Facts): ErrorType {
  return (
    accountType(facts) ??
    endpointType(facts) ??
    rateType(facts) ??
    contentType(facts) ??
    sizeType(facts) ??
    requestType(facts) ??
    statusType(facts)
  );
}

function accountType({ status, text, delay, words }: Facts): ErrorType | undefined {
  if (status === 402) return "quota";
  if (say.QUOTA.test(text) && delay === undefined && !say.PER_TIME.test(text)) return "quota";
  if (status === 401) return "auth";
  if (status === 403) return say.MODERATION.test(text) ? "content_filter" : "forbidden";
  if (isClientFault(status) && say.AUTH.test(text)) return "auth";
  // A 405 with a sentence of its own is a firewall; the bare one means that the path has no such method.
  return status === 405 && words.message.split(" ").length > 4 && !words.isHtml && !say.NO_ENDPOINT.test(text)
    ? "forbidden"
    : undefined;
}

function endpointType({ status, text, words }: Facts): ErrorType | undefined {
  if (isClientFault(status) && say.STATE.test(text) && !/^(include|store|reasoning|stream)/.test(words.param))
    return "history_invalid";
  if (status !== 429 && say.NO_TOOLS.test(text) && /^tools?$|^functions?$|^$/.test(words.param)) return "capability";
  if (status !== 429 && say.NO_IMAGES.test(text)) return "capability";
  if (say.NO_ENDPOINT.test(text)) return "endpoint_unsupported";
  if (status !== 429 && say.NO_MODEL.test(text)) return "model_not_found";
  return status === 404 || status === 405 || status === 501 ? "endpoint_unsupported" : undefined;
}

function rateType({ status, text }: Facts): ErrorType | undefined {
  const share = say.RATE.test(text) ? /limit:?\s*(\d+).{0,60}requested:?\s*(\d+)/i.exec(text) : null;
  // One request alone is over the limit of a minute: no wait helps, only less text does.
  if (share && Number(share[2]) > Number(share[1])) return "payload_too_large";
  if (status === 429) return say.OVERLOADED.test(text) && !say.RATE.test(text) ? "overloaded" : "rate_limit";
  return say.RATE.test(text) ? "rate_limit" : undefined;
}

function contentType({ status, text }: Facts): ErrorType | undefined {
  if (say.TEMPLATE.test(text) || say.NO_SYSTEM.test(text)) return "history_invalid";
  if (!isClientFault(status)) return undefined;
  if (say.REJECTED.test(text)) return "output_rejected";
  if (say.FILTER.test(text)) return "content_filter";
  return undefined;
}

function sizeType({ status, text, words }: Facts): ErrorType | undefined {
  if (words.isEmpty) return status === 400 || status === 413 ? "context_overflow" : undefined;
  if (say.BYTES.test(text) && !/token|context/i.test(words.message)) return "payload_too_large";
  if (say.OUTPUT_TOO_LARGE.test(text) && !/context|prompt|input/i.test(words.message)) return "unsupported_param";
  if (say.OVERFLOW.test(text) && status !== 503) return "context_overflow";
  return status === 413 ? "payload_too_large" : undefined;
}

function requestType({ status, text, words }: Facts): ErrorType | undefined {
  if (!isClientFault(status) && !say.ROLE.test(text)) return undefined;
  const isExtra = say.EXTRA_FIELD.test(text);
  if (say.SCHEMA.test(text) && !(isExtra && /\bstrict\b/.test(text))) return "tool_schema";
  if (say.ROLE.test(text) || isExtra || isParameterName(words.param)) return "unsupported_param";
  if (say.HISTORY.test(text)) return "history_invalid";
  return say.PARAMETER.test(text) ? "unsupported_param" : undefined;
}

function statusType({ status, text, words }: Facts): ErrorType {
  if (status === undefined) return say.OVERLOADED.test(text) ? "overloaded" : unknownType(words);
  if (status >= 500)
    return status === 503 || status === 529 || say.OVERLOADED.test(words.message) ? "overloaded" : "server";
  if (status === 408 || status === 409 || status === 424 || status === 425) return "server";
  return "unsupported_param";
}

/** An error inside a stream that names no status: a request fault only where it says so. */
function unknownType(words: ErrorWords): ErrorType {
  return /invalid_?request|bad_?request|validation/i.test(`${words.type} ${words.code}`)
    ? "unsupported_param"
    : "server";
}

function isClientFault(status: number | undefined): boolean {
  return status === undefined || status === 400 || status === 422 || status === 413 || status === 404;
}

/** A parameter of the request itself; `messages` and `input` speak of the history. */
function isParameterName(param: string): boolean {
  return param !== "" && !/^(body\.)?(messages|input|model)\b/i.test(param);
}

function isRetriable(type: ErrorType): boolean {
  return type === "rate_limit" || type === "overloaded" || type === "server" || type === "output_rejected";
}

function textOf(words: ErrorWords): string {
  return [words.message, words.type, words.code, words.param].filter(Boolean).join(" | ").replace(/\s+/g, " ");
}

const SENTENCES: Partial<Record<ErrorType, string>> = {
  rate_limit: "The endpoint limits how much may be sent; try again later",
  quota: "The account has no quota or balance left; top it up or use another key",
  auth: "The endpoint refused the API key; check OPENAI_API_KEY and the base URL",
  forbidden: "The endpoint denied access",
  model_not_found: "The endpoint does not know this model; check its name",
  endpoint_unsupported: "The endpoint does not have this path; check the base URL (it usually ends in /v1)",
  capability: "The endpoint or the model cannot do this",
  context_overflow: "The conversation does not fit the model's context window",
  payload_too_large: "The request is too large for the endpoint",
  history_invalid: "The endpoint refused the order or form of the conversation",
  content_filter: "The endpoint's content filter stopped this",
  output_rejected: "The endpoint could not use what the model wrote",
  overloaded: "The endpoint is overloaded or still starting; try again later",
  server: "The endpoint failed",
  unsupported_param: "The endpoint refused the request",
  tool_schema: "The endpoint refused the schema of a tool",
};

/** The verdict as an error with one sentence: what happened, and the server's own words where it gave any. */
export function modelErrorOf(verdict: Verdict, about = ""): ModelError {
  const { errorType, retriable, retryAfterMs, status, words } = verdict;
  const own = words.message.replace(/\s+/g, " ").trim().slice(0, 600);
  const place = [status === undefined ? "" : String(status), about].filter(Boolean).join(", ");
  const lead = [SENTENCES[errorType], place ? `(${place})` : ""].filter(Boolean).join(" ");
  const wait = retryAfterMs !== undefined && retryAfterMs >= 1_000 ? ` Retry in ${spanOf(retryAfterMs)}.` : "";
  const message = maskKeys(
    `${[lead, own.replace(/[.\s]+$/, "")].filter(Boolean).join(": ") || "The model call failed"}.${wait}`,
  );
  return new ModelError(errorType, message, {
    retriable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === undefined ? {} : { status }),
    detail: maskKeys(own),
  });
}

/** Whatever looks like a key is shortened, the caller's own key above all. */
export function maskKeys(text: string, key = ""): string {
  return maskKey(text, key)
    .replace(/\b(?:(sk|pk|gsk|xai)-[\w*-]{4,}|(AIza)[\w-]{20,})/g, "$1$2-…")
    .replace(/(bearer\s+)\S+/gi, "$1…");
}

/** The text without this one key. */
export function maskKey(text: string, key: string): string {
  return key.length >= 6 ? text.split(key).join(`${key.slice(0, 3)}…`) : text;
}

function spanOf(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

/** Reads what a server said when it refused: JSON of many shapes, a web page, plain text or nothing become one set of words. */

/** The words of a refusal. Fields that the server did not give are empty. */
export interface ErrorWords {
  /** The server's own sentence, without markup. */
  message: string;
  code: string;
  type: string;
  /** The field that is at fault, as a dotted path. */
  param: string;
  /** A status inside the body (`{"code": 503}`), between 400 and 599. */
  status?: number;
  /** A delay or a point in time that the body states as data, as it stands there. */
  wait?: string;
  /** Headers of the server behind a gateway, which quotes them in the body; names in lower case. */
  headers?: Record<string, string>;
  isHtml: boolean;
  isEmpty: boolean;
}

type Json = Record<string, unknown>;

const NO_WORDS: ErrorWords = { message: "", code: "", type: "", param: "", isHtml: false, isEmpty: false };
const MESSAGE_LIMIT = 2_000;

/** Words of a raw response body. Never throws. */
export function parseErrorBody(raw: string): ErrorWords {
  const text = raw.trim();
  if (text === "") return { ...NO_WORDS, isEmpty: true };
  if (text.startsWith("<")) return { ...NO_WORDS, isHtml: true, message: pageTitle(text) };
  const data = parseJson(text);
  if (data === undefined) return { ...NO_WORDS, message: text.slice(0, MESSAGE_LIMIT) };
  return errorWordsOf(data);
}

/** Words of a parsed body or of an error object that came inside a stream. */
export function errorWordsOf(data: unknown): ErrorWords {
  if (typeof data === "string") return wordsOfText(data);
  if (Array.isArray(data)) return errorWordsOf(data.find((entry) => isRecord(entry)) ?? {});
  if (!isRecord(data)) return NO_WORDS;
  const inner = data.error ?? data.errors;
  if (isRecord(inner) || Array.isArray(inner)) return { ...fallbackTo(wordsOfRecord(data), errorWordsOf(inner)) };
  return typeof inner === "string" ? fallbackTo(wordsOfRecord(data), wordsOfText(inner)) : wordsOfRecord(data);
}

/** True where a 200 body or a stream event is in truth an error. */
export function isErrorBody(data: unknown): boolean {
  if (Array.isArray(data)) return data.length > 0 && data.every((entry) => isErrorBody(entry));
  if (!isRecord(data)) return false;
  const speaksOfReply = "choices" in data || "output" in data || "type" in data || "delta" in data;
  // Good replies carry empty errors at times.
  if (isSaying(data.error) && !(speaksOfReply && isEmpty(data.error))) return true;
  if (Array.isArray(data.errors) && data.errors.length > 0 && !speaksOfReply) return true;
  if (data.type === "error" || data.object === "error") return true;
  const vendor = record(data.base_resp);
  if (typeof vendor.status_code === "number" && vendor.status_code !== 0) return true;
  return !speaksOfReply && typeof (data.message ?? data.detail ?? data.msg) === "string";
}

function isSaying(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== "";
}

function isEmpty(error: unknown): boolean {
  return typeof error === "object" && error !== null && Object.keys(error).length === 0;
}

/** One record's fields; nested explanations (details of a gateway, validation lists) join the sentence. */
function wordsOfRecord(data: Json): ErrorWords {
  const vendor = record(data.base_resp);
  const metadata = record(data.metadata);
  const detail = detailWords(data.detail ?? data.details);
  const own = text(data.message) || text(data.msg) || text(vendor.status_msg) || text(data.error_description);
  const nested = wordsOfText(own);
  const raw = text(metadata.raw);
  const message = [nested.message, detail.message, raw ? wordsOfText(raw).message : ""].filter(Boolean).join(": ");
  const code = firstText(data.code, vendor.status_code, nested.code, data.status_code);
  const stated = [data.code, data.status, data.status_code, data.statusCode].map(statusFrom);
  const status = stated.find((value) => value !== undefined) ?? nested.status;
  return {
    ...NO_WORDS,
    message: message.slice(0, MESSAGE_LIMIT),
    code,
    type: firstText(data.type, metadata.error_type, nested.type, data.status),
    param: firstText(data.param, detail.param, nested.param),
    ...(status === undefined ? {} : { status }),
    ...waitIn(data, metadata),
  };
}

/** A message may be JSON once more: gateways quote the error of the server behind them. */
function wordsOfText(message: string): ErrorWords {
  const start = message.indexOf("{");
  const quoted = start >= 0 && message.trimEnd().endsWith("}") ? parseJson(message.slice(start).trim()) : undefined;
  const inner = isRecord(quoted) ? errorWordsOf(quoted) : NO_WORDS;
  return inner.message === "" ? { ...NO_WORDS, message: message.trim() } : inner;
}

/** Validation lists: `[{ loc: ["body", "x"], msg }]`; a sentence; or a list of typed details. */
function detailWords(detail: unknown): ErrorWords {
  if (typeof detail === "string") return wordsOfText(detail);
  if (isRecord(detail)) return errorWordsOf(detail);
  if (!Array.isArray(detail)) return NO_WORDS;
  const entries = detail.filter(isRecord).filter((entry) => entry.msg !== undefined || entry.loc !== undefined);
  const paths = entries.map((entry) => locationOf(entry.loc));
  const message = entries.map((entry, index) => [paths[index], text(entry.msg)].filter(Boolean).join(": ")).join("; ");
  return { ...NO_WORDS, message, param: paths.find(Boolean) ?? "" };
}

function locationOf(loc: unknown): string {
  if (!Array.isArray(loc)) return text(loc);
  return loc.filter((step) => step !== "body").join(".");
}

/** A delay in the details (`"retryDelay": "32s"`), and what gateways put into metadata: a reset time, quoted headers. */
function waitIn(data: Json, metadata: Json): Pick<ErrorWords, "wait" | "headers"> {
  const details = Array.isArray(data.details) ? data.details.filter(isRecord) : [];
  const delay = details.map((entry) => entry.retryDelay).find((value) => typeof value === "string");
  const stated = [
    data.retry_after,
    data.resets_in_seconds,
    metadata.retry_after_seconds,
    data.resets_at,
    data.reset_at,
  ];
  const wait = firstText(delay, ...stated);
  const quoted = Object.entries(record(metadata.headers)).map(([name, value]) => [
    name.toLowerCase(),
    firstText(value),
  ]);
  return {
    ...(wait === "" ? {} : { wait }),
    ...(quoted.length === 0 ? {} : { headers: Object.fromEntries(quoted) }),
  };
}

function fallbackTo(outer: ErrorWords, inner: ErrorWords): ErrorWords {
  return {
    ...inner,
    message: inner.message || outer.message,
    code: inner.code || outer.code,
    type: inner.type || (outer.type === "error" ? "" : outer.type),
    param: inner.param || outer.param,
    ...(inner.status === undefined && outer.status !== undefined ? { status: outer.status } : {}),
    ...(inner.wait === undefined && outer.wait !== undefined ? { wait: outer.wait } : {}),
    ...(inner.headers === undefined && outer.headers !== undefined ? { headers: outer.headers } : {}),
  };
}

function pageTitle(page: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1] ?? /<h1[^>]*>([^<]*)<\/h1>/i.exec(page)?.[1] ?? "";
  return title.replace(/\s+/g, " ").trim().slice(0, 200);
}

function statusFrom(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 400 && number < 600 ? number : undefined;
}

function firstText(...values: unknown[]): string {
  for (const value of values) {
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function record(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

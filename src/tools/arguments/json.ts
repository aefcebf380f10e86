/** JSON as models write it: small slips are mended, but a text that ends too early is never closed for them. */

/** The object that was meant, or what is wrong with the text. */
export type LooseObject = { value: Record<string, unknown> } | { problem: string };

/** Parses strictly first; then without fence, trailing commas, raw line breaks in strings, and text behind the object. */
export function parseLoosely(raw: unknown): LooseObject {
  if (raw === undefined || raw === null) return { value: {} };
  if (typeof raw !== "string") return objectFrom(raw);
  const text = withoutFence(raw.trim());
  if (text === "") return { value: {} };
  return objectFrom(parsed(text) ?? parsedAfterRepair(text));
}

/** The value of a text of JSON inside an argument, by the same rules; undefined where there is none. */
export function parseLooseValue(text: string): unknown {
  const body = withoutFence(text.trim());
  const value = parsed(body) ?? parsedAfterRepair(body);
  return value instanceof Problem ? undefined : value;
}

/** True when the text ends inside a string, an object or an array: the model was stopped in mid-call. */
export function isCutOff(text: string): boolean {
  const body = text.trim().replace(OPENING_FENCE, "");
  if (!/^[{["]/.test(body) || parsed(body) !== undefined) return false;
  return repair(body).end === "cut";
}

const OPENING_FENCE = /^```[\w-]*[ \t]*\r?\n?/;

function withoutFence(text: string): string {
  return OPENING_FENCE.test(text) ? text.replace(OPENING_FENCE, "").replace(/\s*```\s*$/, "") : text;
}

/** A text that holds JSON in a string is parsed again: some endpoints encode arguments twice. */
function objectFrom(value: unknown, unwrapped = 0): LooseObject {
  if (value instanceof Problem) return { problem: value.sentence };
  if (typeof value === "string" && unwrapped < 3) {
    const inner = value.trim();
    if (inner === "") return { value: {} };
    return objectFrom(parsed(inner) ?? parsedAfterRepair(inner), unwrapped + 1);
  }
  if (value === null) return { value: {} };
  const object: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    return { problem: "one JSON object with the arguments is wanted" };
  }
  return { value: object as Record<string, unknown> };
}

class Problem {
  constructor(readonly sentence: string) {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function parsedAfterRepair(text: string): unknown {
  const { json, rest, end } = repair(text);
  if (end === "cut") return new Problem("the JSON ends in the middle");
  if (/\{\s*["}]/.test(rest)) return new Problem("several JSON objects came in one call; send one object a call");
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : "syntax";
    const hint = /escape/i.test(why) ? "; a backslash in a string is written \\\\" : "";
    return new Problem(`not valid JSON (${why})${hint}`);
  }
}

interface Repaired {
  /** The first value with its slips mended. */
  json: string;
  /** What stands behind it. */
  rest: string;
  end: "whole" | "cut";
}

const SLIPS: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Python's words, outside of strings. */
const PYTHON: Record<string, string> = { True: "true", False: "false", None: "null" };
const PYTHON_WORD = /(?:True|False|None)\b/y;

/** `\'` is no escape of JSON, and only one thing can be meant by it. */
function mendedEscape(char: string): string {
  return char === "'" ? char : `\\${char}`;
}

/** One walk over the text that knows strings from structure. */
function repair(text: string): Repaired {
  const out: string[] = [];
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString) {
      if (char === "\\") out.push(mendedEscape(text.charAt(++at)));
      else out.push(SLIPS[char] ?? char);
      inString = char !== '"';
      continue;
    }
    if (char === ",") {
      if (!/^\s*[}\]]/.test(text.slice(at + 1, at + 200))) out.push(char);
      continue;
    }
    PYTHON_WORD.lastIndex = at;
    const word = PYTHON_WORD.exec(text)?.[0];
    if (word !== undefined) {
      out.push(PYTHON[word] ?? word);
      at += word.length - 1;
      continue;
    }
    out.push(char);
    if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth += 1;
    else if ((char === "}" || char === "]") && --depth === 0) {
      return { json: out.join(""), rest: text.slice(at + 1), end: "whole" };
    }
  }
  return { json: out.join(""), rest: "", end: inString || depth > 0 ? "cut" : "whole" };
}

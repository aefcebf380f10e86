/** A foreign tool's parameters as a JSON Schema that our checks and the endpoints can take, whatever the server wrote. */

import type { JsonSchema } from "../shared/contracts";
import { isPlain, visibleDescription } from "./foreignText";

const MAX_DEPTH = 16;
const MAX_DESCRIPTION = 1_024;
const types = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

type Clean = (value: unknown, depth: number) => unknown;

const number: Clean = (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const flag: Clean = (value) => (typeof value === "boolean" ? value : undefined);
const word: Clean = (value) => (typeof value === "string" && isPlain(value) ? value : undefined);
const literal: Clean = (value) => (typeof value !== "string" || isPlain(value) ? value : undefined);
const schema: Clean = (value, depth) => cleanNode(value, depth + 1);
const schemaList: Clean = (value, depth) =>
  Array.isArray(value) && value.length > 0 ? value.map((entry) => cleanNode(entry, depth + 1)) : undefined;
const schemaMap: Clean = (value, depth) => (isRecord(value) ? cleanMap(value, depth) : undefined);
const names: Clean = (value) =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string" && isPlain(name)) : undefined;

/** The keywords that are passed on, in the order in which they are written. What is not here falls away. */
const keywords: Record<string, Clean> = {
  type: (value) => typeOf(value),
  description: (value) => visibleDescription(value, MAX_DESCRIPTION) || undefined,
  enum: (value) => choicesOf(value),
  const: literal,
  default: literal,
  format: word,
  pattern: (value) => (typeof value === "string" && isRegExp(value) ? value : undefined),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  minLength: number,
  maxLength: number,
  minItems: number,
  maxItems: number,
  uniqueItems: flag,
  required: names,
  properties: schemaMap,
  additionalProperties: (value, depth) => flag(value, depth) ?? (isRecord(value) ? schema(value, depth) : undefined),
  patternProperties: schemaMap,
  items: (value, depth) => (Array.isArray(value) ? schema(value[0] ?? {}, depth) : schema(value, depth)),
  prefixItems: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  allOf: schemaList,
  not: (value, depth) => (isRecord(value) ? schema(value, depth) : undefined),
  $ref: word,
  $defs: schemaMap,
  definitions: schemaMap,
};

/** Cleans the parameters of a tool. The root is always an object type with properties. Never throws. */
export function cleanParameters(raw: unknown): JsonSchema {
  const { type: _type, properties, ...rest } = cleanNode(raw, 0);
  return { type: "object", properties: properties ?? {}, ...rest };
}

function cleanNode(raw: unknown, depth: number): JsonSchema {
  if (!isRecord(raw) || depth > MAX_DEPTH) return {};
  const clean: JsonSchema = {};
  for (const [keyword, cleaner] of Object.entries(keywords)) {
    if (!Object.hasOwn(raw, keyword)) continue;
    const value = cleaner(raw[keyword], depth);
    if (value !== undefined) clean[keyword] = value;
  }
  return clean;
}

/** A property whose name hides something could not be shown to a person: it is left out. */
function cleanMap(raw: Record<string, unknown>, depth: number): Record<string, JsonSchema> {
  const entries = Object.entries(raw).filter(([name]) => isPlain(name) && name !== "__proto__");
  return Object.fromEntries(entries.map(([name, value]) => [name, cleanNode(value, depth + 1)]));
}

/** Of an empty list of choices nothing could be chosen. */
function choicesOf(value: unknown): unknown[] | undefined {
  const usable = Array.isArray(value) ? value.filter((entry) => literal(entry, 0) !== undefined) : [];
  return usable.length > 0 ? usable : undefined;
}

function typeOf(value: unknown): string | string[] | undefined {
  const known = [value].flat().map((entry) => (typeof entry === "string" ? entry.toLowerCase() : ""));
  const usable = known.filter((entry) => types.has(entry));
  if (usable.length === 0) return undefined;
  return Array.isArray(value) ? usable : usable[0];
}

function isRegExp(source: string): boolean {
  try {
    new RegExp(source, "u");
    return isPlain(source);
  } catch {
    return false;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Arguments bent into the shape that a JSON Schema asks for, where what was meant is beyond doubt. */

import type { JsonSchema } from "../../shared/contracts";
import { parseLooseValue } from "./json";
import { itemFromText, properName, takesJsonAsText, takesLabelledItem, takesLinesAsText } from "./names";

/** Steps 2 to 4: proper names, no nulls and strangers, values in their types. What does not fit stays as it is. */
export function coerceArguments(
  tool: string,
  schema: JsonSchema,
  given: Record<string, unknown>,
): Record<string, unknown> {
  return coerceObject({ tool, path: "" }, schema, given);
}

/** Whose argument, and which: the name in messages and in the table of exceptions (`edits[0].old_string`). */
interface Place {
  tool: string;
  path: string;
  /** The object around it, as it was given. */
  outer?: { schema: JsonSchema; given: Record<string, unknown> };
}

function coerceObject(place: Place, schema: JsonSchema, given: Record<string, unknown>): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const result: Record<string, unknown> = {};
  for (const [name, value] of properlyNamed(place, schema, given)) {
    const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isRequired = schema.required?.includes(name) ?? false;
    if (wanted && !isRequired && standsForNothing(wanted, value)) continue;
    const path = place.path ? `${place.path}.${name}` : name;
    const inside = { tool: place.tool, path, outer: { schema, given } };
    put(result, name, wanted ? coerceValue(inside, wanted, value) : value);
  }
  return result;
}

/** Models fill in every argument: `null`, and for a list that needs items an empty one or an empty text, mean none. */
function standsForNothing(wanted: JsonSchema, value: unknown): boolean {
  if (value === null) return !allowsNull(wanted);
  if (!typesOf(wanted).includes("array") || (wanted.minItems ?? 0) < 1) return false;
  if (typeof value === "string") return /^\s*(?:\[\s*\])?\s*$/.test(value);
  return Array.isArray(value) && value.length === 0;
}

/** Entries under their proper names. An alias never takes the place of the proper name; strangers fall away. */
function properlyNamed(place: Place, schema: JsonSchema, given: Record<string, unknown>): [string, unknown][] {
  const { tool } = place;
  const properties = schema.properties ?? {};
  if (!isClosed(schema)) return Object.entries(given);
  const entries = new Map<string, unknown>();
  const byExactness = (name: string) => (Object.hasOwn(properties, name) ? 0 : 1);
  for (const name of Object.keys(given).sort((a, b) => byExactness(a) - byExactness(b))) {
    const proper = properName(tool, name, properties);
    if (proper === undefined || (entries.has(proper) && entries.get(proper) !== null)) continue;
    entries.set(proper, name === "timeout" && proper === "timeout_ms" ? milliseconds(given[name]) : given[name]);
  }
  const known = Object.keys(properties).flatMap((name): [string, unknown][] =>
    entries.has(name) ? [[name, entries.get(name)]] : [],
  );
  return [...known, ...contradictions(place, schema, given)];
}

/** Arguments of the whole call that stand in one item with another value: the check behind this names them. */
function contradictions(place: Place, schema: JsonSchema, given: Record<string, unknown>): [string, unknown][] {
  const { tool, outer } = place;
  if (!outer || !place.path.endsWith("]")) return [];
  const ofCall = new Map(properlyNamed({ tool, path: "" }, outer.schema, outer.given));
  return Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (properName(tool, name, schema.properties ?? {}) !== undefined) return [];
    const proper = properName(tool, name, outer.schema.properties ?? {});
    const differs = proper !== undefined && ofCall.has(proper) && ofCall.get(proper) !== value;
    return differs && value !== null ? [[proper, value]] : [];
  });
}

/** True when a schema names all that it takes. Foreign ones may leave room for more: theirs are not touched. */
export function isClosed(schema: JsonSchema): boolean {
  if (schema.additionalProperties === false) return true;
  const open = ["patternProperties", "anyOf", "oneOf", "allOf", "$ref"].some((keyword) => keyword in schema);
  return schema.additionalProperties === undefined && !open && Object.keys(schema.properties ?? {}).length > 0;
}

/** Up to an hour's worth of seconds is taken as seconds; nobody asks for 3,600 ms under that name. */
function milliseconds(value: unknown): unknown {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && number <= 3600 ? number * 1000 : value;
}

function coerceValue(place: Place, schema: JsonSchema, value: unknown): unknown {
  const types = typesOf(schema);
  if (types.length === 0) return value;
  if (types.some((type) => isOfType(type, value))) return refine(place, schema, value);
  for (const type of types) {
    const bent = bend(place, type, value);
    if (bent !== undefined) return refine(place, schema, bent);
  }
  return value;
}

/** What is of the right type already: ranges, choices, and the insides of arrays and objects. */
function refine(place: Place, schema: JsonSchema, value: unknown): unknown {
  if (typeof value === "number") return clamp(schema, value);
  if (typeof value === "string") return choice(schema, value);
  if (Array.isArray(value)) {
    const items = schema.items;
    if (!items) return value;
    return value.map((item: unknown, at) => coerceValue({ ...place, path: `${place.path}[${at}]` }, items, item));
  }
  if (isRecord(value)) return coerceObject(place, schema, value);
  return value;
}

function bend(place: Place, type: string, value: unknown): unknown {
  if (type === "integer" || type === "number") return numberOf(type, value);
  if (type === "boolean") return booleanOf(value);
  if (type === "string") return textOf(place, value);
  if (type === "array") return arrayOf(value);
  if (type === "object") return objectOf(place, value);
  return undefined;
}

function numberOf(type: string, value: unknown): number | undefined {
  if (typeof value !== "string" || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return undefined;
  const number = Number(value);
  return isOfType(type, number) ? number : undefined;
}

const WORDS: Record<string, boolean> = { true: true, yes: true, 1: true, false: false, no: false, 0: false };

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const word = String(value).trim().toLowerCase();
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

function textOf(place: Place, value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (takesLabelledItem(place.tool, place.path, value)) return value;
  const isLines = Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === "string");
  // Of a list of texts it is not sure whether lines or JSON are meant, but in a patch.
  if (isLines) return takesLinesAsText(place.tool, place.path) ? value.join("\n") : undefined;
  const isJson = typeof value === "object" && value !== null && takesJsonAsText(place.tool, place.path);
  return isJson ? `${JSON.stringify(value, null, 2)}\n` : undefined;
}

function objectOf(place: Place, value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "string") return undefined;
  return jsonIn(value, isRecord) ?? itemFromText(place.tool, place.path, value);
}

function arrayOf(value: unknown): unknown[] | undefined {
  if (value === null || value === undefined) return undefined;
  const list = jsonIn(value, Array.isArray);
  if (list !== undefined) return list;
  return [jsonIn(value, isRecord) ?? value];
}

/** The value in a text of JSON, if it is of the kind wanted. */
function jsonIn<T>(value: unknown, isWanted: (parsed: unknown) => parsed is T): T | undefined {
  if (typeof value !== "string" || !/^\s*(?:```|[[{])/.test(value)) return undefined;
  const parsed = parseLooseValue(value);
  return isWanted(parsed) ? parsed : undefined;
}

function clamp(schema: JsonSchema, value: number): number {
  return Math.min(Math.max(value, schema.minimum ?? -Infinity), schema.maximum ?? Infinity);
}

function choice(schema: JsonSchema, value: string): unknown {
  if (!schema.enum || schema.enum.includes(value)) return value;
  const meant = value.trim().toLowerCase();
  return schema.enum.find((word) => typeof word === "string" && word.toLowerCase() === meant) ?? value;
}

function allowsNull(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes("null") || (schema.enum?.includes(null) ?? false);
}

export function typesOf(schema: JsonSchema): string[] {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

/** Whether a value is of a JSON Schema type. */
export function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "null") return value === null;
  return typeof value === type;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets an own property, also one named `__proto__`. */
function put(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

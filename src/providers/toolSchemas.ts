/** Tool schemas for the wire: as they are, or simplified for endpoints that refuse the finer keywords of JSON Schema. */

import type { JsonSchema, ToolSchema } from "../shared/contracts";

/** The root of every schema must be an object type; tools without parameters often say nothing at all. */
export function withObjectRoot(schema: JsonSchema | undefined): JsonSchema {
  if (schema?.type === "object" && schema.properties) return schema;
  return { ...schema, type: "object", properties: schema?.properties ?? {} };
}

/** The tool with a schema of plain objects: references inlined, no union at the root, one type everywhere. */
export function simplifyTool(tool: ToolSchema): ToolSchema {
  const { name, description, parameters } = tool.function;
  return {
    type: "function",
    function: { name, ...(description ? { description } : {}), parameters: simplifySchema(parameters) },
  };
}

export function simplifySchema(schema: JsonSchema): JsonSchema {
  const definitions = { ...record(schema.$defs), ...record(schema.definitions) } as Record<string, JsonSchema>;
  const {
    anyOf,
    oneOf,
    allOf,
    not: _not,
    enum: _enum,
    ...root
  } = simplify(withObjectRoot(schema), definitions, 0) as JsonSchema;
  const branches = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? (list as JsonSchema[]) : []));
  const properties = Object.assign({}, ...branches.map((branch) => branch.properties ?? {}), root.properties ?? {});
  // Of a union only what every branch asks for can be asked for; allOf asks for all.
  const required = Array.isArray(allOf) ? branches.flatMap((branch) => branch.required ?? []) : [];
  const all = [...new Set([...(root.required ?? []), ...required])].filter((name) => name in properties);
  const { required: _required, ...rest } = root;
  return { ...rest, type: "object", properties, ...(all.length > 0 ? { required: all } : {}) };
}

const MAX_DEPTH = 12;
const UNIONS = ["anyOf", "oneOf", "allOf"];
const NOT_SENT = new Set(["$defs", "definitions", "$schema", "$id", "$comment", "$ref"]);

function simplify(schema: JsonSchema, definitions: Record<string, JsonSchema>, depth: number): JsonSchema {
  const target = withTypedBranches(resolve(schema, definitions));
  if (depth > MAX_DEPTH) return { type: "object", properties: {} };
  const inner = (value: JsonSchema) => simplify(value, definitions, depth + 1);
  const out: JsonSchema = {};
  for (const [keyword, value] of Object.entries(target)) {
    if (NOT_SENT.has(keyword)) continue;
    out[keyword] = mapKeyword(keyword, value, inner);
  }
  return withOneType(out);
}

function mapKeyword(keyword: string, value: unknown, inner: (schema: JsonSchema) => JsonSchema): unknown {
  if (keyword === "properties") return mapValues(record(value) as Record<string, JsonSchema>, inner);
  if (keyword === "items") return Array.isArray(value) ? inner((value[0] ?? {}) as JsonSchema) : inner(record(value));
  if (UNIONS.includes(keyword)) return Array.isArray(value) ? value.map((entry) => inner(record(entry))) : [];
  return value;
}

/** A list of types becomes its first real one; a union has none beside it. */
function withOneType(schema: JsonSchema): JsonSchema {
  if (UNIONS.some((keyword) => Array.isArray(schema[keyword]))) return schema;
  const { type } = schema;
  const single = Array.isArray(type) ? type.find((entry) => entry !== "null") : type;
  return { ...schema, type: single ?? guessedType(schema) };
}

/** A union's type stands in its branches, not beside them. */
function withTypedBranches(schema: JsonSchema): JsonSchema {
  const { type, ...rest } = schema;
  const union = UNIONS.find((keyword) => Array.isArray(rest[keyword]));
  if (!union || type === undefined) return schema;
  const branches = (rest[union] as unknown[]).map(record);
  return { ...rest, [union]: branches.map((branch) => (isTyped(branch) ? branch : { type, ...branch })) };
}

function isTyped(branch: JsonSchema): boolean {
  return (
    branch.type !== undefined || branch.$ref !== undefined || UNIONS.some((keyword) => branch[keyword] !== undefined)
  );
}

function guessedType(schema: JsonSchema): string {
  if (schema.properties) return "object";
  if (schema.items) return "array";
  const sample = Array.isArray(schema.enum) ? schema.enum[0] : (schema.const ?? schema.default);
  if (typeof sample === "number" || typeof sample === "boolean") return typeof sample;
  return schema.minimum !== undefined || schema.maximum !== undefined ? "number" : "string";
}

/** `$ref` into the schema's own definitions; what beside it describes the place stays. */
function resolve(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  let target = schema;
  for (let hop = 0; hop < MAX_DEPTH && typeof target.$ref === "string"; hop += 1) {
    const { $ref, ...beside } = target;
    const name = decodeURIComponent(String($ref).split("/").at(-1) ?? "");
    target = { ...(definitions[name] ?? { type: "object" }), ...beside };
  }
  return target;
}

function mapValues(
  record: Record<string, JsonSchema>,
  map: (schema: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, map(typeof value === "object" && value !== null ? value : {})]),
  );
}

function record(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
}

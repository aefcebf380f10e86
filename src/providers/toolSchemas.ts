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
  const { anyOf, enum: _enum, ...root } = simplify(withObjectRoot(schema), definitions, 0);
  // Of a union at the root every branch's properties may be given, and only what the root asks for must be.
  const branches = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : [];
  const properties = Object.assign({}, ...branches.map((branch) => branch.properties ?? {}), root.properties ?? {});
  return { ...root, type: "object", properties };
}

const MAX_DEPTH = 12;
const UNIONS = ["anyOf", "oneOf"];
/** The keywords that every endpoint seen takes. */
const KEPT = [
  "description",
  "enum",
  "items",
  "maxItems",
  "maximum",
  "minItems",
  "minimum",
  "properties",
  "required",
  "type",
];

function simplify(schema: JsonSchema, definitions: Record<string, JsonSchema>, depth: number): JsonSchema {
  if (depth > MAX_DEPTH) return { type: "object", properties: {} };
  const source = withTypedBranches(withoutAllOf(resolve(schema, definitions), definitions));
  const inner = (value: unknown) => simplify(record(value), definitions, depth + 1);
  const out: JsonSchema = {};
  for (const keyword of KEPT) if (source[keyword] !== undefined) out[keyword] = source[keyword];
  if (source.const !== undefined) out.enum = [source.const];
  if (Array.isArray(out.enum) && !out.enum.every((value) => typeof value === "string")) describeValues(out);
  if (source.properties) out.properties = mapValues(source.properties, inner);
  if (source.items) out.items = inner(Array.isArray(source.items) ? source.items[0] : source.items);
  const union = UNIONS.find((keyword) => Array.isArray(source[keyword]));
  if (union) out.anyOf = (source[union] as unknown[]).map(inner);
  return withItems(withOneType(out));
}

/** Lists of values other than text are not taken everywhere: they are said in words. */
function describeValues(out: JsonSchema): void {
  const { enum: values, ...rest } = out;
  const list = (values as unknown[]).map((value) => JSON.stringify(value)).join(", ");
  delete out.enum;
  out.type ??= guessedType({ ...rest, default: (values as unknown[])[0] });
  out.description = [rest.description, `One of: ${list}.`].filter(Boolean).join(" ");
}

/** All of several schemas is one schema with what each of them says. */
function withoutAllOf(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...rest } = schema;
  const parts = [...allOf.map((part) => resolve(record(part), definitions)), rest];
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** A list says what is in it, or it is refused. */
function withItems(schema: JsonSchema): JsonSchema {
  return schema.type === "array" && schema.items === undefined ? { ...schema, items: { type: "string" } } : schema;
}

/** A list of types becomes its first real one; a union has none beside it. */
function withOneType(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return schema;
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

/** Whether arguments fit a JSON Schema, by the keywords that tools use; words that we do not know are passed over. */

import type { JsonSchema } from "../../shared/contracts";
import { isClosed, isOfType, typesOf } from "./coerce";
import { takesLabelledItem } from "./names";

/** Every fault as a clause (`pattern is required (string)`); none when the arguments fit. */
export function faultsOf(schema: JsonSchema, args: Record<string, unknown>, tool: string): string[] {
  return objectFaults(schema, args, { tool, path: "" });
}

interface Place {
  tool: string;
  path: string;
}

function objectFaults(schema: JsonSchema, value: Record<string, unknown>, place: Place): string[] {
  const faults: string[] = [];
  const inside = (name: string) => (place.path ? `${place.path}.${name}` : name);
  for (const name of schema.required ?? []) {
    const wanted = schema.properties?.[name];
    const isMissing = value[name] === undefined || (value[name] === null && wanted && !accepts(wanted, null));
    if (isMissing) faults.push(`${inside(name)} is required${wanted ? ` (${shapeOf(wanted)})` : ""}`);
  }
  for (const [name, wanted] of Object.entries(schema.properties ?? {})) {
    const part = Object.hasOwn(value, name) ? value[name] : undefined;
    if (part === undefined || part === null) continue;
    faults.push(...valueFaults(wanted, part, { tool: place.tool, path: inside(name) }));
  }
  return [...faults, ...strangerFaults(schema, value, place)];
}

/** What coercing left in an item though it belongs to the call: it says something else than the call does. */
function strangerFaults(schema: JsonSchema, value: Record<string, unknown>, place: Place): string[] {
  if (!place.path.endsWith("]") || !isClosed(schema)) return [];
  const strangers = Object.keys(value).filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  return strangers.map((name) => `${place.path}.${name} is not the ${name} of the call: make a call of its own for it`);
}

function valueFaults(schema: JsonSchema, value: unknown, place: Place): string[] {
  if (takesLabelledItem(place.tool, place.path, value)) return [];
  if (!accepts(schema, value)) return [`${place.path} must be ${article(shapeOf(schema))}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${place.path} must be one of ${words(schema.enum)}`];
  if (Array.isArray(value)) return arrayFaults(schema, value, place);
  if (typeof value === "object" && value !== null) return objectFaults(schema, value as Record<string, unknown>, place);
  return [];
}

function arrayFaults(schema: JsonSchema, value: unknown[], place: Place): string[] {
  const { minItems = 0, maxItems = Infinity, items } = schema;
  if (value.length < minItems) return [`${place.path} needs at least ${minItems} item${minItems === 1 ? "" : "s"}`];
  if (value.length > maxItems) return [`${place.path} takes at most ${maxItems} items (got ${value.length})`];
  if (!items) return [];
  return value.flatMap((item, at) => valueFaults(items, item, { tool: place.tool, path: `${place.path}[${at}]` }));
}

function accepts(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => isOfType(type, value));
}

/** `string`, `array of {content: string, status: …}`: what is wanted, in a few words. */
function shapeOf(schema: JsonSchema): string {
  const type = typesOf(schema).join(" or ") || "any value";
  if (type === "array" && schema.items) return `array of ${shapeOf(schema.items)}`;
  if (type !== "object" || !schema.properties) return type;
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    return `${name}${optional}: ${typesOf(field).join("|") || "any"}`;
  });
  return `{${fields.join(", ")}}`;
}

function article(shape: string): string {
  if (shape.startsWith("{")) return `an object ${shape}`;
  return `${/^[aeiou]/.test(shape) ? "an" : "a"} ${shape}`;
}

function words(values: unknown[]): string {
  return values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", ");
}

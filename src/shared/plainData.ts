/** What a host or its tools hand us, as data that JSON can carry: for events, logs and other processes. */

/** Deeper than this is no data to show, and too deep for JSON. */
const DEEPEST = 100;

/**
 * The value itself where JSON can carry it as it is; else a copy in which a BigInt is its digits, functions and symbols
 * are left out, and a circle or what cannot be read is named in brackets. Never throws.
 */
export function plainData(value: unknown): unknown {
  return isPlain(value, []) ? value : plainCopy(value, []);
}

function isPlain(value: unknown, above: readonly unknown[]): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value !== "object") return ["string", "number", "boolean"].includes(typeof value);
  if (above.length >= DEEPEST || above.includes(value)) return false;
  try {
    const inside = [...above, value];
    if (Array.isArray(value)) return value.every((part) => isPlain(part, inside));
    return isRecord(value) && Object.values(value).every((part) => isPlain(part, inside));
  } catch {
    return false;
  }
}

/** An object literal, as it were: no class, no getter, no JSON form of its own. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isLiteral = (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
  return isLiteral && Object.values(Object.getOwnPropertyDescriptors(value)).every((property) => "value" in property);
}

function plainCopy(value: unknown, above: readonly unknown[]): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  if (above.length >= DEEPEST) return "[too deep]";
  try {
    const inside = [...above, value];
    if ("toJSON" in value && typeof value.toJSON === "function") return plainCopy(value.toJSON(), inside);
    if (Array.isArray(value)) return value.map((part) => plainCopy(part, inside) ?? null);
    if (value instanceof Error) return { name: value.name, message: value.message };
    return Object.fromEntries(Object.keys(value).flatMap((key) => copiedEntry(value, key, inside)));
  } catch {
    return "[unreadable]";
  }
}

function copiedEntry(owner: object, key: string, above: readonly unknown[]): [string, unknown][] {
  let part: unknown = "[unreadable]";
  try {
    part = plainCopy((owner as Record<string, unknown>)[key], above);
  } catch {
    // A getter that throws: the rest can still be shown.
  }
  return part === undefined ? [] : [[key, part]];
}

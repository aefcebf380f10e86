/** Opaque reasoning objects that stream in fragments: text grows, everything else is kept as it came. */

type Json = Record<string, unknown>;

/** Adds fragments to `held`. A text fragment of the same index and kind continues the one before it. */
export function mergeReasoningDetails(held: unknown[], fragments: unknown): void {
  for (const fragment of Array.isArray(fragments) ? fragments : []) {
    if (typeof fragment !== "object" || fragment === null) continue;
    const last = held.at(-1) as Json | undefined;
    if (last && continues(last, fragment as Json)) Object.assign(last, joined(last, fragment as Json));
    else held.push({ ...fragment });
  }
}

function continues(last: Json, next: Json): boolean {
  const isText =
    typeof next.text === "string" || typeof next.summary === "string" || typeof next.signature === "string";
  return (
    isText && last.type === next.type && last.index === next.index && last.data === undefined && next.data === undefined
  );
}

function joined(last: Json, next: Json): Json {
  const grown = (key: "text" | "summary") =>
    typeof last[key] === "string" || typeof next[key] === "string"
      ? { [key]: `${last[key] ?? ""}${next[key] ?? ""}` }
      : {};
  const given = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null && value !== undefined));
  return { ...last, ...given, ...grown("text"), ...grown("summary") };
}

/** The JSON text of a body, without what strict parsers refuse: half surrogate pairs and NUL. */

/** Half pairs become U+FFFD, NUL goes; whole pairs stay. A body that needs nothing is written once and not walked. */
export function wireText(body: unknown): string {
  const raw = JSON.stringify(body);
  return /\\u(?:d[89a-f]|0000)/i.test(raw)
    ? JSON.stringify(body, (_key, value: unknown) => (typeof value === "string" ? cleanText(value) : value))
    : raw;
}

function cleanText(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD").replaceAll("\0", "");
}

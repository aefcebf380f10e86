/** Looks at unfinished JSON without repairing it: is it a whole object, or does it end in the middle? */

/** True for text that is one complete JSON object. */
export function isWholeObject(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** True where the text ends inside a string, an array or an object: it was cut off, whatever a label says. */
export function isCutOff(text: string): boolean {
  return walk(text).isOpen;
}

/**
 * Objects that stand one behind the other, the last perhaps unfinished; one entry, the text itself, where anything else
 * stands between them or behind.
 */
export function objectsIn(text: string): string[] {
  const objects: string[] = [];
  for (let rest = text.trim(); rest !== ""; ) {
    if (!rest.startsWith("{")) return [text];
    const { end } = walk(rest, { toFirstEnd: true });
    objects.push(rest.slice(0, end));
    rest = rest.slice(end).trim();
  }
  return objects.length > 0 ? objects : [text];
}

/** Goes through strings, arrays and objects, to the end or to where the first of them is closed. */
function walk(text: string, { toFirstEnd = false } = {}): { end: number; isOpen: boolean } {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString && character === "\\") index += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (toFirstEnd && depth === 0) return { end: index + 1, isOpen: false };
    }
  }
  return { end: text.length, isOpen: inString || depth > 0 };
}

/** JSON with one value a line. Numbers, names and their order stay as they are written, which parsing would not keep. */

/** Deeper nesting than this would be mostly blanks. */
const MAX_LEVELS = 100;

/** The text with line breaks and two blanks a level; what is no JSON, or nested too deep, comes back as it is. */
export function reindentJson(text: string): string {
  if (!isJson(text)) return text;
  let indented = "";
  let level = 0;
  const newLine = () => `\n${"  ".repeat(level)}`;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") {
      level += 1;
      if (level > MAX_LEVELS) return text;
      indented += token + newLine();
    } else if (token === "}" || token === "]") {
      level -= 1;
      indented += newLine() + token;
    } else if (token === ",") indented += token + newLine();
    else indented += token === ":" ? ": " : token;
  }
  return indented;
}

/** Empty lists and objects stay in one piece. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Finds tools by keywords: in the name above all, then in the server's name, the parameters and the description. */

import type { ShelfTool } from "./definitions";

/** Tools that match, the best first; equal ones by name. Every word counts, none is needed. */
export function searchTools(tools: readonly ShelfTool[], query: string): ShelfTool[] {
  const words = wordsOf(query);
  const phrase = squeezed(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words, phrase) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

function scoreOf({ name, server, definition }: ShelfTool, words: readonly string[], phrase: string): number {
  if (phrase === "") return 0;
  if (phrase === squeezed(name) || phrase === squeezed(definition.name)) return 1_000;
  const nameWords = wordsOf(definition.name);
  const parameters = Object.keys(definition.parameters.properties ?? {}).flatMap(wordsOf);
  const plainName = definition.name.toLowerCase();
  const description = definition.description.toLowerCase();
  const serverName = server.toLowerCase();
  return words.reduce((sum, word) => {
    if (nameWords.includes(word)) return sum + 8;
    if (plainName.includes(word)) return sum + 5;
    if (serverName.includes(word)) return sum + 3;
    if (parameters.includes(word)) return sum + 2;
    return description.includes(word) ? sum + 2 : sum;
  }, 0);
}

/** `createIssue`, `create_issue` and `create-issue` are the same two words. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

function squeezed(text: string): string {
  return wordsOf(text).join(" ");
}

/** Finds tool calls that a server left in the text: whole blocks at a line start that end the reply, and nothing else. */

type Json = Record<string, unknown>;

/** A call found in text, as a Chat fragment that the collector takes. */
export interface TextCall {
  function: { name: string; arguments: string };
}

const OPENERS = ["<tool_call>", "<function=", "<function_call>"];
const BLOCK =
  /<tool_call>\s*([\s\S]*?)\s*<\/tool_call>|<function_call>\s*([\s\S]*?)\s*<\/function_call>|(<function=[\s\S]*?<\/function>)/y;
const XML = /^<function=([\w.-]+)>\s*([\s\S]*?)\s*<\/function>$/;
const PARAMETER = /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>/g;

/** Text flows through until a line begins like a call; from there on it waits for the end of the reply. */
export class TextCalls {
  readonly #isTool: (name: string) => boolean;
  #held = "";
  #isHolding = false;
  #atLineStart = true;

  constructor(isTool: (name: string) => boolean) {
    this.#isTool = isTool;
  }

  push(piece: string): string {
    this.#held += piece;
    if (this.#isHolding || this.#held === "") return "";
    const start = this.#start();
    const passed = this.#held.slice(0, start);
    this.#held = this.#held.slice(start);
    if (passed !== "") this.#atLineStart = passed.endsWith("\n");
    return passed;
  }

  /** The reply is over: calls if all that was held is whole calls of tools that exist, else the text as it is. */
  end(rest: string): { content: string; calls: TextCall[] } {
    const passed = this.push(rest);
    const calls = this.#isHolding ? this.#callsIn(this.#held.trim()) : undefined;
    return calls ? { content: passed.trimEnd(), calls } : { content: passed + this.#held, calls: [] };
  }

  /** Where the text begins that must wait: a call's opening at a line start, or what may become one. */
  #start(): number {
    const lines = /(?:^|\n)[ \t]*(?=<)|\n[ \t]*$|\n+$/g;
    for (const match of this.#held.matchAll(lines)) {
      if (match.index === 0 && !match[0].startsWith("\n") && !this.#atLineStart) continue;
      const opening = this.#held.slice(match.index + match[0].length);
      this.#isHolding = OPENERS.some((tag) => opening.startsWith(tag));
      if (this.#isHolding || OPENERS.some((tag) => tag.startsWith(opening))) return match.index;
    }
    return this.#held.length;
  }

  #callsIn(text: string): TextCall[] | undefined {
    const calls: TextCall[] = [];
    BLOCK.lastIndex = 0;
    for (let position = 0; position < text.length; position = BLOCK.lastIndex) {
      const space = /^\s*/.exec(text.slice(position))?.[0].length ?? 0;
      BLOCK.lastIndex = position + space;
      const block = BLOCK.exec(text);
      const call = block ? parseCall(block[1] ?? block[2] ?? block[3] ?? "") : undefined;
      if (!call || !this.#isTool(call.function.name)) return undefined;
      calls.push(call);
    }
    return calls.length > 0 ? calls : undefined;
  }
}

function parseCall(block: string): TextCall | undefined {
  const xml = XML.exec(block);
  if (xml)
    return callOf(
      xml[1],
      Object.fromEntries([...(xml[2] ?? "").matchAll(PARAMETER)].map(([, key, value]) => [key, value])),
    );
  try {
    const data = JSON.parse(block) as Json;
    return callOf(data.name, data.arguments ?? data.parameters ?? {});
  } catch {
    return undefined;
  }
}

function callOf(name: unknown, args: unknown): TextCall | undefined {
  if (typeof name !== "string" || args === null) return undefined;
  return { function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) } };
}

/** Finds tool calls that a server left in the text: whole blocks at a line start that end the reply, and nothing else. */

type Json = Record<string, unknown>;

/** A call found in text, as a Chat fragment that the collector takes. */
export interface TextCall {
  function: { name: string; arguments: string };
}

const OPENER = /^<(?:(?:\w{1,12}:)?(?:tool|function)_calls?>|function=|invoke name=)/;
/** What may still become one of them. */
const UNFINISHED = /^<(?:\w{0,14}(?::\w{0,14})?|invoke(?: \w{0,4})?)$/;
const BLOCK =
  /<tool_call>\s*([\s\S]*?)\s*<\/tool_call>|<function_call>\s*([\s\S]*?)\s*<\/function_call>|(<function=[\s\S]*?<\/function>|<invoke name=[\s\S]*?<\/invoke>)/y;
const WRAPPED = /^<((?:\w+:)?(?:tool|function)_calls?)>\s*(<invoke [\s\S]*)<\/\1>$/;
const XML = /^<(?:function=|invoke name=)"?([\w.-]+)"?>\s*([\s\S]*?)\s*<\/(?:function|invoke)>$/;
const PARAMETER = /<parameter(?:=| name=)"?([\w.-]+)"?[^>]*>\n?([\s\S]*?)\n?<\/parameter>/g;
const KEYED = /^([\w.-]+)\s*((?:<arg_key>[\s\S]*)?)$/;
const KEY_AND_VALUE = /<arg_key>\s*([\s\S]*?)\s*<\/arg_key>\s*<arg_value>\n?([\s\S]*?)\n?<\/arg_value>/g;

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
      this.#isHolding = OPENER.test(opening);
      if (this.#isHolding || opening === "" || UNFINISHED.test(opening)) return match.index;
    }
    return this.#held.length;
  }

  #callsIn(held: string): TextCall[] | undefined {
    const text = WRAPPED.exec(held)?.[2]?.trim() ?? held;
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
  if (xml) return callOf(xml[1], pairsIn(xml[2], PARAMETER));
  const keyed = KEYED.exec(block);
  if (keyed) return callOf(keyed[1], pairsIn(keyed[2], KEY_AND_VALUE));
  try {
    const data = JSON.parse(block) as Json;
    return callOf(data.name, data.arguments ?? data.parameters ?? {});
  } catch {
    return undefined;
  }
}

function pairsIn(text = "", pair: RegExp): Json {
  return Object.fromEntries([...text.matchAll(pair)].map(([, key, value]) => [key, value]));
}

function callOf(name: unknown, args: unknown): TextCall | undefined {
  if (typeof name !== "string" || args === null) return undefined;
  return { function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) } };
}

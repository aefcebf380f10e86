/** The text of a reply on its way out: thinking is parted from it, and tool calls left in it are taken out. */

import type { ReplyContext, ReplyPiece } from "./reply";
import { type TextCall, TextCalls } from "./textCalls";
import { ThinkTags } from "./thinkTags";

export class ReplyText {
  readonly #tags: ThinkTags;
  readonly #calls: TextCalls;
  /** Everything that was given in, before it was parted. */
  content = "";
  reasoning = "";
  hasText = false;
  hasReasoning = false;

  constructor(context: ReplyContext) {
    this.#tags = new ThinkTags(context.thinksUnopened);
    this.#calls = new TextCalls(context.isTool);
  }

  push(content: string, reasoning: string): ReplyPiece[] {
    this.content += content;
    this.reasoning += reasoning;
    if (content === "") return this.#pieces("", reasoning);
    const split = this.#tags.push(content);
    const pieces = this.#pieces(this.#calls.push(split.content), reasoning + split.reasoning);
    return split.hadNoOpening ? [{ reclassify: true }, ...pieces] : pieces;
  }

  end(): { pieces: ReplyPiece[]; calls: TextCall[] } {
    const rest = this.#tags.end();
    const { content, calls } = this.#calls.end(rest.content);
    return { pieces: this.#pieces(content, rest.reasoning), calls };
  }

  #pieces(content: string, reasoning: string): ReplyPiece[] {
    if (content.trim() !== "") this.hasText = true;
    if (reasoning.trim() !== "") this.hasReasoning = true;
    if (content === "" && reasoning === "") return [];
    return [{ ...(content === "" ? {} : { content }), ...(reasoning === "" ? {} : { reasoning }) }];
  }
}

/** What `whole` adds to the text that came before it; nothing where it says something else. */
export function restOf(before: string, whole: string): string {
  if (before === "") return whole;
  return whole.startsWith(before) ? whole.slice(before.length) : "";
}

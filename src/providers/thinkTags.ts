/** Parts thinking from text where a server sends both as content, with tags that may be cut anywhere. */

export interface Split {
  content: string;
  reasoning: string;
  /** A lone closing tag came: all content before it was thinking. */
  hadNoOpening?: boolean;
}

const NAME = "(?:[a-z]{1,12}:)?(?:think(?:ing)?|thought|reasoning)";
const AT_START = new RegExp(`^<(${NAME})>`, "i");
const ANYWHERE = new RegExp(`<${NAME}>`, "i");
const LONE_CLOSING = new RegExp(`(\\n?)</${NAME}>(\\n?)`, "i");
/** What may still become an opening tag. */
const UNFINISHED = /^<[a-z:]{0,22}$/i;
const OPENING = ["<think>", "<thinking>", "<thought>", "<reasoning>"];
const CLOSING = ["</think>", "</thinking>", "</thought>", "</reasoning>"];
/** What may stand in the text: an opening tag, or a closing one alone at a line's end or on a line of its own. */
const IN_TEXT = [...CLOSING.map((tag) => `\n${tag}\n`), ...CLOSING.map((tag) => `${tag}\n`), ...OPENING];

/**
 * Only a tag at the very start opens thinking; one in the middle of an answer is text. What may still become a tag is
 * held back, and nothing else.
 */
export class ThinkTags {
  #state: "start" | "thinking" | "after" | "text" = "start";
  #held = "";
  #closing = "";
  #sawOpening = false;

  /** `isOpen`: this endpoint is known to begin in the middle of its thinking, without a tag. */
  constructor(isOpen = false) {
    if (isOpen) this.#think(CLOSING[0] ?? "");
  }

  push(piece: string): Split {
    this.#held += piece;
    const split: Split = { content: "", reasoning: "" };
    while (this.#step(split));
    return split;
  }

  /** The stream is over: what was held back is text (or thinking) after all. */
  end(): Split {
    const rest = this.#held;
    this.#held = "";
    return this.#state === "thinking"
      ? { content: "", reasoning: rest }
      : { content: this.#state === "after" ? "" : rest, reasoning: "" };
  }

  #think(closing: string): void {
    this.#state = "thinking";
    this.#closing = closing;
  }

  /** One step; true where another may follow. */
  #step(split: Split): boolean {
    if (this.#state === "start") return this.#start();
    if (this.#state === "thinking") return this.#thinking(split);
    if (this.#state === "after") return this.#after();
    return this.#text(split);
  }

  #start(): boolean {
    const begin = this.#held.trimStart();
    const tag = AT_START.exec(begin);
    if (tag) {
      this.#held = begin.slice(tag[0].length);
      this.#think(lower(`</${tag[1]}>`));
      return true;
    }
    if (begin === "" || UNFINISHED.test(begin)) return false;
    this.#state = "text";
    return true;
  }

  #thinking(split: Split): boolean {
    const end = lower(this.#held).indexOf(this.#closing);
    if (end >= 0) {
      split.reasoning += this.#held.slice(0, end).trimEnd();
      this.#held = this.#held.slice(end + this.#closing.length);
      this.#state = "after";
      return true;
    }
    // White space in front of a closing tag belongs to the tag, so it waits as well.
    const tag = tailOf(lower(this.#held), [this.#closing]);
    const keep = this.#held.length - this.#held.slice(0, this.#held.length - tag).trimEnd().length;
    split.reasoning += this.#held.slice(0, this.#held.length - keep);
    this.#held = keep === 0 ? "" : this.#held.slice(-keep);
    return false;
  }

  #after(): boolean {
    this.#held = this.#held.trimStart();
    if (this.#held === "") return false;
    this.#state = "text";
    this.#sawOpening = true;
    return true;
  }

  #text(split: Split): boolean {
    // Most pieces hold nothing that a tag could begin with.
    if (!this.#held.includes("<") && !this.#held.endsWith("\n")) {
      split.content += this.#held;
      this.#held = "";
      return false;
    }
    if (!this.#sawOpening) this.#sawOpening = ANYWHERE.test(this.#held);
    const lone = this.#sawOpening ? null : LONE_CLOSING.exec(this.#held);
    if (lone && (lone[1] !== "" || lone[2] !== "")) return this.#loneClosing(split, lone);
    const keep = this.#sawOpening ? 0 : tailOf(lower(this.#held), IN_TEXT);
    split.content += this.#held.slice(0, this.#held.length - keep);
    this.#held = keep === 0 ? "" : this.#held.slice(-keep);
    return false;
  }

  #loneClosing(split: Split, tag: RegExpExecArray): boolean {
    split.reasoning += split.content + this.#held.slice(0, tag.index);
    split.content = "";
    split.hadNoOpening = true;
    this.#held = this.#held.slice(tag.index + tag[0].length);
    this.#state = "after";
    return true;
  }
}

/** Without a change of length, which other letters may suffer. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** How many characters at the end of `text` may be the beginning of one of `tags`. */
function tailOf(text: string, tags: string[]): number {
  const longest = Math.max(...tags.map((tag) => tag.length));
  for (let length = Math.min(longest - 1, text.length); length > 0; length -= 1) {
    const tail = text.slice(-length);
    if (tags.some((tag) => tag.length > length && tag.startsWith(tail))) return length;
  }
  return 0;
}

/** Cuts streaming Markdown into finished blocks: each is given out once, the moment nothing that follows can change it. */

import { type CodePart, OpenFence } from "./fences";
import { loadLexer, type MarkdownLexer, type Token, type Tokens } from "./lexer";
import { cutPlace } from "./sentences";

/** An item of a top-level list. `number` is its place in an ordered list, null in a bulleted one. */
export interface ItemPart {
  number: number | null;
}

/** A finished piece of the text. The `raw` of all blocks, joined, is the text. */
export interface Block {
  raw: string;
  /** A blank row stands before it. */
  gap: boolean;
  /** A piece of a fenced code block. */
  code?: CodePart;
  /** `raw` is one item of a list. */
  item?: ItemPart;
}

export interface SplitterOptions {
  /** Lines of an open fence that are given out together (default 20; `Infinity`: whole fences). */
  groupLines?: number;
  /** Characters of a paragraph that fill the screen (default 1,600; `Infinity`: whole paragraphs). */
  paragraphChars?: number;
}

/** A tail beyond this size is not read again for every line, only when it has grown by a tenth. */
const LARGE_TAIL = 4000;

const leadingBlank = /^(?:[ \t]*\n)*/;

export class BlockSplitter {
  private tail = "";
  private fence: OpenFence | null = null;
  private lastRaw = "";
  /** The list whose item was given out last: its items may all be numbered 1 in the source. */
  private list: { mark: string; number: number } | null = null;
  /** Blank lines that belong to the next piece. */
  private blankBeforeFence = "";
  private nextRead = 0;
  private readonly groupLines: number;
  private readonly paragraphChars: number;

  constructor(
    private readonly lexer: MarkdownLexer,
    options: SplitterOptions = {},
  ) {
    this.groupLines = options.groupLines ?? 20;
    this.paragraphChars = options.paragraphChars ?? 1600;
  }

  static async create(options?: SplitterOptions): Promise<BlockSplitter> {
    return new BlockSplitter(await loadLexer(), options);
  }

  /** Takes a delta (sanitized, LF line ends); gives the blocks that it finished. */
  push(delta: string): Block[] {
    this.tail += delta;
    const blocks: Block[] = [];
    if (this.fence || delta.includes("\n")) this.read(blocks);
    if (!this.fence) this.cutLongParagraph(blocks);
    return blocks;
  }

  /** The end of the text: everything left is finished. The splitter can be used again. */
  end(): Block[] {
    const blocks: Block[] = [];
    this.nextRead = 0;
    this.read(blocks);
    if (this.fence) {
      const { raw, code } = this.fence.finish(this.tail);
      this.give(blocks, { raw, code });
      this.fence = null;
    } else if (this.tail !== "") {
      this.giveTokens(blocks, { tokens: this.lexer.blocks(this.tail), source: this.tail, isEnd: true });
    }
    this.tail = this.lastRaw = "";
    this.list = null;
    return blocks;
  }

  /** What is not finished, as it may be shown meanwhile: source as it stands, but never half a fence. */
  get live(): { text: string; isCode: boolean } {
    if (this.fence) return { text: this.fence.live(this.tail), isCode: true };
    const tail = this.tail.replace(leadingBlank, "");
    return { text: tail.replace(/(^|\n) {0,3}(?:`{1,2}|~{1,2}|`{3,}[^\n]*|~{3,}[^\n]*)$/, "$1"), isCode: false };
  }

  private read(blocks: Block[]): void {
    for (;;) {
      if (this.fence) {
        const { pieces, rest, isClosed } = this.fence.take(this.tail, this.groupLines);
        this.tail = rest;
        for (const piece of pieces) this.give(blocks, piece);
        if (!isClosed) return;
        this.fence = null;
        this.nextRead = 0;
      }
      if (!this.readBlocks(blocks)) return;
    }
  }

  /** Reads the complete lines of the tail; true when a fence opened and reading must go on inside it. */
  private readBlocks(blocks: Block[]): boolean {
    const end = this.tail.lastIndexOf("\n") + 1;
    if (end === 0 || this.tail.length < this.nextRead) return false;
    const source = this.tail.slice(0, end);
    const length = this.giveTokens(blocks, { tokens: this.lexer.blocks(source), source, isEnd: false });
    this.tail = this.tail.slice(length);
    this.nextRead = this.tail.length > LARGE_TAIL ? this.tail.length * 1.1 : 0;
    return this.openFence();
  }

  /** Goes into a fence whose opening line stands at the head of the tail. */
  private openFence(): boolean {
    const blank = leadingBlank.exec(this.tail)?.[0] ?? "";
    const opened = OpenFence.open(this.tail.slice(blank.length));
    if (!opened) return false;
    this.fence = opened.fence;
    this.lastRaw += blank;
    this.blankBeforeFence = blank;
    this.tail = this.tail.slice(blank.length + opened.length);
    this.list = null;
    return true;
  }

  /** Gives out the tokens that are finished; the length of source that they took. */
  private giveTokens(blocks: Block[], read: { tokens: Token[]; source: string; isEnd: boolean }): number {
    let at = 0;
    let start = 0;
    const { tokens, source, isEnd } = read;
    const last = tokens.findLastIndex((token) => token.type !== "space");
    for (const [i, token] of tokens.entries()) {
      // A lexer that rewrites its source would tear the text: then the rest is one block.
      if (!source.startsWith(token.raw, at)) return isEnd ? this.giveRest(blocks, source, start) : start;
      at += token.raw.length;
      if (token.type === "space") continue;
      if (isFence(token)) {
        const end = source[at] === "\n" ? at + 1 : at;
        if (this.giveFence(blocks, source.slice(start, end))) start = end;
        else if (!isEnd) return start;
        else return this.giveRest(blocks, source, start);
        continue;
      }
      const end = tokens[i + 1]?.type === "space" ? at + (tokens[i + 1]?.raw.length ?? 0) : at;
      const piece = source.slice(start, end);
      if (!isEnd && i === last && !isFinished(token, end > at || token.raw.endsWith("\n\n"))) {
        return (
          start +
          (token.type === "list"
            ? this.giveItems(blocks, { list: token as Tokens.List, source: piece, isOver: false })
            : 0)
        );
      }
      if (token.type === "list") this.giveItems(blocks, { list: token as Tokens.List, source: piece, isOver: true });
      else this.giveProse(blocks, piece);
      start = end;
    }
    // Blank lines behind the last block are no block of their own: one would show as an empty row.
    return isEnd && last >= 0 && start < source.length ? this.giveRest(blocks, source, start) : start;
  }

  private giveRest(blocks: Block[], source: string, start: number): number {
    this.give(blocks, { raw: source.slice(start) });
    return source.length;
  }

  private giveProse(blocks: Block[], raw: string): void {
    this.list = null;
    this.give(blocks, { raw });
  }

  /** A whole fenced block, in groups. False when it is still open: then it is read line by line. */
  private giveFence(blocks: Block[], source: string): boolean {
    const blank = leadingBlank.exec(source)?.[0] ?? "";
    const opened = OpenFence.open(source.slice(blank.length));
    if (!opened) return false;
    const { pieces, rest, isClosed } = opened.fence.take(source.slice(blank.length + opened.length), this.groupLines);
    if (!isClosed || rest !== "") return false;
    this.list = null;
    this.blankBeforeFence = blank;
    for (const piece of pieces) this.give(blocks, piece);
    return true;
  }

  /** Items of a list that are finished: all, or all but the last while the list goes on. The length that they took. */
  private giveItems(blocks: Block[], read: { list: Tokens.List; source: string; isOver: boolean }): number {
    const { list, source, isOver } = read;
    let at = 0;
    let end = leadingBlank.exec(source)?.[0].length ?? 0;
    for (const [i, item] of list.items.entries()) {
      const isLast = i === list.items.length - 1;
      if (isLast && !isOver) break;
      end = isLast ? source.length : end + item.raw.length;
      this.giveItem(blocks, list, source.slice(at, end));
      at = end;
    }
    return at;
  }

  private giveItem(blocks: Block[], list: Tokens.List, raw: string): void {
    const mark = /^\s*(?:\d+)?([-*+.)])/.exec(raw)?.[1] ?? "";
    const goesOn = this.list?.mark === mark ? this.list.number + 1 : null;
    const number = goesOn ?? (typeof list.start === "number" ? list.start : 1);
    this.list = { mark, number };
    this.give(blocks, { raw, item: { number: list.ordered ? number : null } });
  }

  /** A paragraph that fills the screen is given out by sentences, also while its line is still growing. */
  private cutLongParagraph(blocks: Block[]): void {
    while (this.tail.length > this.paragraphChars && this.isOneParagraph()) {
      const length = cutPlace(this.tail, this.paragraphChars);
      if (length === null) return;
      this.give(blocks, { raw: this.tail.slice(0, length) });
      this.tail = this.tail.slice(length);
    }
  }

  private isOneParagraph(): boolean {
    if (this.tail.length < this.nextRead) return false;
    const tokens = this.lexer.blocks(this.tail);
    const isOne = tokens.length === 1 && tokens[0]?.type === "paragraph";
    if (!isOne) this.nextRead = Math.max(this.nextRead, this.tail.length * 1.1);
    return isOne;
  }

  private give(blocks: Block[], block: Omit<Block, "gap">): void {
    const raw = this.blankBeforeFence + block.raw;
    this.blankBeforeFence = "";
    const gap = this.lastRaw !== "" && (/\n[ \t]*\n$/.test(this.lastRaw) || /^[ \t]*\n/.test(raw));
    blocks.push({ ...block, raw, gap: gap && block.code?.isFirst !== false });
    this.lastRaw = raw;
  }
}

function isFence(token: Token): boolean {
  return token.type === "code" && (token as Tokens.Code).codeBlockStyle !== "indented";
}

/** True for a last token that nothing can change any more: a closed one, or one that a blank line ends. */
function isFinished(token: Token, hasBlank: boolean): boolean {
  if (token.type === "heading" || token.type === "hr") return true;
  if (token.type === "list" || token.type === "html" || token.type === "code") return false;
  return hasBlank;
}

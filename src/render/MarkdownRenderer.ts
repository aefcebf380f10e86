/** Markdown to terminal text: a whole text at once, or the blocks of a stream one by one (guide 20.1, "Hooks and views"). */

import { createPaint } from "./color";
import { type CodePainter, loadHighlighter } from "./highlight";
import { type Block, BlockSplitter } from "./markdown/blocks";
import type { CodePart } from "./markdown/fences";
import { loadLexer, type MarkdownLexer, type Tokens } from "./markdown/lexer";
import type { Look } from "./markdown/look";
import { codeRows, renderBlocks, renderItem } from "./markdown/renderBlock";
import { plainText } from "./sanitize";

export interface MarkdownOptions {
  /** Columns of the longest row (default 80). */
  width?: number | undefined;
  /** Default true. */
  color?: boolean | undefined;
  /** Write addresses as OSC 8 links too (default false). Only http, https and mailto ever become links. */
  hyperlinks?: boolean | undefined;
  /** Bars, rules and bullets (default true); false for a screen reader. */
  boxArt?: boolean | undefined;
}

/**
 * The parser and the highlighter are large, so they come with `load()`. Until it has finished, `render` gives the text as
 * it is (sanitized). Everything that comes out is safe for a terminal, whatever went in.
 */
export class MarkdownRenderer {
  private look: Look;
  private lexer: MarkdownLexer | null = null;
  /** The painter of the fence whose pieces are coming. */
  private painter: CodePainter | null = null;

  constructor(options: MarkdownOptions = {}) {
    const { width = 80, color = true, hyperlinks = false, boxArt = true } = options;
    this.look = { width: Math.max(8, width), color, hyperlinks, boxArt, paint: createPaint(color), highlighter: null };
  }

  /** A renderer that is ready. */
  static async create(options?: MarkdownOptions): Promise<MarkdownRenderer> {
    const renderer = new MarkdownRenderer(options);
    await renderer.load();
    return renderer;
  }

  /** Loads what rendering needs. May be called more than once. */
  async load(): Promise<void> {
    const { paint, color } = this.look;
    const [lexer, highlighter] = await Promise.all([loadLexer(), color ? loadHighlighter(paint) : null]);
    this.lexer = lexer;
    this.look = { ...this.look, highlighter };
  }

  /** Another width for what comes next. */
  setWidth(width: number): void {
    this.look = { ...this.look, width: Math.max(8, width) };
  }

  /** A whole text. Rows are separated by `\n`; there is none at the end. */
  render(text: string): string {
    const source = plainText(text);
    if (!this.lexer) return source;
    const splitter = new BlockSplitter(this.lexer, {
      groupLines: Number.POSITIVE_INFINITY,
      paragraphChars: Number.POSITIVE_INFINITY,
    });
    return [...splitter.push(source), ...splitter.end()].map((block, i) => this.renderBlock(block, i === 0)).join("\n");
  }

  /** One block of a stream; blocks must come in their order. Its blank row before it is part of it, but for the first. */
  renderBlock(block: Block, isFirst = false): string {
    const rows = this.rowsOf(block);
    return (block.gap && !isFirst ? ["", ...rows] : rows).join("\n");
  }

  /** A block is read again by itself: links and numbers that stand elsewhere in the text are not known here. */
  private rowsOf(block: Block): string[] {
    if (!this.lexer) return plainText(block.raw).trimEnd().split("\n");
    if (block.code) return this.codeRows(block.code);
    const tokens = this.lexer.full(block.raw);
    const list = block.item && tokens.find((token) => token.type === "list");
    if (!block.item || !list) return renderBlocks(tokens, this.look);
    const [item] = (list as Tokens.List).items;
    return item ? renderItem(item, block.item.number, this.look) : [];
  }

  private codeRows(code: CodePart): string[] {
    if (code.isFirst) this.painter = this.look.highlighter?.startBlock(code.lang) ?? null;
    const text = plainText(code.text);
    if (text === "" && !code.isFirst) return [];
    return codeRows(this.painter?.paint(text) ?? text, this.look);
  }
}

/** The Markdown lexer, loaded when the first text needs it. */

import type { Token, Tokens } from "marked";

export type { Token, Tokens };

export interface MarkdownLexer {
  /** Block tokens only, without looking inside them: quick enough for every delta. */
  blocks(source: string): Token[];
  /** Block tokens with their inline tokens. */
  full(source: string): Token[];
}

let loaded: Promise<MarkdownLexer> | null = null;

export function loadLexer(): Promise<MarkdownLexer> {
  loaded ??= import("marked").then(({ Lexer }) => ({
    blocks: (source) => new Lexer({ gfm: true }).blockTokens(source, []),
    full: (source) => new Lexer({ gfm: true }).lex(source),
  }));
  return loaded;
}

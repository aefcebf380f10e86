/** Reads a fenced code block while it is still open: its lines come out in groups, long before the closing fence. */

/** A piece of a code block. `firstLine` counts from 1. */
export interface CodePart {
  lang: string;
  text: string;
  firstLine: number;
  isFirst: boolean;
  isLast: boolean;
}

export interface FencePiece {
  raw: string;
  code: CodePart;
}

const opening = /^( {0,3})(`{3,}(?=[^`\n]*\n)|~{3,})([^\n]*)\n/;

/** The language in a fence's info string (`ts`, `ts {1,3}`, `python title=x`). */
export function languageOf(info: string): string {
  return info.trim().split(/[\s{,:]/)[0] ?? "";
}

export class OpenFence {
  private readonly indent: number;
  private readonly close: RegExp;
  private readonly lang: string;
  /** Source that was read but belongs to no piece yet: the opening line, and lines of an unfinished group. */
  private head: string;
  private lines: string[] = [];
  private firstLine = 1;
  private isFirst = true;

  private constructor(match: RegExpExecArray) {
    const [raw, indent = "", marker = "```", info = ""] = match;
    this.indent = indent.length;
    this.close = new RegExp(`^ {0,3}${marker}[~\`]* *$`);
    this.lang = languageOf(info);
    this.head = raw;
  }

  /** The fence that opens at the beginning of a source; the opening line must be complete. */
  static open(source: string): { fence: OpenFence; length: number } | null {
    const match = opening.exec(source);
    return match && { fence: new OpenFence(match), length: match[0].length };
  }

  /** Takes complete lines from a source. `rest` is what it left; `isClosed`: the closing fence was among them. */
  take(source: string, groupLines: number): { pieces: FencePiece[]; rest: string; isClosed: boolean } {
    const pieces: FencePiece[] = [];
    let at = 0;
    for (let end = source.indexOf("\n"); end >= 0; end = source.indexOf("\n", at)) {
      const line = source.slice(at, end);
      at = end + 1;
      if (this.close.test(line)) {
        pieces.push(this.piece(`${line}\n`, true));
        return { pieces, rest: source.slice(at), isClosed: true };
      }
      this.lines.push(line);
      if (this.lines.length >= groupLines) pieces.push(this.piece("", false));
    }
    return { pieces, rest: source.slice(at), isClosed: false };
  }

  /** The end of the text: what is left is the last piece, its last line perhaps the closing fence. */
  finish(rest: string): FencePiece {
    if (rest === "" || this.close.test(rest)) return this.piece(rest, true);
    this.lines.push(rest);
    const { raw, code } = this.piece("", true);
    // The line had no end of its own.
    return { raw: raw.slice(0, -1), code };
  }

  /** Lines read but not yet given out, for the live view; a last line that may become the closing fence is left out. */
  live(rest: string): string {
    const lines = this.lines.map((line) => this.code(line));
    if (rest !== "" && !/^ {0,3}[`~]+ *$/.test(rest)) lines.push(this.code(rest));
    return lines.join("\n");
  }

  /** The lines collected so far as one piece, and a new collection. */
  private piece(end: string, isLast: boolean): FencePiece {
    const { lines, firstLine, isFirst } = this;
    const raw = this.head + lines.map((line) => `${line}\n`).join("") + end;
    this.head = "";
    this.lines = [];
    this.firstLine += lines.length;
    this.isFirst = false;
    const text = lines.map((line) => this.code(line)).join("\n");
    return { raw, code: { lang: this.lang, text, firstLine, isFirst, isLast } };
  }

  /** A line of code without the indentation of its fence. */
  private code(line: string): string {
    let at = 0;
    while (at < this.indent && line[at] === " ") at++;
    return line.slice(at);
  }
}

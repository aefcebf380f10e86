/**
 * The one sanitizer: all foreign text (model, tool, file, error, title) passes here before it may reach a terminal.
 * What comes out holds printable characters and line ends; from tool output also plain colours, written anew by us.
 */

import { ControlParser, type ControlSink } from "./controlParser";
import { calmHidden, escapeHidden } from "./invisible";
import { LineCells } from "./lineCells";
import { applySgr, plainStyle } from "./sgr";

export interface SanitizeOptions {
  /** Keep plain colours and weights (default true). */
  color?: boolean;
}

/**
 * Text of a tool or a program for the screen: control sequences are dropped but plain colours, which are closed at each
 * line end; carriage returns and backspaces are played out, tabs become blanks; deceptive characters are shown as `<U+XXXX>`.
 */
export function sanitizeText(text: string, options: SanitizeOptions = {}): string {
  if (isHarmless(text)) return calmHidden(text);
  const sanitizer = new OutputSanitizer(options);
  const lines = sanitizer.push(text);
  lines.push(sanitizer.line);
  return lines.join("\n");
}

function isHarmless(text: string): boolean {
  return !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text);
}

/** The same for output that comes in chunks: finished lines are given out once, the growing one can be looked at. */
export class OutputSanitizer implements ControlSink {
  private readonly parser = new ControlParser(this);
  private readonly cells = new LineCells();
  private readonly color: boolean;
  private style = plainStyle;
  private finished: string[] = [];

  constructor(options: SanitizeOptions = {}) {
    this.color = options.color ?? true;
  }

  /** Takes a chunk (decoded text); returns the lines that it finished. */
  push(chunk: string): string[] {
    this.parser.push(chunk);
    const lines = this.finished;
    this.finished = [];
    return lines;
  }

  /** The unfinished last line as it now stands. */
  get line(): string {
    return this.cells.toString(this.color);
  }

  /** @internal */
  text(text: string): void {
    this.cells.write(calmHidden(text), this.style);
  }

  /** @internal */
  control(char: "\n" | "\r" | "\b" | "\t"): void {
    if (char === "\n") this.endLine();
    else if (char === "\r") this.cells.home();
    else if (char === "\b") this.cells.back();
    else this.cells.tab(this.style);
  }

  /** @internal */
  csi(params: string, final: string): void {
    if (final === "m") this.style = applySgr(this.style, params);
    else if (final === "K") this.cells.eraseAtHome();
  }

  private endLine(): void {
    this.finished.push(this.line);
    this.cells.clear();
  }
}

/** Text of the model or of a paste, in chunks: control characters and sequences go, tabs and line ends stay, CR LF and CR become LF. */
export class PlainStream implements ControlSink {
  private readonly parser = new ControlParser(this);
  private out = "";
  private hasReturn = false;

  push(chunk: string): string {
    this.parser.push(chunk);
    const out = this.out;
    this.out = "";
    return out;
  }

  /** What was held back: a last carriage return. */
  end(): string {
    this.flushReturn();
    const out = this.out;
    this.out = "";
    return out;
  }

  /** @internal */
  text(text: string): void {
    this.flushReturn();
    this.out += text;
  }

  /** @internal */
  control(char: "\n" | "\r" | "\b" | "\t"): void {
    if (char !== "\n") this.flushReturn();
    if (char === "\r") this.hasReturn = true;
    else if (char !== "\b") this.out += char;
    if (char === "\n") this.hasReturn = false;
  }

  /** @internal */
  csi(): void {
    // Colours mean nothing in text that is read as Markdown or typed into the editor.
  }

  private flushReturn(): void {
    if (this.hasReturn) this.out += "\n";
    this.hasReturn = false;
  }
}

/** A whole text without control characters and sequences; line ends are LF, tabs stay. Nothing printable is changed. */
export function plainText(text: string): string {
  if (isHarmless(text.replaceAll("\t", ""))) return text;
  const stream = new PlainStream();
  return stream.push(text) + stream.end();
}

/** For approvals, descriptions: nothing acts and nothing hides; LF stays a line end, a tab becomes blanks. */
export function visibleText(text: string): string {
  return escapeHidden(text.replaceAll("\t", "    "), "\n");
}

/** For names and titles: the same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/\s*\n\s*/g, " ")).trim();
}

/** A run of more than `longest` blanks inside a line becomes a mark with its length: it could push text out of sight. */
export function collapseBlanks(text: string, longest = 24): string {
  return text.replace(new RegExp(` {${longest + 1},}`, "g"), (run) => ` <${run.length} blanks> `);
}

/** What may be written between sequences of our own: `text` for the screen as the model wrote it, controls gone, deceptive characters shown. */
export function modelText(text: string): string {
  return calmHidden(plainText(text));
}

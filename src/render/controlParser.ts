/** Separates printable text from control sequences, over any split into chunks; knows nothing of what either means. */

/** What the parser meets. `text` never holds a C0, DEL or C1 character. */
export interface ControlSink {
  text(text: string): void;
  /** One C0 control that moves the cursor or ends a line: `\n \r \b \t`. All others are dropped. */
  control(char: "\n" | "\r" | "\b" | "\t"): void;
  /** A well-formed CSI without private prefix or intermediates: parameters and final character. */
  csi(params: string, final: string): void;
}

/** `charset` waits for the last character of sequences such as `ESC ( B`. */
type State = "ground" | "escape" | "charset" | "csi" | "string" | "stringEscape";

const printable = /[^\u0000-\u001f\u007f-\u009f]+/y;
/** A control string that ends with its line at the latest: an unfinished one must not hide what follows. */
const stringBody = /[^\u0000-\u001f\u009c]+/y;
/** Parameters longer than this belong to no sequence that we keep. */
const MAX_PARAMS = 256;

/** A state machine over ECMA-48 in its 7-bit and 8-bit forms. Tells its sink what may be kept; the rest is gone. */
export class ControlParser {
  private state: State = "ground";
  private params = "";

  constructor(private readonly sink: ControlSink) {}

  push(chunk: string): void {
    let at = 0;
    while (at < chunk.length) at = this.step(chunk, at);
  }

  /** Forgets a sequence that has begun; what follows is text again. */
  reset(): void {
    this.state = "ground";
    this.params = "";
  }

  private step(chunk: string, at: number): number {
    if (this.state === "ground") return this.ground(chunk, at);
    if (this.state === "string") return this.string(chunk, at);
    return this.inSequence(chunk[at] ?? "", at);
  }

  private ground(chunk: string, at: number): number {
    printable.lastIndex = at;
    const run = printable.exec(chunk)?.[0];
    if (run !== undefined) {
      this.sink.text(run);
      return at + run.length;
    }
    this.controlChar(chunk[at] ?? "");
    return at + 1;
  }

  private controlChar(char: string): void {
    if (char === "\n" || char === "\r" || char === "\b" || char === "\t") this.sink.control(char);
    else if (char === "\u001b") this.state = "escape";
    else if (char === "\u009b") this.openCsi();
    else if (isStringOpener(char)) this.state = "string";
  }

  private openCsi(): void {
    this.state = "csi";
    this.params = "";
  }

  /** Skips the body of a control string. */
  private string(chunk: string, at: number): number {
    stringBody.lastIndex = at;
    const body = stringBody.exec(chunk)?.[0];
    if (body !== undefined) return at + body.length;
    const char = chunk[at];
    if (char === "\u001b") this.state = "stringEscape";
    else if (char === "\n" || char === "\r") {
      this.reset();
      return at;
    } else if (char === "\u0007" || char === "\u009c" || char === "\u0018" || char === "\u001a") this.reset();
    return at + 1;
  }

  /** Takes one character inside a sequence; a character that cannot belong to it ends it and is read again. */
  private inSequence(char: string, at: number): number {
    const isControl = char < " " || (char >= "\u007f" && char <= "\u009f");
    if (isControl) {
      this.reset();
      return at;
    }
    if (this.state === "csi") this.csiChar(char);
    else if (this.state === "stringEscape") return this.afterStringEscape(char, at);
    else this.escapeChar(char);
    return at + 1;
  }

  private afterStringEscape(char: string, at: number): number {
    if (char === "\\") {
      this.reset();
      return at + 1;
    }
    // Any other character makes the ESC the beginning of a new sequence.
    this.state = "escape";
    return at;
  }

  private escapeChar(char: string): void {
    if (this.state === "escape" && char === "[") this.openCsi();
    else if (this.state === "escape" && /[\]P_^Xk]/.test(char)) this.state = "string";
    else if (char >= " " && char <= "/") this.state = "charset";
    else this.reset();
  }

  private csiChar(char: string): void {
    if (char < "@" || char > "~") {
      if (char > "~") this.reset();
      else if (this.params.length < MAX_PARAMS) this.params += char;
      return;
    }
    const params = this.params;
    this.reset();
    if (/^[0-9;:]*$/.test(params)) this.sink.csi(params, char);
  }
}

/** The 8-bit forms of DCS, SOS, OSC, PM and APC. */
function isStringOpener(char: string): boolean {
  return char === "\u0090" || char === "\u0098" || (char >= "\u009d" && char <= "\u009f");
}

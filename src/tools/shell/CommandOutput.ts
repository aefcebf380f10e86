/** Collects what a command prints: one text in order of arrival, without escape sequences, progress lines in their last state. */

import { StringDecoder } from "node:string_decoder";
import { TextCleaner } from "./cleanText";
import { KeptText } from "./keptText";

type Pipe = "stdout" | "stderr";

/** How much of a pipe is looked at for a NUL before it counts as text. */
const SNIFF_BYTES = 4096;
/** A line longer than this is taken as it is; it can no longer be a progress line. */
const LONGEST_LINE = 64 * 1024;

interface PipeState {
  decoder: StringDecoder;
  cleaner: TextCleaner;
  bytes: number;
  binary: boolean;
}

export class CommandOutput {
  private readonly kept: KeptText;
  private readonly pipes: Record<Pipe, PipeState> = { stdout: newPipe(), stderr: newPipe() };
  private readonly listeners = new Set<(text: string) => void>();
  /** The line that is still being written: a carriage return may take it back. */
  private line = "";
  private returned = false;

  constructor(file?: string) {
    this.kept = new KeptText(file);
  }

  feed(pipe: Pipe, chunk: Buffer): void {
    const state = this.pipes[pipe];
    if (state.bytes < SNIFF_BYTES && chunk.subarray(0, SNIFF_BYTES - state.bytes).includes(0)) state.binary = true;
    state.bytes += chunk.length;
    if (!state.binary) this.add(state.cleaner.feed(state.decoder.write(chunk)));
  }

  /** Called when nothing more will come. */
  end(): void {
    for (const state of Object.values(this.pipes)) {
      if (!state.binary) this.add(state.cleaner.feed(state.decoder.end()) + state.cleaner.end());
    }
    this.finishLine();
    this.kept.close();
  }

  /** Told of every new piece of text (carriage returns still in it). Returns how to stop. */
  onText(listener: (text: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Bytes of the pipes that carry no text. */
  get binaryBytes(): number {
    return Object.values(this.pipes).reduce((sum, state) => sum + (state.binary ? state.bytes : 0), 0);
  }

  /** The text so far. Reading it settles the unfinished line. */
  settled(): KeptText {
    this.finishLine();
    return this.kept;
  }

  private add(text: string): void {
    if (text === "") return;
    this.take(text);
    for (const listener of this.listeners) listener(text);
  }

  private take(text: string): void {
    let fresh = text;
    if (this.returned) {
      // Already at the line's beginning: further returns change nothing, and only what is written there takes it back.
      fresh = fresh.replace(/^\r+/, "");
      if (fresh === "") return;
      if (!fresh.startsWith("\n")) this.line = "";
    }
    this.returned = false;
    if (fresh.includes("\r")) {
      const trailing = /\r+$/.exec(fresh)?.[0].length ?? 0;
      fresh = fresh.slice(0, fresh.length - trailing).replace(/\r+\n/g, "\n");
      this.returned = trailing > 0;
      const first = fresh.indexOf("\r");
      if (first >= 0 && !fresh.slice(0, first).includes("\n")) this.line = "";
      fresh = fresh.replace(/[^\n]*\r/g, "");
    }
    const end = fresh.lastIndexOf("\n") + 1;
    if (end > 0) {
      this.kept.append(this.line + fresh.slice(0, end));
      this.line = fresh.slice(end);
    } else this.line += fresh;
    if (this.line.length > LONGEST_LINE) this.finishLine();
  }

  private finishLine(): void {
    this.kept.append(this.line);
    this.line = "";
  }
}

function newPipe(): PipeState {
  return { decoder: new StringDecoder("utf8"), cleaner: new TextCleaner(), bytes: 0, binary: false };
}

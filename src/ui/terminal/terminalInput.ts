/** Reads stdin and hands out its events; what comes before anybody listens is kept for the first who does. */

import { InputDecoder } from "../input/decoder";
import type { InputEvent, ReplyEvent } from "../input/inputEvents";
import { readTypedAheadSync } from "./syncIo";

export interface TerminalInputOptions {
  stdin: NodeJS.ReadStream;
  escapeWaitMs: number;
  /** Hears the terminal's answers before the listeners do. */
  onReply(reply: ReplyEvent): void;
  /** The other side is closed. */
  onGone(): void;
}

export class TerminalInput {
  private readonly decoder: InputDecoder;
  private readonly listeners = new Set<(event: InputEvent) => void>();
  private early: InputEvent[] = [];
  /** Another program reads the terminal. */
  isLent = false;

  constructor(private readonly options: TerminalInputOptions) {
    this.decoder = new InputDecoder({ escapeWaitMs: options.escapeWaitMs, onEvent: (event) => this.receive(event) });
  }

  /** Begins to read; from here on stdin keeps the process alive. */
  start(): void {
    const { stdin, onGone } = this.options;
    this.isLent = false;
    stdin.on("data", this.onData);
    stdin.on("end", onGone);
    stdin.off("error", onGone);
    stdin.on("error", onGone);
    stdin.resume();
    stdin.ref?.();
  }

  /** Takes in what was typed before we were there; true if there was anything. */
  takeTypedAhead(): boolean {
    const typed = readTypedAheadSync();
    if (typed.length > 0) this.decoder.feed(typed);
    return typed.length > 0;
  }

  /** Lets stdin go, so that it does not keep the process; its errors stay heard, or they would crash what still runs. */
  stop(): void {
    const { stdin, onGone } = this.options;
    this.decoder.close();
    stdin.off("data", this.onData);
    stdin.off("end", onGone);
    stdin.pause();
    stdin.unref?.();
  }

  /** While another program reads the terminal nothing of it is ours. */
  lend(isLent: boolean): void {
    this.isLent = isLent;
    if (isLent) this.options.stdin.pause();
    else this.options.stdin.resume();
  }

  /** Raw mode on or off; quiet when the terminal is gone. */
  setRaw(isRaw: boolean): void {
    try {
      this.options.stdin.setRawMode(isRaw);
    } catch {
      // The terminal is gone; there is no mode left to set.
    }
  }

  /** Hands out every event from now on, and first what came before. */
  onInput(listener: (event: InputEvent) => void): () => void {
    const early = this.early;
    this.early = [];
    for (const event of early) listener(event);
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private readonly onData = (bytes: Buffer | string): void => {
    if (!this.isLent) this.decoder.feed(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  };

  private receive(event: InputEvent): void {
    if (event.type === "reply") this.options.onReply(event);
    if (this.listeners.size === 0) this.early.push(event);
    for (const listener of [...this.listeners]) listener(event);
  }
}

/**
 * The owner of the terminal: raw mode, bracketed paste, key protocols, focus reports, size, suspension, and the promise
 * that every way out leaves the terminal as it was (tui rules 20, 28-30, 34). Loads neither Ink nor React: it comes first.
 */

import type { Environment } from "../../shared/env";
import { InputDecoder } from "../input/decoder";
import type { InputEvent } from "../input/inputEvents";
import { createInkInput, createInkOutput, type InkInput, type InkOutput } from "./inkStreams";
import { stopSelf } from "./jobControl";
import { KEYBOARD_QUERY, type Mode, ModeLedger, modes } from "./modes";
import { drainTerminalSync, writeAllSync } from "./syncIo";

export interface TerminalOptions {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream & { fd: number };
  env: Environment;
  /** Setting `escapeWaitMs`; default 50, over SSH 100 (tui rule 17). */
  escapeWaitMs?: number;
}

/** Why the terminal ends though nobody asked: a signal's name, or `gone` when the other side of it is closed. */
export type EndReason = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT" | "gone";

/** What the terminal does for Shift-Enter: `/help` names the newline key that works here. */
export type KeyProtocol = "kitty" | "modifyOtherKeys" | "legacy";

export interface Terminal {
  /** Takes the terminal over. From here on keys are kept, not echoed. Idempotent. */
  enter(): void;
  /** Gives the terminal back, synchronously, once. Also runs by itself on exit, signals and uncaught errors. */
  leave(): void;
  /** Ctrl-Z: gives the terminal back, stops the process, and takes it over again on `fg`. */
  suspend(): void;
  /** Lends the terminal to a program (an editor) while the callback runs. */
  lend<T>(callback: () => Promise<T> | T): Promise<T>;
  /** Keys typed before the first listener came are delivered to it first. */
  onInput(listener: (event: InputEvent) => void): () => void;
  /** The size has changed and been quiet for about 100 ms. */
  onResize(listener: () => void): () => void;
  /** The terminal is ours again after a suspension: everything must be drawn anew. */
  onResume(listener: () => void): () => void;
  /** A signal or a closed terminal. With a listener the process has 2 s to save and exit; without one it ends at once. */
  onEnd(listener: (reason: EndReason) => void): () => void;
  write(text: string): boolean;
  readonly columns: number;
  readonly rows: number;
  readonly keyProtocol: KeyProtocol;
  readonly inkStdin: InkInput;
  readonly inkStdout: InkOutput;
}

const RESIZE_QUIET_MS = 100;
const DRAIN_MS = 50;
const END_GRACE_MS = 2000;
/** After stopping ourselves: if no shell stopped us, we go on after this long. */
const NOT_STOPPED_MS = 100;
const CONTINUE_MS = 10;

const endSignals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1, SIGQUIT: 3 } as const;
type EndSignal = keyof typeof endSignals;

export function createTerminal(options: TerminalOptions): Terminal {
  return new ProcessTerminal(options);
}

class ProcessTerminal implements Terminal {
  readonly inkStdin = createInkInput();
  readonly inkStdout: InkOutput;
  keyProtocol: KeyProtocol = "legacy";
  private readonly ledger = new ModeLedger();
  private readonly decoder: InputDecoder;
  private readonly inputListeners = new Set<(event: InputEvent) => void>();
  private readonly resizeListeners = new Set<() => void>();
  private readonly resumeListeners = new Set<() => void>();
  private readonly endListeners = new Set<(reason: EndReason) => void>();
  private early: InputEvent[] = [];
  private state: "outside" | "inside" | "lent" = "outside";
  private isInstalled = false;
  private isGone = false;
  private isEnding = false;
  private size: { columns: number; rows: number };
  private resizeTimer: NodeJS.Timeout | null = null;
  private continueTimer: NodeJS.Timeout | null = null;

  constructor(private readonly options: TerminalOptions) {
    this.size = this.realSize();
    this.inkStdout = createInkOutput(this);
    const isRemote = Boolean(options.env.SSH_CONNECTION || options.env.SSH_TTY);
    this.decoder = new InputDecoder({
      escapeWaitMs: options.escapeWaitMs ?? (isRemote ? 100 : 50),
      onEvent: (event) => this.receive(event),
    });
  }

  get columns(): number {
    return this.size.columns;
  }

  get rows(): number {
    return this.size.rows;
  }

  enter(): void {
    if (this.state !== "outside") return;
    this.state = "inside";
    this.options.stdin.setRawMode(true);
    this.enable(modes.paste);
    this.install();
    this.enable(modes.cursor);
    this.enable(modes.focus);
    this.enable(modes.kittyAsked);
    this.write(KEYBOARD_QUERY);
  }

  leave(): void {
    if (this.state === "inside") this.giveBack();
    this.state = "outside";
    this.ledger.clear();
    this.keyProtocol = "legacy";
    this.decoder.close();
    this.uninstall();
    this.options.stdin.pause();
    // A paused terminal still keeps Node alive on some platforms; an unreferenced one never does.
    this.options.stdin.unref?.();
  }

  suspend(): void {
    if (this.state !== "inside") return;
    this.giveBack();
    this.state = "lent";
    process.off("SIGTSTP", this.onStopSignal);
    stopSelf();
    this.takeBackSoon(NOT_STOPPED_MS);
  }

  async lend<T>(callback: () => Promise<T> | T): Promise<T> {
    const wasInside = this.state === "inside";
    if (wasInside) {
      this.options.stdin.pause();
      this.giveBack();
      this.state = "lent";
    }
    try {
      return await callback();
    } finally {
      if (wasInside && this.state === "lent") {
        this.options.stdin.resume();
        this.takeBack();
      }
    }
  }

  onInput(listener: (event: InputEvent) => void): () => void {
    this.inputListeners.add(listener);
    const early = this.early;
    this.early = [];
    for (const event of early) listener(event);
    return () => this.inputListeners.delete(listener);
  }

  onResize(listener: () => void): () => void {
    return subscribe(this.resizeListeners, listener);
  }

  onResume(listener: () => void): () => void {
    return subscribe(this.resumeListeners, listener);
  }

  onEnd(listener: (reason: EndReason) => void): () => void {
    return subscribe(this.endListeners, listener);
  }

  write(text: string): boolean {
    if (this.isGone) return false;
    return this.options.stdout.write(text);
  }

  private enable(mode: Mode): void {
    const bytes = this.ledger.enable(mode);
    if (bytes !== "") this.write(bytes);
  }

  /** Undoes every mode, then drops what the terminal still sends, then ends raw mode. */
  private giveBack(): void {
    if (!this.isGone) {
      writeAllSync(this.options.stdout.fd, this.ledger.undo);
      drainTerminalSync(DRAIN_MS);
    }
    this.setRaw(false);
  }

  /** Signal and timer may both say that we go on: once is enough, and the shell gets a moment to hand the terminal over. */
  private takeBackSoon(milliseconds: number): void {
    if (this.continueTimer) clearTimeout(this.continueTimer);
    this.continueTimer = setTimeout(() => {
      this.continueTimer = null;
      if (this.state !== "outside") this.takeBack();
    }, milliseconds);
  }

  private takeBack(): void {
    // After a stop that could not be caught nothing was undone: undo first, so that nothing is switched on twice.
    if (this.state === "inside") this.write(this.ledger.undo);
    this.state = "inside";
    // Node believes in the mode that it set last; the shell may have changed it meanwhile.
    this.setRaw(false);
    this.setRaw(true);
    process.off("SIGTSTP", this.onStopSignal);
    process.on("SIGTSTP", this.onStopSignal);
    this.write(this.ledger.onAgain);
    this.takeSize();
    for (const listener of this.resumeListeners) listener();
  }

  private setRaw(isRaw: boolean): void {
    try {
      this.options.stdin.setRawMode(isRaw);
    } catch {
      // The terminal is gone; there is no mode left to set.
    }
  }

  private receive(event: InputEvent): void {
    if (event.type === "reply") this.learn(event);
    if (this.inputListeners.size === 0) this.early.push(event);
    for (const listener of this.inputListeners) listener(event);
  }

  /** The answers to our keyboard query: kitty says its flags before DA1 ends the wait; all others get modifyOtherKeys. */
  private learn(reply: InputEvent & { type: "reply" }): void {
    if (this.state !== "inside" || this.keyProtocol !== "legacy") return;
    if (reply.kind === "kitty") this.adopt("kitty");
    else if (reply.kind === "da1") this.adopt("modifyOtherKeys");
  }

  private adopt(protocol: "kitty" | "modifyOtherKeys"): void {
    this.keyProtocol = protocol;
    this.enable(modes[protocol]);
  }

  private install(): void {
    if (this.isInstalled) return;
    this.isInstalled = true;
    const { stdin, stdout } = this.options;
    stdin.on("data", this.onData);
    stdin.on("end", this.onGone);
    stdin.on("error", this.onGone);
    stdin.resume();
    stdin.ref?.();
    stdout.on("error", this.onGone);
    stdout.on("resize", this.onRealResize);
    process.on("exit", this.onExit);
    process.on("uncaughtExceptionMonitor", this.onExit);
    process.on("SIGTSTP", this.onStopSignal);
    process.on("SIGCONT", this.onContinue);
    for (const signal of Object.keys(endSignals)) process.on(signal, this.onEndSignal);
  }

  private uninstall(): void {
    if (!this.isInstalled) return;
    this.isInstalled = false;
    if (this.resizeTimer) clearTimeout(this.resizeTimer);
    if (this.continueTimer) clearTimeout(this.continueTimer);
    const { stdin, stdout } = this.options;
    stdin.off("data", this.onData);
    stdin.off("end", this.onGone);
    stdout.off("resize", this.onRealResize);
    process.off("exit", this.onExit);
    process.off("uncaughtExceptionMonitor", this.onExit);
    process.off("SIGTSTP", this.onStopSignal);
    process.off("SIGCONT", this.onContinue);
    for (const signal of Object.keys(endSignals)) process.off(signal, this.onEndSignal);
  }

  private readonly onData = (bytes: Buffer | string): void => {
    if (this.state === "inside") this.decoder.feed(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  };

  private readonly onExit = (): void => this.leave();

  private readonly onStopSignal = (): void => this.suspend();

  private readonly onContinue = (): void => {
    if (this.state !== "outside") this.takeBackSoon(CONTINUE_MS);
  };

  private readonly onEndSignal = (signal: NodeJS.Signals): void => this.end(signal as EndSignal);

  private readonly onGone = (): void => {
    this.isGone = true;
    this.end("gone");
  };

  private end(reason: EndReason): void {
    if (this.isEnding) return;
    this.isEnding = true;
    const code = reason === "gone" ? 129 : 128 + endSignals[reason];
    this.leave();
    if (this.endListeners.size === 0) process.exit(code);
    setTimeout(() => process.exit(code), END_GRACE_MS).unref();
    for (const listener of this.endListeners) listener(reason);
  }

  private readonly onRealResize = (): void => {
    if (this.resizeTimer) clearTimeout(this.resizeTimer);
    this.resizeTimer = setTimeout(() => {
      this.resizeTimer = null;
      this.takeSize();
    }, RESIZE_QUIET_MS);
  };

  private takeSize(): void {
    const size = this.realSize();
    if (size.columns === this.size.columns && size.rows === this.size.rows) return;
    this.size = size;
    for (const listener of this.resizeListeners) listener();
  }

  /** A terminal without a size (a bare serial line, a test) counts as 80 by 24. */
  private realSize(): { columns: number; rows: number } {
    const { columns, rows } = this.options.stdout;
    return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The owner of the terminal: raw mode, bracketed paste, key protocols, focus reports, size, suspension, and the promise
 * that every way out leaves the terminal as it was (tui rules 20, 28-30, 34). Loads neither Ink nor React: it comes first.
 */

import type { Environment } from "../../shared/env";
import type { InputEvent, ReplyEvent } from "../input/inputEvents";
import { DelayedCall } from "./delayedCall";
import { createInkInput, type InkInput } from "./inkStreams";
import { stopSelf } from "./jobControl";
import { type EndReason, exitCodeOf, Lifeline } from "./lifeline";
import { KEYBOARD_QUERY, type Mode, ModeLedger, modes } from "./modes";
import { SettledSize } from "./settledSize";
import { drainTerminalSync, writeAllSync } from "./syncIo";
import { TerminalInput } from "./terminalInput";

export type { EndReason } from "./lifeline";

export interface TerminalOptions {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream & { fd: number };
  env: Environment;
  /** Setting `escapeWaitMs`; default 50, over SSH 100 (tui rule 17). */
  escapeWaitMs?: number;
}

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
  /** The terminal is ours again after a suspension or a loan: everything must be drawn anew. */
  onResume(listener: () => void): () => void;
  /** A signal or a closed terminal. With a listener the process has 2 s to save and exit; without one it ends at once. */
  onEnd(listener: (reason: EndReason) => void): () => void;
  /** False when the terminal is gone or cannot take more at once. */
  write(text: string): boolean;
  readonly columns: number;
  readonly rows: number;
  readonly keyProtocol: KeyProtocol;
  /** What Ink is given to read from: a terminal that never says anything. */
  readonly inkStdin: InkInput;
}

/** How long late answers of the terminal are waited for before the shell gets it. */
const DRAIN_MS = 50;
/** How long an application may save after a signal (tui rule 30). */
const END_GRACE_MS = 2000;
/** After stopping ourselves: if no shell stopped us, we go on after this long. */
const NOT_STOPPED_MS = 100;
/** After going on: the shell gets a moment to hand the terminal over. */
const CONTINUE_MS = 10;

export function createTerminal(options: TerminalOptions): Terminal {
  return new ProcessTerminal(options);
}

class ProcessTerminal implements Terminal {
  readonly inkStdin = createInkInput();
  keyProtocol: KeyProtocol = "legacy";
  private readonly ledger = new ModeLedger();
  private readonly size: SettledSize;
  private readonly input: TerminalInput;
  private readonly lifeline = new Lifeline({
    onExit: () => this.leave(),
    onEnd: (reason) => this.end(reason),
    onStop: () => this.suspend(),
    onContinue: () => this.comeback.in(CONTINUE_MS),
  });
  private readonly resumeListeners = new Set<() => void>();
  private readonly endListeners = new Set<(reason: EndReason) => void>();
  /** `lent`: the modes are undone for a while, but the ledger knows them. */
  private state: "outside" | "inside" | "lent" = "outside";
  /** The other side is closed: nothing more can be written, nor need be. */
  private isGone = false;
  private isEnding = false;
  /** After a stop, signal and timer may both say that we go on. */
  private readonly comeback = new DelayedCall(() => this.takeBack());

  constructor(private readonly options: TerminalOptions) {
    this.size = new SettledSize(options.stdout);
    const isRemote = Boolean(options.env.SSH_CONNECTION || options.env.SSH_TTY);
    this.input = new TerminalInput({
      stdin: options.stdin,
      escapeWaitMs: options.escapeWaitMs ?? (isRemote ? 100 : 50),
      onReply: (reply) => this.learn(reply),
      onGone: () => this.onGone(),
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
    this.input.setRaw(true);
    this.enable(modes.paste);
    // What was typed while the program was being loaded was echoed just where the screen begins.
    if (this.input.takeTypedAhead()) this.write("\r\u001b[K");
    this.listen();
    this.enable(modes.cursor);
    this.enable(modes.focus);
    this.enable(modes.kittyAsked);
    this.write(KEYBOARD_QUERY);
  }

  leave(): void {
    if (this.state === "outside") return;
    if (this.state === "inside") this.giveBack();
    this.state = "outside";
    this.ledger.clear();
    this.keyProtocol = "legacy";
    this.unlisten();
  }

  suspend(): void {
    if (this.state !== "inside") return;
    this.giveBack();
    this.state = "lent";
    this.lifeline.ignoreStop(true);
    stopSelf();
    this.comeback.in(NOT_STOPPED_MS);
  }

  async lend<T>(callback: () => Promise<T> | T): Promise<T> {
    if (this.state !== "inside") return callback();
    this.input.lend(true);
    this.giveBack();
    this.state = "lent";
    try {
      return await callback();
    } finally {
      this.input.lend(false);
      this.takeBack();
    }
  }

  onInput(listener: (event: InputEvent) => void): () => void {
    return this.input.onInput(listener);
  }

  onResize(listener: () => void): () => void {
    return this.size.onChange(listener);
  }

  onResume(listener: () => void): () => void {
    return subscribe(this.resumeListeners, listener);
  }

  onEnd(listener: (reason: EndReason) => void): () => void {
    return subscribe(this.endListeners, listener);
  }

  write(text: string): boolean {
    return !this.isGone && this.options.stdout.write(text);
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
    this.input.setRaw(false);
  }

  /** Switches everything on again, after a stop, a loan, or a stop that nobody could see coming. */
  private takeBack(): void {
    if (this.state === "outside" || this.input.isLent) return;
    // Node believes in the mode that it set last; the shell may have changed it. Still in the background we are stopped here.
    this.input.setRaw(false);
    this.input.setRaw(true);
    this.lifeline.ignoreStop(false);
    // After a stop that could not be caught nothing was undone: undo first, so that nothing is switched on twice.
    this.write((this.state === "inside" ? this.ledger.undo : "") + this.ledger.onAgain);
    this.state = "inside";
    this.size.refresh();
    for (const listener of this.resumeListeners) listener();
  }

  /** Errors of stdout stay heard: what is written after the terminal is gone must not crash. */
  private listen(): void {
    const { stdout } = this.options;
    stdout.off("error", this.onGone);
    stdout.on("error", this.onGone);
    this.input.start();
    this.size.watch();
    this.lifeline.hold();
  }

  private unlisten(): void {
    this.comeback.cancel();
    this.lifeline.release();
    this.size.unwatch();
    this.input.stop();
  }

  private readonly onGone = (): void => {
    this.isGone = true;
    this.end("gone");
  };

  /** The answers to our keyboard query: kitty says its flags before DA1 ends the wait; all others get modifyOtherKeys. */
  private learn(reply: ReplyEvent): void {
    if (this.state !== "inside" || this.keyProtocol !== "legacy") return;
    if (reply.kind !== "kitty" && reply.kind !== "da1") return;
    this.keyProtocol = reply.kind === "kitty" ? "kitty" : "modifyOtherKeys";
    this.enable(modes[this.keyProtocol]);
  }

  private end(reason: EndReason): void {
    if (this.isEnding || this.state === "outside") return;
    // Keys that interrupt a program to which the terminal is lent are meant for that program.
    if (this.input.isLent && (reason === "SIGINT" || reason === "SIGQUIT")) return;
    this.isEnding = true;
    this.leave();
    const code = exitCodeOf(reason);
    if (this.endListeners.size === 0) process.exit(code);
    setTimeout(() => process.exit(code), END_GRACE_MS).unref();
    for (const listener of [...this.endListeners]) listener(reason);
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

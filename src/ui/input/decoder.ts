/** Bytes of stdin in, events out: UTF-8 and escape sequences over any split of the reads, pastes, bursts, terminal answers. */

import { BURST_MS, Burst } from "./burst";
import { type InputEvent, keyEvent, textEvent } from "./inputEvents";
import { eventOfControl, eventOfSequence } from "./keys";
import { PASTE_END, PASTE_START, PasteCollector } from "./pasteCollector";
import { type Scan, scanSequence } from "./sequences";

/** The part of the timer functions that the decoder needs; tests hand in a clock of their own. */
export interface Timers {
  setTimeout(callback: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface DecoderOptions {
  /** How long a lone ESC waits for the rest of a sequence, in milliseconds (tui rule 17). */
  escapeWaitMs: number;
  onEvent(event: InputEvent): void;
  timers?: Timers;
}

/** Longest life of a paste whose end mark is lost, and the silence that must then be seen, in milliseconds. */
const PASTE_CAP_MS = 30_000;
const PASTE_QUIET_MS = 200;
/** A sequence that has begun is given more time than a lone ESC: no key sends half of one. */
const PARTIAL_WAIT_MS = 300;

const realTimers: Timers = {
  setTimeout: (callback, milliseconds) => setTimeout(callback, milliseconds),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/**
 * Takes reads as they come. Which events come out depends on the bytes and on time, not on how the reads were cut; the
 * one thing a read decides is `alone`, and whether a return right behind a paste was pasted with it.
 */
export class InputDecoder {
  private readonly utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  private readonly burst = new Burst();
  private readonly timers: Timers;
  /** An unfinished sequence; begins with ESC. */
  private rest = "";
  /** The paste that is open, if one is. */
  private paste: PasteCollector | null = null;
  private pasteStartedInRead = false;
  private pasteFedLately = false;
  /** The events of the read at hand. */
  private read: InputEvent[] = [];
  /** No key, text or paste within the burst window. */
  private isQuiet = true;
  private restIsAlone = false;
  private waitTimer: unknown = null;
  private burstTimer: unknown = null;
  private pasteTimer: unknown = null;

  constructor(private readonly options: DecoderOptions) {
    this.timers = options.timers ?? realTimers;
  }

  /** Takes what one read of stdin gave. */
  feed(bytes: Uint8Array): void {
    this.clear("waitTimer");
    const hadRest = this.rest !== "";
    const wasAlone = this.restIsAlone;
    const text = this.rest + this.utf8.decode(bytes, { stream: true });
    this.rest = "";
    this.burst.startRead();
    this.pasteStartedInRead = false;
    this.consume(text);
    this.deliver(hadRest ? wasAlone : this.isQuiet);
  }

  /** Drops what is unfinished and stops every timer. */
  close(): void {
    for (const timer of ["waitTimer", "burstTimer", "pasteTimer"] as const) this.clear(timer);
    this.rest = "";
    this.paste = null;
  }

  private consume(text: string): void {
    let at = 0;
    while (at < text.length) {
      const next = this.paste ? this.takePaste(this.paste, text, at) : this.takeInput(text, at);
      if (next === null) return;
      at = next;
    }
  }

  private takePaste(paste: PasteCollector, text: string, at: number): number | null {
    this.pasteFedLately = true;
    const next = paste.take(text, at);
    if (next !== null) this.endPaste(paste, {});
    return next;
  }

  private takeInput(text: string, at: number): number | null {
    const char = text[at] ?? "";
    if (char === "\u001b") return this.takeEscape(text, at);
    if (char < " " || char === "\u007f") {
      this.push(eventOfControl(char));
      return at + 1;
    }
    return this.takeText(text, at);
  }

  private takeText(text: string, at: number): number {
    const end = nextControl(text, at);
    // C1 controls are nothing that a keyboard sends.
    const typed = text.slice(at, end).replace(/[\u0080-\u009f]/g, "");
    if (typed !== "") this.push(textEvent(typed));
    return end;
  }

  private takeEscape(text: string, at: number): number | null {
    const scan = scanSequence(text, at);
    if (!scan) {
      this.rest = text.slice(at);
      this.restIsAlone = this.read.length === 0 && this.isQuiet && !this.burst.holding;
      const wait = this.rest.length === 1 || this.rest === "\u001b\u001b" ? this.options.escapeWaitMs : PARTIAL_WAIT_MS;
      this.arm("waitTimer", wait, () => this.giveUpWaiting());
      return null;
    }
    if (isMark(scan, PASTE_START)) this.startPaste();
    else if (isMark(scan, PASTE_END)) this.append(this.burst.strayPasteEnd());
    else {
      const event = eventOfSequence(scan.sequence, scan.meta);
      if (event) this.push(event);
    }
    return scan.end;
  }

  /** The rest of a sequence never came: what could be a key is one, what cannot is dropped. */
  private giveUpWaiting(): void {
    this.waitTimer = null;
    const rest = this.rest;
    this.rest = "";
    this.burst.startRead();
    for (const event of eventsOfRest(rest)) this.push(event);
    this.deliver(this.restIsAlone);
  }

  private startPaste(): void {
    this.paste = new PasteCollector();
    this.pasteStartedInRead = true;
    this.arm("pasteTimer", PASTE_CAP_MS, () => this.capPaste());
  }

  /** After the cap the paste ends at its first pause: a slow, honest one is not torn, typing into a lost one is. */
  private capPaste(): void {
    const paste = this.paste;
    if (!paste) return;
    if (this.pasteFedLately) {
      this.pasteFedLately = false;
      this.arm("pasteTimer", PASTE_QUIET_MS, () => this.capPaste());
      return;
    }
    this.endPaste(paste, { unfinished: true });
    this.deliver(false);
  }

  private endPaste(paste: PasteCollector, state: { unfinished?: boolean }): void {
    this.clear("pasteTimer");
    this.paste = null;
    this.push({ type: "paste", text: paste.finish(), ...state });
    if (this.pasteStartedInRead) this.burst.notePasteInOneRead();
  }

  private push(event: InputEvent): void {
    this.append(this.burst.take(event));
  }

  /** Adds to the read; neighbouring text becomes one event. */
  private append(events: InputEvent[]): void {
    for (const event of events) {
      const last = this.read.at(-1);
      if (event.type === "text" && last?.type === "text")
        this.read[this.read.length - 1] = textEvent(last.text + event.text);
      else this.read.push(event);
    }
  }

  /** Gives the read's events out, marked alone if they are. */
  private deliver(wasQuiet: boolean): void {
    const events = this.read;
    this.read = [];
    const isOnly = events.length === 1 && this.rest === "" && !this.burst.holding && !this.paste;
    if (events.some((event) => event.type !== "reply" && event.type !== "focus") || this.burst.holding)
      this.extendBurst();
    for (const event of events) this.options.onEvent(isOnly && wasQuiet ? markAlone(event) : event);
  }

  /** Every key keeps the burst open; its timer closes it and gives out what it held. */
  private extendBurst(): void {
    this.isQuiet = false;
    this.arm("burstTimer", BURST_MS, () => {
      this.burstTimer = null;
      this.isQuiet = true;
      for (const event of this.burst.end()) this.options.onEvent(event);
    });
  }

  private arm(name: "waitTimer" | "burstTimer" | "pasteTimer", milliseconds: number, callback: () => void): void {
    this.clear(name);
    this[name] = this.timers.setTimeout(callback, milliseconds);
  }

  private clear(name: "waitTimer" | "burstTimer" | "pasteTimer"): void {
    if (this[name] !== null) this.timers.clearTimeout(this[name]);
    this[name] = null;
  }
}

function isMark(scan: Scan, number: string): boolean {
  const { sequence } = scan;
  return sequence.kind === "csi" && sequence.final === "~" && sequence.params === number && sequence.prefix === "";
}

const control = /[\u0000-\u001f\u007f]/g;

function nextControl(text: string, at: number): number {
  control.lastIndex = at;
  return control.exec(text)?.index ?? text.length;
}

/** What a begun sequence is when nothing follows: Escape, or Alt with the character that looked like an introducer. */
function eventsOfRest(rest: string): InputEvent[] {
  const escapes = rest.startsWith("\u001b\u001b") ? [keyEvent("escape")] : [];
  const tail = rest.slice(escapes.length + 1);
  if (tail === "") return [...escapes, keyEvent("escape")];
  return tail.length === 1
    ? [...escapes, keyEvent(tail.toLowerCase(), { alt: true, shift: tail !== tail.toLowerCase() })]
    : [];
}

function markAlone(event: InputEvent): InputEvent {
  if (event.type === "text") return { ...event, alone: [...event.text].length === 1 };
  return event.type === "key" ? { ...event, alone: true } : event;
}

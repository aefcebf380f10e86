/**
 * Tells a typed Enter from the line ends of a fast unbracketed paste (tui rule 19): a return right behind text is held
 * for the burst window. More text makes it a line break; silence makes it the Enter key; in a burst that already broke
 * a line it is a line break at once. So `one⏎two⏎` is never sent by halves, and `ok⏎` typed ahead is still sent.
 */

import { type InputEvent, keyEvent, textEvent } from "./inputEvents";

/** How long after text, in milliseconds, a return may still belong to it. No hand is as quick. */
export const BURST_MS = 30;

/** What was seen since the last silence. The decoder owns the timer and calls `end`. */
export class Burst {
  private sawText = false;
  private sawBreak = false;
  private isHolding = false;
  private lastWasReturn = false;
  /** A paste begun and ended in the present read: a return right behind it there was not typed. */
  private hasPasteInRead = false;

  /** True while a return waits for what comes next. */
  get holding(): boolean {
    return this.isHolding;
  }

  startRead(): void {
    this.hasPasteInRead = false;
  }

  /** Takes one event of a read; gives back what is now certain, in order. */
  take(event: InputEvent): InputEvent[] {
    if (event.type !== "key" || event.name !== "enter") this.hasPasteInRead = false;
    if (event.type === "text") return this.takeText(event.text);
    if (event.type === "paste") return this.takePaste(event);
    if (event.type === "key") return this.takeKey(event);
    return [event];
  }

  /** The paste just taken started in this read too: a machine wrote it, with the return right behind it. */
  notePasteInOneRead(): void {
    this.hasPasteInRead = true;
  }

  /** A stray end mark of a paste: what came since the first one was pasted, not typed. */
  strayPasteEnd(): InputEvent[] {
    return this.release("break");
  }

  /** The window has passed with nothing new in it. */
  end(): InputEvent[] {
    const released = this.release("enter");
    this.sawText = this.sawBreak = this.lastWasReturn = false;
    return released;
  }

  private takeText(text: string): InputEvent[] {
    const before = this.release("break");
    this.sawText = true;
    this.lastWasReturn = false;
    return [...before, textEvent(text)];
  }

  private takePaste(event: InputEvent): InputEvent[] {
    const before = this.release("break");
    this.sawText = true;
    this.lastWasReturn = false;
    return [...before, event];
  }

  private takeKey(event: InputEvent & { type: "key" }): InputEvent[] {
    const isPlain = !event.ctrl && !event.alt && !event.shift;
    if (event.name === "enter" && isPlain) return this.takeReturn(event);
    if (event.name === "j" && event.ctrl && this.lastWasReturn) return this.takeLineFeedOfPair();
    if (event.name === "tab" && isPlain && (this.sawBreak || this.isHolding)) return this.takeText("\t");
    const before = this.release("enter");
    this.lastWasReturn = false;
    return [...before, event];
  }

  /** The heart of it: typed alone a return is Enter; behind text it waits, or already belongs to the text. */
  private takeReturn(event: InputEvent): InputEvent[] {
    this.lastWasReturn = true;
    if (!this.sawText) return [event];
    if (this.isHolding) return [...this.release("break"), textEvent("\n")];
    if (this.sawBreak || this.hasPasteInRead) return [this.lineBreak()];
    this.isHolding = true;
    return [];
  }

  /** CR LF is one line end. */
  private takeLineFeedOfPair(): InputEvent[] {
    this.lastWasReturn = false;
    return this.release("break");
  }

  private release(as: "break" | "enter"): InputEvent[] {
    if (!this.isHolding) return [];
    this.isHolding = false;
    return [as === "break" ? this.lineBreak() : keyEvent("enter")];
  }

  private lineBreak(): InputEvent {
    this.sawBreak = true;
    return textEvent("\n");
  }
}

/**
 * Holds the screen's state and turns it into what Ink shows: printed rows, and the frame of the live region. Keys show at
 * once, events within 50 ms; one timer moves the spinner, and only while something works and nothing waits (tui rules 7, 14).
 */

import type { Paint } from "../render/color";
import { modelText } from "../render/sanitize";
import { wrapText } from "../render/width";
import type { Item } from "./state/items";
import type { Effect, ScreenState } from "./state/ScreenState";
import type { UiTexts } from "./state/texts";
import { type Action, update } from "./state/update";
import { buildFrame, type Frame } from "./view/frame";
import { itemRows, type RenderMarkdown } from "./view/items";
import type { Room } from "./view/room";

/** What Ink is given. `printed` only grows; each entry is a batch of rows that goes up in one piece. */
export interface Shot {
  printed: (readonly string[])[];
  frame: Frame;
}

export interface Look {
  texts: UiTexts;
  paint: Paint;
  color: boolean;
}

const SOON_MS = 50;
const BEAT_MS = 150;

export class ScreenStore {
  /** Effects that nobody carries out yet. */
  private waiting: Effect[] = [];
  private perform: (effect: Effect) => void = (effect) => this.waiting.push(effect);
  private markdown: RenderMarkdown = plainMarkdown;
  private printed: (readonly string[])[] = [];
  private lastKind: Item["kind"] | null = null;
  private beat = 0;
  private shot: Shot;
  private readonly listeners = new Set<() => void>();
  private soon: NodeJS.Timeout | null = null;
  private beats: NodeJS.Timeout | null = null;
  private isHeld = false;

  constructor(
    private current: ScreenState,
    private readonly look: Look,
    private readonly clock: () => number,
  ) {
    this.shot = { printed: [], frame: buildFrame(current, this.room()) };
  }

  get state(): ScreenState {
    return this.current;
  }

  get texts(): UiTexts {
    return this.look.texts;
  }

  /** Applies an action. `soon`: it may reach the screen up to 50 ms later, together with others. */
  dispatch(action: Action, pace: "now" | "soon" = "now"): void {
    const { state, print, effects } = update(this.current, action, this.clock());
    const hasChanged = state !== this.current || print.length > 0;
    this.current = state;
    if (print.length > 0) this.print(print);
    if (hasChanged) this.show(pace);
    for (const effect of effects) this.perform(effect);
  }

  /** From now on effects are carried out, those that waited first. */
  carryOut(perform: (effect: Effect) => void): void {
    this.perform = perform;
    for (const effect of this.waiting.splice(0)) perform(effect);
  }

  /** Prints items above the live region. */
  say(...items: Item[]): void {
    this.dispatch({ type: "printed", items });
  }

  adoptMarkdown(markdown: RenderMarkdown): void {
    this.markdown = markdown;
  }

  /** While held nothing reaches Ink: the terminal's size is changing. */
  hold(): void {
    this.isHeld = true;
  }

  /** The frame for another size, also while held; what is to be printed still waits. */
  reframe(size: ScreenState["size"]): void {
    this.current = update(this.current, { type: "resized", size }, this.clock()).state;
    this.publish(this.shot.printed);
  }

  release(): void {
    this.isHeld = false;
    this.show("now");
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): Shot => this.shot;

  /** Ends all timers. */
  close(): void {
    if (this.soon) clearTimeout(this.soon);
    if (this.beats) clearInterval(this.beats);
    this.soon = null;
    this.beats = null;
  }

  private print(items: readonly Item[]): void {
    const rows = items.flatMap((item) => {
      const made = itemRows(item, this.lastKind, { ...this.room(), markdown: this.markdown });
      this.lastKind = item.kind;
      return made;
    });
    this.printed = [...this.printed, rows];
  }

  private show(pace: "now" | "soon"): void {
    this.moveSpinner();
    if (pace === "soon") this.soon ??= setTimeout(() => this.show("now"), SOON_MS);
    else this.showNow();
  }

  private showNow(): void {
    if (this.soon) clearTimeout(this.soon);
    this.soon = null;
    if (this.isHeld) return;
    this.publish(this.printed);
  }

  private publish(printed: Shot["printed"]): void {
    this.shot = { printed, frame: buildFrame(this.current, this.room()) };
    for (const listener of this.listeners) listener();
  }

  private moveSpinner(): void {
    const isMoving = this.current.turn !== null && this.current.dialogs.length === 0 && this.current.phase !== "left";
    if (isMoving) {
      this.beats ??= setInterval(() => {
        this.beat++;
        this.showNow();
      }, BEAT_MS);
    } else if (this.beats) {
      clearInterval(this.beats);
      this.beats = null;
    }
  }

  private room(): Room {
    return { ...this.look, width: Math.max(1, this.current.size.columns - 1), now: this.clock(), beat: this.beat };
  }
}

/** Until the real one is loaded: the text as it was written. */
const plainMarkdown: RenderMarkdown = {
  text: (markdown, width) => wrapText(modelText(markdown), width),
  block: ({ raw }, width) => wrapText(modelText(raw.replace(/^\n+|\n+$/g, "")), width),
};

/** The terminal modes that we switch on: the bytes for on and off, and a ledger that can always undo what was done. */

/** One mode. Undoing it twice, or on a terminal that never knew it, does no harm. */
export interface Mode {
  name: "kitty" | "modifyOtherKeys" | "paste" | "focus" | "cursor";
  on: string;
  off: string;
}

export const modes = {
  /** Flag 1 only: escape codes disambiguated, no release events (tui rule 20). */
  kitty: { name: "kitty", on: "\u001b[>1u", off: "\u001b[<u" },
  /** Asked for, not yet answered: whatever comes late is popped at the end; a terminal without the protocol ignores it. */
  kittyAsked: { name: "kitty", on: "", off: "\u001b[<u" },
  /** Level 1: keys with modifiers that had no code of their own, Shift-Enter among them; Ctrl-C stays what it was. */
  modifyOtherKeys: { name: "modifyOtherKeys", on: "\u001b[>4;1m", off: "\u001b[>4;0m" },
  /** Pastes come between marks, so that their line ends are no Enter keys. */
  paste: { name: "paste", on: "\u001b[?2004h", off: "\u001b[?2004l" },
  /** The terminal says when it gets and loses the focus: who looks on needs no bell. */
  focus: { name: "focus", on: "\u001b[?1004h", off: "\u001b[?1004l" },
  /** Whoever draws hides the cursor; we only promise that it is seen again. */
  cursor: { name: "cursor", on: "", off: "\u001b[?25h" },
} as const satisfies Record<string, Mode>;

/** Asks for the keyboard protocol; every terminal answers DA1, so its answer ends the wait. */
export const KEYBOARD_QUERY = "\u001b[?u\u001b[c";

/** The order in which they are undone (tui rule 28). */
const order: readonly Mode["name"][] = ["kitty", "modifyOtherKeys", "paste", "focus", "cursor"];

/** What has been switched on, in one place, so that nothing is forgotten on any way out. */
export class ModeLedger {
  private readonly active = new Map<Mode["name"], Mode>();

  /** Notes a mode as on; gives the bytes that switch it on, nothing if it is on already. */
  enable(mode: Mode): string {
    if (this.active.get(mode.name) === mode) return "";
    this.active.set(mode.name, mode);
    return mode.on;
  }

  /** The bytes that switch everything on again after the terminal was somebody else's. */
  get onAgain(): string {
    return this.collect("on");
  }

  /** The bytes that undo everything, in order. The ledger keeps its entries, for a return. */
  get undo(): string {
    return this.collect("off");
  }

  /** Forgets all modes: they are undone. */
  clear(): void {
    this.active.clear();
  }

  private collect(side: "on" | "off"): string {
    return order.map((name) => this.active.get(name)?.[side] ?? "").join("");
  }
}

/** The words in which the keyboard speaks to the screen: what one read of stdin means, once decoded. */

/** Keys that have a name of their own. */
export type NamedKey =
  | "enter"
  | "escape"
  | "tab"
  | "backspace"
  | "delete"
  | "insert"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "pageup"
  | "pagedown";

/** A named key, a function key (`f1` …), or one lower-case character for Ctrl and Alt combinations. */
export type KeyName = NamedKey | (string & Record<never, never>);

/** One key press. `alone`: the only event of its read, with no other within the burst window before it. */
export interface KeyEvent {
  type: "key";
  name: KeyName;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  alone: boolean;
}

/** Typed characters; a fast unbracketed paste comes as text too, with its line breaks as `\n` and `alone` false. */
export interface TextEvent {
  type: "text";
  text: string;
  alone: boolean;
}

/** A bracketed paste, cleaned: LF line ends, no control sequences. `unfinished`: its end mark never came. */
export interface PasteEvent {
  type: "paste";
  text: string;
  unfinished?: boolean;
}

export interface FocusEvent {
  type: "focus";
  focused: boolean;
}

/** What the terminal answers to a query (`osc` carries the body, `da1` and the like the parameters). */
export interface ReplyEvent {
  type: "reply";
  kind: "da1" | "da2" | "kitty" | "cpr" | "dsr" | "mode" | "window" | "osc" | "dcs" | "apc";
  value: string;
}

export type InputEvent = TextEvent | KeyEvent | PasteEvent | FocusEvent | ReplyEvent;

/** The modifiers of a key press; all off unless named. */
export type Modifiers = Partial<Pick<KeyEvent, "ctrl" | "alt" | "shift">>;

export function keyEvent(name: KeyName, modifiers: Modifiers = {}): KeyEvent {
  return { type: "key", name, ctrl: false, alt: false, shift: false, ...modifiers, alone: false };
}

export function textEvent(text: string): TextEvent {
  return { type: "text", text, alone: false };
}

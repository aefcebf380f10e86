/** Turns one escape sequence into the event it stands for; a sequence that means nothing to us becomes no event at all. */

import { type InputEvent, type KeyName, keyEvent, type ReplyEvent, textEvent } from "./inputEvents";
import type { CsiSequence, Sequence } from "./sequences";
import { eventOfCode, eventOfUnicodeKey, parseModifiers } from "./unicodeKeys";

/** The event of a sequence, or null for what is to be swallowed. `meta`: an extra ESC stood in front of it. */
export function eventOfSequence(sequence: Sequence, meta: boolean): InputEvent | null {
  switch (sequence.kind) {
    case "escape":
      return keyEvent("escape");
    case "alt":
      return eventOfAlt(sequence.char);
    case "ss3":
      return eventOfSs3(sequence.final, sequence.params, meta);
    case "csi":
      return eventOfCsi(sequence, meta);
    case "string":
      return eventOfString(sequence.introducer, sequence.body);
    case "broken":
      return null;
  }
}

/** A C0 control, DEL included, as the key that sends it. */
export function eventOfControl(char: string): InputEvent {
  const code = char.charCodeAt(0);
  if (code === 0x0d) return keyEvent("enter");
  if (code === 0x09) return keyEvent("tab");
  if (code === 0x7f || code === 0x08) return keyEvent("backspace");
  if (code === 0) return keyEvent(" ", { ctrl: true });
  return keyEvent(String.fromCharCode(code + 0x40).toLowerCase(), { ctrl: true });
}

/** ESC and one character: Alt with that key, a control with its own name. */
function eventOfAlt(char: string): InputEvent | null {
  const code = char.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return withAlt(eventOfControl(char));
  if (code >= 0x80 && code < 0xa0) return null;
  const name = char.toLowerCase();
  return keyEvent(name, { alt: true, shift: name !== char });
}

function withAlt(event: InputEvent): InputEvent {
  return event.type === "key" ? { ...event, alt: true } : event;
}

/** Answers first: some end in the same letter as a key. A private prefix or an intermediate is never a key. */
function eventOfCsi(sequence: CsiSequence, meta: boolean): InputEvent | null {
  const { prefix, params, intermediate, final } = sequence;
  const reply = replyOf(sequence);
  if (reply) return reply;
  if (prefix !== "" || intermediate !== "") return null;
  if (params === "" && (final === "I" || final === "O")) return { type: "focus", focused: final === "I" };
  if (final === "u") return eventOfUnicodeKey(params, meta);
  if (final === "~" || final === "$" || final === "^" || final === "@") return eventOfNumber(params, final, meta);
  return eventOfLetter(final, params, meta);
}

/** Answers to queries, by prefix, intermediate and final character. */
function replyOf({ prefix, params, intermediate, final }: CsiSequence): ReplyEvent | null {
  const shape = prefix + intermediate + final;
  const kind = replyKinds[shape];
  if (kind) return { type: "reply", kind, value: params };
  if (shape === "R" && /^\d+;\d+$/.test(params) && !params.startsWith("1;"))
    return { type: "reply", kind: "cpr", value: params };
  return null;
}

const replyKinds: Record<string, ReplyEvent["kind"]> = {
  "?c": "da1",
  ">c": "da2",
  "?u": "kitty",
  "?R": "cpr",
  n: "dsr",
  "?n": "dsr",
  $y: "mode",
  "?$y": "mode",
  t: "window",
};

/** Control strings only ever come as answers. */
function eventOfString(introducer: string, value: string): InputEvent {
  const kind = introducer === "]" ? "osc" : introducer === "P" ? "dcs" : "apc";
  return { type: "reply", kind, value };
}

const letterKeys: Record<string, KeyName> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  // rxvt: an arrow with Shift (CSI) or Ctrl (SS3).
  a: "up",
  b: "down",
  c: "right",
  d: "left",
};

function eventOfLetter(final: string, params: string, meta: boolean): InputEvent | null {
  if (final === "Z") return keyEvent("tab", { shift: true, alt: meta });
  const name = letterKeys[final];
  if (!name) return null;
  const { modifiers, released } = parseModifiers(lastField(params));
  if (final >= "a") modifiers.shift = true;
  if (meta) modifiers.alt = true;
  return released ? null : keyEvent(name, modifiers);
}

function eventOfSs3(final: string, params: string, meta: boolean): InputEvent | null {
  const event = eventOfLetter(final, params, meta);
  if (event?.type === "key" && final >= "a") return { ...event, ctrl: true, shift: false };
  return event ?? eventOfKeypad(final);
}

/** `CSI 1 ; 5 A` carries the modifiers last; `SS3 5 A` of old terminals carries them alone. */
function lastField(params: string): string {
  const fields = params.split(";");
  const last = fields.at(-1) ?? "";
  return fields.length === 1 && last === "1" ? "" : last;
}

/** `CSI number ~`: the VT220's editing and function keys, with the gaps that its keyboard had. */
const numberKeys: Record<string, KeyName> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

function eventOfNumber(params: string, final: string, meta: boolean): InputEvent | null {
  const [number = "", field = "", code = ""] = params.split(";");
  const { modifiers, released } = parseModifiers(field);
  if (released) return null;
  if (meta) modifiers.alt = true;
  if (number === "27" && code !== "") return eventOfCode(Number(code), modifiers, "");
  if (final === "$" || final === "@") modifiers.shift = true;
  if (final === "^" || final === "@") modifiers.ctrl = true;
  const name = numberKeys[number];
  return name ? keyEvent(name, modifiers) : null;
}

/** The keypad in application mode, which some program before us may have left on. */
function eventOfKeypad(final: string): InputEvent | null {
  if (final === "M") return keyEvent("enter");
  const char = "*+,-./0123456789"["jklmnopqrstuvwxy".indexOf(final)];
  return char === undefined ? null : textEvent(char);
}

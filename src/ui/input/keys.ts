/** Turns one escape sequence into the event it stands for; a sequence that means nothing to us becomes no event at all. */

import { type InputEvent, type KeyName, keyEvent, type Modifiers, type ReplyEvent, textEvent } from "./inputEvents";
import type { CsiSequence, Sequence } from "./sequences";

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

/** `CSI code:shifted:base ; modifiers:event ; text u` of the kitty protocol and of fixterms. */
function eventOfUnicodeKey(params: string, meta: boolean): InputEvent | null {
  const [codes = "", field = "", texts = ""] = params.split(";");
  const { modifiers, released, beyond } = parseModifiers(field);
  // A key held with Super or Hyper belongs to the desktop; as text it would surprise.
  if (released || beyond) return null;
  if (meta) modifiers.alt = true;
  const [code, shifted] = codes.split(":").map(Number);
  const text =
    texts === ""
      ? ""
      : texts
          .split(":")
          .map((part) => charOf(Number(part)))
          .join("");
  return eventOfCode(code ?? 0, modifiers, text || (modifiers.shift && shifted ? charOf(shifted) : ""));
}

interface ParsedModifiers {
  modifiers: Modifiers;
  released: boolean;
  beyond: boolean;
}

function parseModifiers(field: string): ParsedModifiers {
  const [bitsText = "", event = ""] = field.split(":");
  const bits = Math.max(0, Number(bitsText || "1") - 1) || 0;
  const modifiers = { shift: (bits & 1) !== 0, alt: (bits & (2 | 32)) !== 0, ctrl: (bits & 4) !== 0 };
  return { modifiers, released: event === "3", beyond: (bits & (8 | 16)) !== 0 };
}

/** A key given by its Unicode number, brought to the names that the old encodings use for the same key. */
function eventOfCode(code: number, modifiers: Modifiers, text: string): InputEvent | null {
  const named = codeKeys[code];
  if (named) return keyEvent(named, modifiers);
  if (code >= 57_344 && code <= 63_743) return eventOfFunctional(code, modifiers);
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return null;
  const char = charOf(code);
  if (!modifiers.ctrl && !modifiers.alt)
    return char === "" ? null : textEvent(text || (modifiers.shift ? char.toUpperCase() : char));
  return keyEvent(...legacyName(char.toLowerCase(), modifiers));
}

const codeKeys: Record<number, KeyName> = { 8: "backspace", 9: "tab", 13: "enter", 27: "escape", 127: "backspace" };

/** Ctrl with some keys has always been another key; programs and fingers know it as that. */
function legacyName(char: string, modifiers: Modifiers): [KeyName, Modifiers] {
  const plain = { ...modifiers, ctrl: false, shift: false };
  if (!modifiers.ctrl) return [char, modifiers];
  if (char === "[") return ["escape", plain];
  if (char === "m") return ["enter", plain];
  if (char === "i") return ["tab", plain];
  if (char === "h") return ["backspace", plain];
  if (char === "/" || (char === "-" && modifiers.shift)) return ["_", { ...modifiers, shift: false }];
  return [char, modifiers];
}

/** The keypad in the kitty protocol's private range, as far as it types or moves; other keys there (media, locks) are none of ours. */
function eventOfFunctional(code: number, modifiers: Modifiers): InputEvent | null {
  if (code >= 57_399 && code <= 57_413) {
    const char = "0123456789./*-+"[code - 57_399] ?? "";
    return modifiers.ctrl || modifiers.alt ? keyEvent(char, modifiers) : textEvent(char);
  }
  const name = keypadKeys[code - 57_414];
  return name ? keyEvent(name, modifiers) : null;
}

const keypadKeys: readonly (KeyName | undefined)[] = [
  "enter",
  undefined,
  undefined,
  "left",
  "right",
  "up",
  "down",
  "pageup",
  "pagedown",
  "home",
  "end",
  "insert",
  "delete",
];

/** The keypad in application mode, which some program before us may have left on. */
function eventOfKeypad(final: string): InputEvent | null {
  if (final === "M") return keyEvent("enter");
  const char = "*+,-./0123456789"["jklmnopqrstuvwxy".indexOf(final)];
  return char === undefined ? null : textEvent(char);
}

function charOf(code: number): string {
  const isScalar = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isScalar ? String.fromCodePoint(code) : "";
}

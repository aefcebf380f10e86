/** Keys that are given by their Unicode number: the kitty keyboard protocol, fixterms and xterm's modifyOtherKeys. */

import { type InputEvent, type KeyName, keyEvent, type Modifiers, textEvent } from "./inputEvents";

/** `CSI code:shifted:base ; modifiers:event ; text u` of the kitty protocol and of fixterms. */
export function eventOfUnicodeKey(params: string, meta: boolean): InputEvent | null {
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

export interface ParsedModifiers {
  modifiers: Modifiers;
  released: boolean;
  beyond: boolean;
}

export function parseModifiers(field: string): ParsedModifiers {
  const [bitsText = "", event = ""] = field.split(":");
  const bits = Math.max(0, Number(bitsText || "1") - 1) || 0;
  const modifiers = { shift: (bits & 1) !== 0, alt: (bits & (2 | 32)) !== 0, ctrl: (bits & 4) !== 0 };
  return { modifiers, released: event === "3", beyond: (bits & (8 | 16)) !== 0 };
}

/** A key given by its Unicode number, brought to the names that the old encodings use for the same key. */
export function eventOfCode(code: number, modifiers: Modifiers, text: string): InputEvent | null {
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

function charOf(code: number): string {
  const isScalar = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isScalar ? String.fromCodePoint(code) : "";
}

/** Cuts one escape sequence out of the characters that a terminal sent, by the grammar of ECMA-48 and its relatives. */

const ESC = "\u001b";

/** A control sequence as it stood: `prefix` is one of `<=>?` or empty. */
export interface CsiSequence {
  kind: "csi";
  prefix: string;
  params: string;
  intermediate: string;
  final: string;
}

export type Sequence =
  | CsiSequence
  | { kind: "ss3"; params: string; final: string }
  | { kind: "string"; introducer: string; body: string }
  | { kind: "alt"; char: string }
  | { kind: "escape" }
  | { kind: "broken" };

/** One sequence and where the text goes on. `meta`: a second ESC stood in front (Alt with a function key). */
export interface Scan {
  sequence: Sequence;
  end: number;
  meta: boolean;
}

/** A control string longer than this is no answer to anything we asked. */
const MAX_STRING = 65_536;

/**
 * The sequence that begins with the ESC at `at`, or null while the text ends inside it.
 * What can be a key together with Alt is taken as an introducer only if the next character fits a real one.
 */
export function scanSequence(text: string, at: number): Scan | null {
  const second = text[at + 1];
  if (second === undefined) return null;
  if (second === ESC) return scanDoubleEscape(text, at);
  const found = scanAfterEscape(text, at + 1);
  return found && { ...found, meta: false };
}

/** ESC ESC: Escape twice, or Alt with a key that itself is a sequence. */
function scanDoubleEscape(text: string, at: number): Scan | null {
  const third = text[at + 2];
  if (third === undefined) return null;
  if (third !== "[" && third !== "O") return { sequence: { kind: "escape" }, end: at + 1, meta: false };
  const found = scanAfterEscape(text, at + 2);
  return found && { ...found, meta: true };
}

type Found = Omit<Scan, "meta"> | null;

function scanAfterEscape(text: string, at: number): Found {
  const opener = text[at];
  if (opener === "[") return scanCsi(text, at + 1);
  if (opener === "O") return scanSs3(text, at + 1);
  const body = stringOpeners[opener ?? ""];
  if (body) {
    const next = text[at + 1];
    if (next === undefined) return null;
    if (body.test(next)) return scanString(text, at);
  }
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { sequence: { kind: "alt", char }, end: at + char.length };
}

/** What the first character of a control string looks like in answers of terminals. */
const stringOpeners: Record<string, RegExp> = { "]": /[0-9]/, P: /[0-9>!=?<;$+|]/, _: /G/ };

const csiShape = /([<=>?]?)([0-9;:]*)([ -/]*)/y;

function scanCsi(text: string, at: number): Found {
  csiShape.lastIndex = at;
  const match = csiShape.exec(text);
  const [shape = "", prefix = "", params = "", intermediate = ""] = match ?? [];
  const end = at + shape.length;
  // rxvt writes Shift with an editing key as `CSI 3 $`, where the standard would wait for one more character.
  if (intermediate === "$" && prefix === "" && /^\d+$/.test(params)) return csi({ params, final: "$" }, end);
  const final = text[end];
  if (final === undefined) return null;
  if (final < "@" || final > "~") return { sequence: { kind: "broken" }, end };
  if (shape === "" && final === "[") return scanLinuxFunctionKey(text, end + 1);
  if (shape === "" && final === "M") return scanOldMouse(text, end + 1);
  return csi({ prefix, params, intermediate, final }, end + 1);
}

function csi(parts: Partial<CsiSequence> & { final: string }, end: number): Found {
  return { sequence: { kind: "csi", prefix: "", params: "", intermediate: "", ...parts }, end };
}

/** The Linux console sends F1 to F5 as `CSI [ A` to `CSI [ E`. */
function scanLinuxFunctionKey(text: string, at: number): Found {
  const letter = text[at];
  if (letter === undefined) return null;
  if (letter < "A" || letter > "E") return { sequence: { kind: "broken" }, end: at };
  return csi({ params: String(11 + letter.charCodeAt(0) - 65), final: "~" }, at + 1);
}

/** The mouse report of X10 carries three characters of its own, which must not be typed. */
function scanOldMouse(text: string, at: number): Found {
  return text.length < at + 3 ? null : { sequence: { kind: "broken" }, end: at + 3 };
}

const ss3Shape = /[0-9]*/y;

function scanSs3(text: string, at: number): Found {
  ss3Shape.lastIndex = at;
  const params = ss3Shape.exec(text)?.[0] ?? "";
  const end = at + params.length;
  const final = text[end];
  if (final === undefined) return null;
  if (final < "@" || final > "~") return { sequence: { kind: "broken" }, end };
  return { sequence: { kind: "ss3", params, final }, end: end + 1 };
}

/** Ends at BEL or ST; CAN, SUB and any other ESC break it off. */
function scanString(text: string, at: number): Found {
  const introducer = text[at] ?? "";
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i];
    if (char === "\u0007" || char === "\u009c") return controlString(introducer, text.slice(at + 1, i), i + 1);
    if (char === "\u0018" || char === "\u001a") return { sequence: { kind: "broken" }, end: i + 1 };
    if (char !== ESC) continue;
    const next = text[i + 1];
    if (next === undefined) return null;
    if (next === "\\") return controlString(introducer, text.slice(at + 1, i), i + 2);
    return { sequence: { kind: "broken" }, end: i };
  }
  return text.length - at > MAX_STRING ? { sequence: { kind: "broken" }, end: text.length } : null;
}

function controlString(introducer: string, body: string, end: number): Found {
  return { sequence: { kind: "string", introducer, body }, end };
}

/** A line of terminal text as a list of graphemes, each with its columns, style and link: what cutting and wrapping work on. */

import stringWidth from "string-width";
import { applySgr, plainStyle, type Style } from "./sgr";

/** One grapheme. `style` is shared by neighbours that look the same, so it may be compared by identity first. */
export interface Atom {
  text: string;
  width: number;
  style: Style;
  link: string;
}

/** Made at the first text that needs it: making one costs tens of milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/** Characters that stand alone as a grapheme when all their neighbours are of this set too. */
const simple =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u259f\u3000-\u303e\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

/** Graphemes of a text without escape sequences. */
export function graphemes(text: string): string[] {
  if (simple.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Columns of one grapheme. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && simple.test(grapheme)) return isWide(grapheme.charCodeAt(0)) ? 2 : 1;
  return stringWidth(grapheme);
}

/** Only right for the characters of the simple set. */
function isWide(code: number): boolean {
  return code >= 0x3000;
}

/** What may stand in our own text: SGR, OSC 8, and whatever else is to be dropped. */
const sequence =
  /\u001b\[([0-9;:]*)m|\u001b\]8;[^;\u0007\u001b]*;([^\u0007\u001b]*)(?:\u0007|\u001b\\)|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]?|\u001b[^[\]]?|[\u0000-\u001f\u007f-\u009f]/g;

/** The graphemes of one line; control characters and foreign sequences are left out. */
export function atomsOf(line: string): Atom[] {
  const atoms: Atom[] = [];
  let style = plainStyle;
  let link = "";
  let at = 0;
  sequence.lastIndex = 0;
  for (let match = sequence.exec(line); match; match = sequence.exec(line)) {
    addRun(atoms, line.slice(at, match.index), { style, link });
    at = match.index + match[0].length;
    if (match[1] !== undefined) style = applySgr(style, match[1]);
    else if (match[2] !== undefined) link = match[2];
  }
  addRun(atoms, at === 0 ? line : line.slice(at), { style, link });
  return atoms;
}

function addRun(atoms: Atom[], text: string, look: { style: Style; link: string }): void {
  if (text === "") return;
  for (const grapheme of graphemes(text)) atoms.push({ text: grapheme, width: graphemeWidth(grapheme), ...look });
}

/** The text without any escape sequence or control character; line ends and tabs stay. */
export function stripSequences(text: string): string {
  return text.includes("\u001b")
    ? text.replace(sequence, (found) => (found === "\n" || found === "\t" ? found : ""))
    : text;
}

/** A line of terminal text as a list of graphemes, each with its columns, style and link: what cutting and wrapping work on. */

import { graphemes, graphemeWidth } from "./graphemes";
import { applySgr, plainStyle, type Style } from "./sgr";

/** One grapheme. `style` is shared by neighbours that look the same, so it may be compared by identity first. */
export interface Atom {
  text: string;
  width: number;
  style: Style;
  link: string;
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

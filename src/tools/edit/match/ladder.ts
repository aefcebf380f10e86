/** Where the text to replace stands in a file: seven rungs from exact to forgiving, the first that matches decides. */

import type { LineRung } from "../text/LineTable";
import { createFinder } from "../text/sequence";
import type { Splice } from "../text/splices";
import { type TextModel, withEnding } from "../text/TextModel";
import { isBlank } from "./indent";
import { stripLineNumbers } from "./lineNumbers";
import { reindent } from "./reindent";

export type Rung = LineRung | "numbers" | "escapes";

/** The places found, at least one, apart from each other. Their `text` is still LF; offsets are raw. */
export interface Found {
  rung: Rung;
  /** Blank lines around the old text were left out on top of `rung`. */
  isTrimmed?: boolean;
  matches: Splice[];
  /** The text fits more than one place. Of places that overlap only the first is among `matches`. */
  isAmbiguous: boolean;
}

/** What is looked for and what shall stand there, both with LF. */
export interface Replacement {
  old: string;
  text: string;
}

const MAX_MATCHES = 1_000_000;

/** Tries the rungs in order. `wanted.old` is not empty. */
export function findPlaces(model: TextModel, wanted: Replacement): Found | null {
  return (
    findExact(model, wanted, "exact") ??
    findNumbered(model, wanted) ??
    findLines(model, linesOf(wanted), ["trailing", "unicode", "indent"]) ??
    findWithoutOuterBlanks(model, wanted) ??
    findUnescaped(model, wanted)
  );
}

function findExact(model: TextModel, { old, text }: Replacement, rung: Rung): Found | null {
  const plain = rawForm(model, old);
  const [hay, needle] = plain === null ? [model.lf, old] : [model.raw, plain];
  const raw = (offset: number) => (plain === null ? model.rawOffset(offset) : offset);
  const find = createFinder(needle);
  const first = find(hay, 0);
  if (first === -1) return null;
  const matches: Splice[] = [];
  for (let at = first; at !== -1 && matches.length < MAX_MATCHES; at = find(hay, at + needle.length)) {
    matches.push(withWholeLine(model, { start: raw(at), end: raw(at + needle.length), text }, old));
  }
  const isAmbiguous = matches.length > 1 || find(hay, first + 1) !== -1;
  return { rung, matches, isAmbiguous };
}

/** The form in which a text can be sought in the raw text, which spares a copy of a huge file; null: there is none. */
function rawForm(model: TextModel, old: string): string | null {
  if (!/[\r\n]/.test(old)) return old;
  return model.isPureCrlf && !old.includes("\r") ? withEnding(old, "\r\n") : null;
}

/** Deleting whole lines takes their last line end too, so that no blank line is left. */
function withWholeLine(model: TextModel, match: Splice, old: string): Splice {
  const { raw } = model;
  if (match.text !== "" || old.endsWith("\n")) return match;
  if (!isLineStart(model, match.start)) return match;
  if (raw[match.end] === "\n") return { ...match, end: match.end + 1 };
  return raw.startsWith("\r\n", match.end) ? { ...match, end: match.end + 2 } : match;
}

function isLineStart({ raw }: TextModel, offset: number): boolean {
  return offset === 0 || raw[offset - 1] === "\n";
}

/** A number stood in front of a line, so what follows it begins one: elsewhere it is another text. */
function findNumbered(model: TextModel, wanted: Replacement): Found | null {
  const stripped = stripLineNumbers(wanted);
  const found = stripped && stripped.old !== "" ? findExact(model, stripped, "numbers") : null;
  const matches = found?.matches.filter((match) => isLineStart(model, match.start)) ?? [];
  return found && matches.length > 0 ? { ...found, matches, isAmbiguous: matches.length > 1 } : null;
}

/** Whole lines on both sides. A final line end of the old text is dropped together with that of the new one. */
interface LineReplacement {
  old: string[];
  text: string[];
}

function linesOf({ old, text }: Replacement): LineReplacement {
  const bareOld = old.endsWith("\n") ? old.slice(0, -1) : old;
  const bareText = old.endsWith("\n") && text.endsWith("\n") ? text.slice(0, -1) : text;
  return { old: bareOld.split("\n"), text: text === "" ? [] : bareText.split("\n") };
}

function findLines(model: TextModel, wanted: LineReplacement, rungs: readonly LineRung[]): Found | null {
  if (wanted.old.every(isBlank)) return null;
  for (const rung of rungs) {
    const starts = model.lines.findBlock(wanted.old, rung);
    const matches = starts.flatMap((start) => lineMatch(model, wanted, { rung, start }));
    if (matches.length > 0) return { rung, ...apart(matches) };
  }
  return null;
}

function apart(matches: readonly Splice[]): Pick<Found, "matches" | "isAmbiguous"> {
  const kept: Splice[] = [];
  for (const match of matches) if (match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  return { matches: kept, isAmbiguous: matches.length > 1 };
}

function lineMatch(
  model: TextModel,
  wanted: LineReplacement,
  { rung, start }: { rung: LineRung; start: number },
): Splice[] {
  const { lines } = model;
  const next = start + wanted.old.length;
  const text = rung === "indent" ? reindented(model, wanted, start) : wanted.text;
  if (text === null) return [];
  const isDeletion = text.length === 0;
  return [
    {
      start: lines.start(start),
      end: isDeletion ? lines.start(next) : lines.contentEnd(next - 1),
      text: text.join("\n"),
    },
  ];
}

function reindented(model: TextModel, wanted: LineReplacement, start: number): string[] | null {
  const whole = model.lines.texts;
  return reindent(wanted.text, { quoted: wanted.old, file: whole.slice(start, start + wanted.old.length), whole });
}

function findWithoutOuterBlanks(model: TextModel, wanted: Replacement): Found | null {
  const { old, text } = linesOf(wanted);
  const head = old.findIndex((line) => !isBlank(line));
  const tail = [...old].reverse().findIndex((line) => !isBlank(line));
  if (head === -1 || head + tail === 0) return null;
  const steps = trimSteps(head, tail).map(([top, bottom]) => {
    return { old: old.slice(top, old.length - bottom), text: withoutBlanks(text, top, bottom) };
  });
  // Blank lines say less than all else: a likeness is only forgiven where no way to trim does without.
  for (const rung of ["trailing", "unicode", "indent"] as const) {
    for (const bare of steps) {
      const found = findLines(model, bare, [rung]);
      if (found) return { ...found, isTrimmed: true };
    }
  }
  return null;
}

const MAX_TRIM_STEPS = 4;

/** As few lines as will do: some of the blank ones may be the file's own. */
function trimSteps(head: number, tail: number): [number, number][] {
  const steps: [number, number][] = [];
  for (let top = 0; top <= Math.min(head, MAX_TRIM_STEPS); top++) {
    for (let bottom = 0; bottom <= Math.min(tail, MAX_TRIM_STEPS); bottom++) steps.push([top, bottom]);
  }
  steps.sort((a, b) => a[0] + a[1] - b[0] - b[1]);
  return [...steps.slice(1), [head, tail]];
}

/** As many blank lines as were taken from the old text, at most. */
function withoutBlanks(lines: readonly string[], head: number, tail: number): string[] {
  let start = 0;
  let end = lines.length;
  while (start < head && start < end && isBlank(lines[start] ?? "")) start++;
  for (let taken = 0; taken < tail && end > start && isBlank(lines[end - 1] ?? ""); taken++) end--;
  return lines.slice(start, end);
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t" };

function findUnescaped(model: TextModel, { old, text }: Replacement): Found | null {
  const undo = (escaped: string) => escaped.replace(/\\([nt"'`\\])/g, (_all, char: string) => ESCAPES[char] ?? char);
  const undone = undo(old);
  return undone === old ? null : findExact(model, { old: undone, text: undo(text) }, "escapes");
}

/** replace_in_file without the disk: edits in, splices out, or a refusal that lets the next try succeed. */

import { composeSplices } from "../text/composeSplices";
import { lineList, lineRange } from "../text/excerpt";
import { applySplices, type Splice, spliceOfLf } from "../text/splices";
import { type EndingCounts, TextModel, toLf } from "../text/TextModel";
import { closestText } from "./closest";
import { type Found, findPlaces, type Replacement, type Rung } from "./ladder";
import { findPlaceholder, placeholderText } from "./placeholder";
import { EditRefused } from "./refusal";

export interface Edit {
  old: string;
  text: string;
  replaceAll: boolean;
}

export interface Replaced {
  /** Sorted, apart, on the raw text as it was. */
  splices: Splice[];
  /** One for each edit that did not match exactly. */
  notes: string[];
}

/**
 * Applies edits in order, each to the result of the one before. Throws `EditRefused`, naming the edit, when any of
 * them cannot be made; `path` is only for the message. `outside`: see TextModel.
 */
export function replaceInText(
  raw: string,
  edits: readonly Edit[],
  { path, outside }: { path: string; outside?: EndingCounts },
): Replaced {
  const done: Replaced = { splices: [], notes: [] };
  let model = new TextModel(raw, outside);
  for (const [at, edit] of edits.entries()) {
    const { splices, note } = applyNamed(model, edit, { path, at, total: edits.length, raw });
    done.splices = at === 0 ? splices : composeSplices(raw.length, done.splices, splices);
    if (note) done.notes.push(note);
    if (at + 1 < edits.length) model = new TextModel(applySplices(model.raw, splices), outside);
  }
  return done;
}

function applyNamed(
  model: TextModel,
  edit: Edit,
  name: { path: string; at: number; total: number; raw: string },
): { splices: Splice[]; note?: string } {
  try {
    return applyEdit(model, edit, name.path);
  } catch (error) {
    if (!(error instanceof EditRefused) || name.total === 1) throw error;
    const wasThere = name.at > 0 && edit.old !== "" && !model.raw.includes(edit.old) && name.raw.includes(edit.old);
    const why = wasThere ? " Its old_string was in the file, but an earlier edit of this call changed it:" : "";
    throw new EditRefused(`Edit ${name.at + 1} of ${name.total} failed, nothing was written.${why} ${error.message}`);
  }
}

function applyEdit(model: TextModel, edit: Edit, path: string): { splices: Splice[]; note?: string } {
  checkWhole(edit.old);
  const wanted = withoutMark(model, { old: toLf(edit.old), text: toLf(edit.text) });
  if (edit.old === edit.text || wanted.old === wanted.text) {
    throw new EditRefused(`No change: old_string and new_string are identical (${path}).`);
  }
  const placeholder = findPlaceholder(wanted.text, wanted.old);
  if (placeholder) throw new EditRefused(placeholderText("new_string", placeholder));
  if (wanted.old === "") return { splices: [wholeText(model, edit, path)] };
  const found = findPlaces(model, wanted);
  if (!found) throw new EditRefused(notFoundText(model, wanted, path));
  if (found.isAmbiguous && !edit.replaceAll) throw new EditRefused(ambiguousText(model, found, path));
  // A file without any line end gets the new text's own; else new lines get the file's.
  const splices = found.matches.map((match) =>
    model.ending === null ? { ...match, text: edit.text } : spliceOfLf(model.raw, match, model.ending),
  );
  return found.rung === "exact" ? { splices } : { splices, note: noteText(model, found) };
}

/** A match may not cut a character of two halves in the middle. */
function checkWhole(old: string): void {
  if (LONE_SURROGATE.test(old))
    throw new EditRefused("old_string holds half of a surrogate pair. Quote whole characters.");
}

const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** The byte order mark of a file is no part of its text, though a model may have seen it there. */
function withoutMark(model: TextModel, { old, text }: Replacement): Replacement {
  if (!old.startsWith("\uFEFF") || model.raw.includes("\uFEFF")) return { old, text };
  return { old: old.slice(1), text: text.replace(/^\uFEFF/, "") };
}

function wholeText(model: TextModel, edit: Edit, path: string): Splice {
  if (model.raw.trim() === "") return { start: 0, end: model.raw.length, text: edit.text };
  throw new EditRefused(`old_string is empty but ${path} has content. Quote the text to replace, or use write_file.`);
}

function notFoundText(model: TextModel, wanted: Replacement, path: string): string {
  const present = wanted.text.trim() === "" ? -1 : presentAt(model.lf, wanted.text);
  const already =
    present === -1
      ? ""
      : ` The new text is already present (line ${model.lineAt(model.rawOffset(present))}): the change may already be applied.`;
  return `old_string not found in ${path}.${already} ${closestText(model, wanted.old)}`;
}

const TELLING_LENGTH = 24;

/** Where a text stands that means something there: a short one only counts as whole lines. */
function presentAt(hay: string, text: string): number {
  if (text.length >= TELLING_LENGTH) return hay.indexOf(text);
  for (let at = hay.indexOf(text); at !== -1; at = hay.indexOf(text, at + 1)) {
    const head = hay.slice(hay.lastIndexOf("\n", at - 1) + 1, at);
    const tail = text.endsWith("\n") ? "" : hay.slice(at + text.length).split("\n", 1)[0];
    if (head.trim() === "" && tail?.trim() === "") return at;
  }
  return -1;
}

function ambiguousText(model: TextModel, found: Found, path: string): string {
  const lines = found.matches.map((match) => model.lines.lineOf(match.start));
  const count = Math.max(lines.length, 2);
  const loosely = likenessOf(found);
  return `old_string occurs ${count} times in ${path}${loosely && ` ${loosely}`} (lines ${lineList(lines)}). Add surrounding lines to make it unique, or set replace_all.`;
}

const LIKENESS: Record<Rung, string> = {
  exact: "",
  numbers: "without its line numbers",
  trailing: "ignoring trailing whitespace",
  unicode: "ignoring the form of quotes, dashes and spaces",
  indent: "ignoring indentation",
  escapes: "with doubled escapes undone",
};

function likenessOf({ rung, isTrimmed }: Found): string {
  const trimmed = isTrimmed ? "ignoring blank lines around it" : "";
  return [trimmed, LIKENESS[rung]].filter(Boolean).join(" and ");
}

const OUTCOME: Partial<Record<Rung, string>> = {
  indent: "new text was re-indented",
  escapes: "they were undone in the new text too",
};

function noteText(model: TextModel, found: Found): string {
  const places = found.matches.slice(0, 5).map((match) => {
    const start = model.lines.lineOf(match.start);
    const end = model.lines.lineOf(Math.max(match.start, match.end - 1));
    return lineRange(start, end - start + 1);
  });
  const more = found.matches.length > 5 ? ` and ${found.matches.length - 5} more places` : "";
  const outcome = OUTCOME[found.rung] ?? "new text was taken as given";
  return `Note: matched ${likenessOf(found)} at ${places.join(", ")}${more}; ${outcome}.`;
}

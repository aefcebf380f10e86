/** What is said about a hunk: how it was made to fit, or why it does not. */

import { closestText } from "../match/closest";
import { cutLine, lineList, lineRange } from "../text/excerpt";
import type { TextModel } from "../text/TextModel";
import { type Hunk, oldLines } from "./hunks";
import type { Placement, Unplaced } from "./placing";

const LIKENESS = {
  exact: "",
  trailing: "ignoring trailing whitespace",
  unicode: "ignoring the form of quotes, dashes and spaces",
  indent: "ignoring indentation",
};

/** A note where a hunk did not fit as it stands; undefined where it did. `at` counts hunks from 0. */
export function placementNote(placed: Placement, at: number): string | undefined {
  const parts: string[] = [];
  const how = [LIKENESS[placed.rung], droppedText(placed.dropped)].filter(Boolean).join(" and ");
  const length = oldLines(placed).length;
  if (how !== "") parts.push(`matched ${how} at ${lineRange(placed.start, length)}`);
  if (placed.rung === "indent") parts.push("new lines were re-indented");
  if (placed.note) parts.push(placed.note);
  return parts.length === 0 ? undefined : `Note: hunk ${at + 1} ${parts.join("; ")}.`;
}

function droppedText(dropped: number): string {
  return dropped === 0 ? "" : `without ${dropped} outer context line${dropped > 1 ? "s" : ""}`;
}

/** A hunk with the words that name it: `hunk 2 of src/a.ts`. */
export interface NamedHunk {
  hunk: Hunk;
  label: string;
}

/** Why a hunk has no certain place, with what the next try needs. */
export function unplacedText(model: TextModel, { hunk, label }: NamedHunk, fault: Unplaced): string {
  const old = oldLines(hunk);
  switch (fault.fault) {
    case "ambiguous":
      return `${label} is ambiguous: its context matches at lines ${lineList(fault.lines)}. Add an @@ anchor or more context.`;
    case "present":
      return `${label} does not apply: the result is already present at line ${fault.line + 1}, it may already be applied.`;
    case "anchor": {
      const why = old.length === 0 ? "" : " and its lines do not stand in exactly one place";
      const sought = old.length === 0 ? fault.anchor : old.join("\n");
      return `${label}: its @@ line "${cutLine(fault.anchor)}" was not found${why}.\n${closestText(model, sought)}`;
    }
    case "above":
      return `${label} does not apply: its lines stand at line ${fault.line + 1}, in front of its @@ line (line ${fault.anchorLine + 1}). Give an @@ line above the place.`;
    case "past-end":
      return `${label} adds lines behind line ${fault.line}, but the file has ${model.lines.count} lines.`;
    case "no-context":
      return `${label} adds lines without any context, so its place is not known. Give the lines around it.`;
    default:
      return `${label} does not apply: these lines were not found in the file:\n${missingLines(hunk)}\n${closestText(model, old.join("\n"))}`;
  }
}

function missingLines(hunk: Hunk): string {
  const old = hunk.lines.filter((line) => line.kind !== "+");
  const shown = old.slice(0, 12).map((line) => line.kind + cutLine(line.text));
  return [...shown, ...(old.length > 12 ? [`[${old.length - 12} more lines]`] : [])].join("\n");
}

/** A file's hunks made into splices: placed on the text as it was, or, failing that, on what earlier hunks made of it. */

import { composeSplices } from "./composeSplices";
import { lineList } from "./excerpt";
import { type Hunk, type HunkLine, hasChange, oldLines } from "./hunks";
import { buildIndentMap, indentUnit, reindent } from "./indent";
import type { LineTable } from "./LineTable";
import { findPlaceholder } from "./placeholder";
import { type Placement, placeHunk, type Unplaced } from "./placing";
import { EditRefused } from "./refusal";
import { closestText, placeholderText } from "./replace";
import { applySplices, type Splice, shrinkSplice, sortSplices } from "./splices";
import { TextModel } from "./TextModel";

export interface HunkRules {
  /** Path in messages. */
  path: string;
  fuzz: number;
  appendsByDefault: boolean;
}

export interface HunksApplied {
  splices: Splice[];
  notes: string[];
  /** True when every hunk matched exactly and whole. */
  isExact: boolean;
}

/** Throws `EditRefused` naming every hunk that has no certain place. */
export function applyHunks(raw: string, hunks: readonly Hunk[], rules: HunkRules): HunksApplied {
  const progress: Progress = { raw, settled: [], stage: newStage(raw), notes: [], isExact: true };
  const faults: string[] = [];
  for (const [at, hunk] of hunks.entries()) {
    if (!hasChange(hunk)) continue;
    try {
      applyHunk(progress, hunk, { ...rules, at });
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new EditRefused(faults.join("\n"));
  const { notes, isExact } = progress;
  return { splices: settle(progress), notes, isExact };
}

interface Progress {
  raw: string;
  /** Splices of the stages before this one, on the raw text. */
  settled: Splice[];
  stage: Stage;
  notes: string[];
  isExact: boolean;
}

type HunkName = HunkRules & { at: number };

function applyHunk(progress: Progress, hunk: Hunk, name: HunkName): void {
  checkPlaceholder(hunk, name);
  let placed = placeOn(progress.stage, hunk, name);
  if ("fault" in placed && placed.fault === "missing" && progress.stage.splices.length > 0) {
    // The hunk may quote what the ones before it wrote.
    const next = newStage(applySplices(progress.stage.model.raw, sortSplices(progress.stage.splices)));
    const again = placeOn(next, hunk, name);
    if (!("fault" in again)) {
      progress.settled = settle(progress);
      progress.stage = next;
      placed = again;
    }
  }
  if ("fault" in placed) throw new EditRefused(faultText(progress.stage.model, hunk, placed, name));
  addPlacement(progress.stage, hunk, placed, name);
  if (placed.rung !== "exact" || placed.dropped > 0) progress.isExact = false;
  const note = noteText(placed, oldLines({ lines: placed.lines }).length, name.at);
  if (note) progress.notes.push(note);
}

/** One state of the text, with the splices gathered on it. */
interface Stage {
  model: TextModel;
  splices: Splice[];
  blocks: Block[];
  cursor: number;
  drift: number;
}

function newStage(raw: string): Stage {
  return { model: new TextModel(raw), splices: [], blocks: [], cursor: 0, drift: 0 };
}

function settle({ raw, settled, stage }: Progress): Splice[] {
  return composeSplices(raw.length, settled, sortSplices(stage.splices));
}

function placeOn(stage: Stage, hunk: Hunk, rules: HunkRules): Placement | Unplaced {
  const { cursor, drift } = stage;
  return placeHunk(stage.model.lines, hunk, {
    cursor,
    drift,
    fuzz: rules.fuzz,
    appendsByDefault: rules.appendsByDefault,
  });
}

function addPlacement(stage: Stage, hunk: Hunk, placed: Placement, name: HunkName): void {
  const { blocks, end } = blocksOf(stage.model.lines, placed, name);
  for (const block of blocks) {
    if (stage.blocks.some((other) => other.from < block.to && block.from < other.to)) {
      throw new EditRefused(`hunk ${name.at + 1} of ${name.path} changes lines that an earlier hunk changed already.`);
    }
    stage.splices.push(blockSplice(stage.model, block, hunk));
  }
  stage.blocks.push(...blocks);
  stage.cursor = Math.max(...blocks.map((block) => block.to), 0);
  if (hunk.hint) stage.drift = placed.start - placed.droppedTop - (hunk.hint.line - 1);
  checkEnd(stage.model.lines, hunk, end, name);
}

/** Lines `[from, to)` give way to `added`. */
interface Block {
  from: number;
  to: number;
  added: HunkLine[];
}

/** The runs of removed and added lines; kept lines stay out, so that the file's own bytes of them stay. */
function blocksOf(table: LineTable, placed: Placement, name: HunkName): { blocks: Block[]; end: number } {
  const lines = placed.rung === "indent" ? reindentAdded(table, placed, name) : placed.lines;
  const blocks: Block[] = [];
  let at = placed.start;
  let open: Block | undefined;
  for (const line of lines) {
    if (line.kind === " ") {
      at++;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { from: at, to: at, added: [] };
      blocks.push(open);
    }
    if (line.kind === "-") open.to = ++at;
    else open.added.push(line);
  }
  return { blocks, end: at };
}

function reindentAdded(table: LineTable, placed: Placement, name: HunkName): HunkLine[] {
  const old = oldLines({ lines: placed.lines });
  const added = placed.lines.filter((line) => line.kind === "+").map((line) => line.text);
  const map = buildIndentMap(old, table.texts.slice(placed.start, placed.start + old.length));
  const quoted = indentUnit([...old, ...added]);
  const units = { quoted, file: indentUnit(table.texts) || quoted };
  const texts = map && reindent(added, map, units);
  if (!texts) {
    throw new EditRefused(
      `hunk ${name.at + 1} of ${name.path} fits only without its indentation, and its new lines cannot be indented to match. Send it with the file's own indentation.`,
    );
  }
  let next = 0;
  return placed.lines.map((line) => (line.kind === "+" ? { ...line, text: texts[next++] ?? line.text } : line));
}

function blockSplice(model: TextModel, block: Block, hunk: Hunk): Splice {
  const { lines: table } = model;
  if (block.to < table.count) {
    const text = block.added.map((line, at) => line.text + endingFor(model, block, line, at)).join("");
    return shrinkSplice(model.raw, { start: table.start(block.from), end: table.start(block.to), text });
  }
  return shrinkSplice(model.raw, endSplice(model, block, hunk));
}

/** A new line takes the ending that the diff states, else that of the line in whose place it comes, else the file's. */
function endingFor(model: TextModel, block: Block, line: HunkLine, at: number): string {
  if (line.ending !== undefined) return line.ending;
  const twin = Math.min(block.from + at, block.to - 1);
  const own = twin >= block.from ? model.lines.ending(twin) : "";
  return own || model.ending || "\n";
}

/** A change that reaches the end of the file: the final newline stays or lacks as before, unless the diff says so. */
function endSplice(model: TextModel, block: Block, hunk: Hunk): Splice {
  const { lines: table } = model;
  const hasNewline = finalNewline(table, hunk);
  const isAfterUnended = block.from > 0 && block.from === table.count && !table.hasFinalNewline;
  const before = isAfterUnended ? endingFor(model, block, block.added[0] ?? { kind: "+", text: "" }, 0) : "";
  const last = block.added.length - 1;
  const text = block.added.map((line, at) => {
    return line.text + (at === last && !hasNewline ? "" : endingFor(model, block, line, at));
  });
  if (last >= 0 || block.from === 0 || hasNewline) {
    return { start: table.start(block.from), end: model.raw.length, text: before + text.join("") };
  }
  return { start: table.contentEnd(block.from - 1), end: model.raw.length, text: "" };
}

function finalNewline(table: LineTable, hunk: Hunk): boolean {
  if (hunk.newLacksNewline) return false;
  if (hunk.oldLacksNewline) return true;
  return table.hasFinalNewline;
}

/** A diff that changes the final newline has to end where the file ends. */
function checkEnd(table: LineTable, hunk: Hunk, end: number, name: HunkName): void {
  if (Boolean(hunk.newLacksNewline) === Boolean(hunk.oldLacksNewline) || end >= table.count) return;
  throw new EditRefused(
    `hunk ${name.at + 1} of ${name.path} says "No newline at end of file", but the file goes on behind line ${end}.`,
  );
}

function checkPlaceholder(hunk: Hunk, { at, path }: HunkName): void {
  const added = hunk.lines.filter((line) => line.kind === "+").map((line) => line.text);
  const line = findPlaceholder(added.join("\n"), oldLines(hunk).join("\n"));
  if (line !== undefined) throw new EditRefused(placeholderText(`hunk ${at + 1} of ${path}`, line));
}

function noteText(placed: Placement, length: number, at: number): string | undefined {
  const what = {
    exact: "",
    trailing: "ignoring trailing whitespace",
    unicode: "ignoring the form of quotes, dashes and spaces",
    indent: "ignoring indentation",
  }[placed.rung];
  const dropped =
    placed.dropped > 0 ? `without ${placed.dropped} outer context line${placed.dropped > 1 ? "s" : ""}` : "";
  const how = [what, dropped].filter(Boolean).join(" and ");
  const tail = placed.rung === "indent" ? "; new lines were re-indented" : "";
  const match =
    how === ""
      ? ""
      : `matched ${how} at line ${placed.start + 1}${length > 1 ? `-${placed.start + length}` : ""}${tail}`;
  const all = [match, placed.note].filter(Boolean).join("; ");
  return all === "" ? undefined : `Note: hunk ${at + 1} ${all}.`;
}

function faultText(model: TextModel, hunk: Hunk, fault: Unplaced, name: HunkName): string {
  const label = `hunk ${name.at + 1} of ${name.path}`;
  switch (fault.fault) {
    case "ambiguous":
      return `${label} is ambiguous: its context matches at lines ${lineList(fault.lines)}. Add an @@ anchor or more context.`;
    case "present":
      return `${label} does not apply: the result is already present at line ${fault.line + 1}, it may already be applied.`;
    case "anchor":
      return `${label}: its @@ line was not found: "${fault.anchor}", and its context does not stand in one place only.${missingText(model, hunk)}`;
    case "past-end":
      return `${label} adds lines behind line ${fault.line}, but the file has ${model.lines.count} lines.`;
    case "no-context":
      return `${label} adds lines without any context, so its place is not known. Give the lines around it.`;
    default:
      return `${label} does not apply: these lines were not found in the file:\n${missingLines(hunk)}${missingText(model, hunk)}`;
  }
}

function missingLines(hunk: Hunk): string {
  const old = hunk.lines.filter((line) => line.kind !== "+");
  const shown = old.slice(0, 12).map((line) => `${line.kind}${line.text.slice(0, 300)}`);
  return [...shown, ...(old.length > 12 ? [`[${old.length - 12} more lines]`] : [])].join("\n");
}

function missingText(model: TextModel, hunk: Hunk): string {
  const text = closestText(model, oldLines(hunk).join("\n"));
  return `\n${text.trimStart()}`;
}

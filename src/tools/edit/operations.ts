/** Carries out a patch's operations on drafts: later ones see what earlier ones made, nothing reaches the disk. */

import { lstatSync } from "node:fs";
import { missingFileText, resolveTarget, type Target } from "../targets";
import { Draft } from "./disk/Draft";
import { loadBytes, toText } from "./disk/loadText";
import { ifExact, type LoadedText, partAround } from "./disk/textPart";
import { findPlaceholder, placeholderText } from "./match/placeholder";
import { EditRefused } from "./match/refusal";
import { applyHunks, type HunkRules } from "./patch/applyHunks";
import { rangeOfHunks } from "./patch/hunkRange";
import type { FileOperation, Hunk } from "./patch/hunks";
import type { EditPlace } from "./runEdit";
import { toLf } from "./text/TextModel";
import { utf8File } from "./text/utf8File";

/** How strict the hunks are, and how a file that is in the way of a new one is spoken of. */
export interface OperationRules extends Omit<HunkRules, "path"> {
  existsHint: string;
}

/**
 * Drafts of every file that the operations touch, in their order. Throws `EditRefused` naming every failure:
 * `Patch not applied, nothing was written.`
 */
export async function draftOperations(
  operations: readonly FileOperation[],
  place: EditPlace,
  rules: OperationRules,
): Promise<Draft[]> {
  const desk = new Desk(place, rules);
  const faults: string[] = [];
  for (const operation of operations) {
    try {
      await desk.carryOut(operation);
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new EditRefused(`Patch not applied, nothing was written.\n${faults.join("\n")}`);
  return desk.drafts();
}

/** The files as the patch would leave them so far. */
class Desk {
  private readonly byPath = new Map<string, Draft>();
  private readonly place: EditPlace;
  private readonly rules: OperationRules;

  constructor(place: EditPlace, rules: OperationRules) {
    this.place = place;
    this.rules = rules;
  }

  drafts(): Draft[] {
    return [...this.byPath.values()];
  }

  async carryOut(operation: FileOperation): Promise<void> {
    const target = resolveTarget(this.place.roots, operation.path, { forWriting: true });
    const draft = await this.draftOf(target);
    if (operation.kind === "add") return this.put(this.added(draft, operation));
    if (!draft.exists) throw new EditRefused(await missingFileText(this.place.roots, target.shown));
    if (operation.kind === "delete") return this.put(await this.removed(draft, operation.expected));
    await this.update(draft, operation);
  }

  private put(draft: Draft): void {
    this.byPath.set(draft.target.realPath, draft);
  }

  private async draftOf(target: Target): Promise<Draft> {
    const known = this.byPath.get(target.realPath);
    if (known) return known;
    const content = await loadBytes(target);
    if (!content) return new Draft({ target, original: null, splices: null });
    return new Draft({ target, original: { target, content, text: null }, splices: [] });
  }

  private added(draft: Draft, operation: FileOperation & { kind: "add" }): Draft {
    const { shown } = draft.target;
    if (draft.exists) throw new EditRefused(`${shown} already exists. ${this.rules.existsHint}`);
    const line = findPlaceholder(operation.text, "");
    if (line !== undefined) throw new EditRefused(placeholderText(shown, line));
    const splices = [{ start: 0, end: 0, text: operation.text }];
    // In the place of a file that the patch deletes it is as certain as that deletion.
    const { target, original, isExact } = draft;
    const added = new Draft({ target, original, source: null, splices, isExact });
    return operation.isExecutable ? added.withMode(true) : added;
  }

  /** `expected`: the content that a diff removes; another one is not thrown away. */
  private async removed(draft: Draft, expected: string | undefined): Promise<Draft> {
    // The text is only for showing: a file of any kind may go.
    const known = await this.asText(draft).catch(() => draft);
    if (expected === undefined) return known.remove(false);
    if (known.source?.text && toLf(known.after ?? "") === toLf(expected)) return known.remove(true);
    throw new EditRefused(
      `${draft.target.shown} is not deleted: its content is not what the diff removes. Read it again.`,
    );
  }

  private async update(draft: Draft, operation: FileOperation & { kind: "update" }): Promise<void> {
    const isMove = operation.moveTo !== undefined;
    const hasMode = operation.isExecutable !== undefined;
    if (operation.hunks.length === 0 && !isMove && !hasMode) {
      throw new EditRefused(`The part for ${draft.target.shown} holds no change.`);
    }
    const edited = operation.hunks.length === 0 ? draft : await this.edited(draft, operation);
    const done = operation.isExecutable === undefined ? edited : edited.withMode(operation.isExecutable);
    if (operation.moveTo === undefined) return this.put(done);
    await this.move(done, operation.moveTo);
  }

  private async edited(draft: Draft, operation: FileOperation & { kind: "update" }): Promise<Draft> {
    const part = touchedPart(draft, operation.hunks);
    const exact = part && ifExact(() => this.withHunks(draft.onText(part), operation.hunks));
    return exact ?? this.withHunks(await this.asText(draft), operation.hunks);
  }

  private withHunks(draft: Draft, hunks: readonly Hunk[]): Draft {
    const { fuzz, appendsByDefault } = this.rules;
    const path = draft.target.shown;
    const outside = draft.source?.text?.part.outside;
    const text = draft.after ?? "";
    const applied = applyHunks(text, hunks, { path, fuzz, appendsByDefault, ...(outside ? { outside } : {}) });
    const isChange = applied.splices.some((splice) => text.slice(splice.start, splice.end) !== splice.text);
    if (isChange) return draft.edit(applied.splices, applied);
    throw new EditRefused(`The part for ${path} changes nothing: the file reads so already.`);
  }

  /** Decodes the content, which a mere move or removal does not need. */
  private async asText(draft: Draft): Promise<Draft> {
    const { source } = draft;
    if (!source || source.text) return draft.whole();
    return draft.onText(await toText(source.target, source.content, this.place.encoding));
  }

  private async move(draft: Draft, path: string): Promise<void> {
    const target = resolveTarget(this.place.roots, path, { forWriting: true });
    const there = await this.draftOf(target);
    if (target.realPath === draft.target.realPath) return this.put(draft);
    if (there.exists) throw new EditRefused(`${target.shown} already exists. Nothing is moved over a file.`);
    if (isLink(draft.target)) throw new EditRefused(`${draft.target.shown} is a symbolic link and is not moved.`);
    this.put(new Draft({ ...draft, target, original: there.original }));
    this.put(draft.remove(true));
  }
}

/** Undefined where the file's bytes do not tell, and where its text was needed before. */
function touchedPart({ source }: Draft, hunks: readonly Hunk[]): LoadedText | undefined {
  const file = source && !source.text ? utf8File(source.content) : undefined;
  const range = file && rangeOfHunks(file, hunks);
  return range && partAround(file, range);
}

function isLink(target: Target): boolean {
  return lstatSync(target.absolute, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

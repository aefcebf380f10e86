/** The path that all four write tools share: lock, plan, check against the guard, write, report. */

import type { FileChange, ToolContext, ToolResult } from "../../shared/contracts";
import { isZqError, messageOf } from "../../shared/errors";
import { type FileStamp, isSameStamp } from "../../shared/fileStamps";
import type { WorkspaceRoots } from "../../shared/paths";
import type { ConflictGuard } from "../ConflictGuard";
import { resolveTarget, type Target } from "../targets";
import { commitDrafts } from "./disk/commit";
import type { Draft } from "./disk/Draft";
import { withFileLocks } from "./disk/locks";
import { renderDiff } from "./display";
import { EditRefused } from "./match/refusal";
import { buildReport, type ReportStyle } from "./report";
import { toLf } from "./text/TextModel";

/** Options of the write tools' register functions. */
export interface WriteToolOptions {
  /** Without one there is no conflict guard. */
  guard?: ConflictGuard | undefined;
  /** The places that may be written; by default the workspace alone. */
  roots?: WorkspaceRoots | undefined;
  /** The encoding of files that are not UTF-8, where their bytes leave it open (setting `files.encoding`). */
  encoding?: string | undefined;
}

/** What a write tool works with. */
export interface EditPlace {
  roots: WorkspaceRoots;
  guard?: ConflictGuard;
  encoding?: string;
}

/** One write tool, without the disk: which files, and what becomes of them. Both throw refusals. */
export interface EditTool {
  style: ReportStyle;
  /** Every path that the call would write, as given. Throws where the arguments do not say. */
  paths(args: Record<string, unknown>, place: EditPlace): string[];
  /** Reads the files and works out every change. A string: there is nothing to do, and why. */
  plan(args: Record<string, unknown>, place: EditPlace): Promise<Draft[] | string>;
}

/** Stamps of files as a proposal showed them, by real path: an edited proposal is only good for these. */
export type Previewed = Map<string, FileStamp>;

/** Runs a write tool. Never throws for what the model or the disk did wrong: that becomes an error result. */
export async function runEdit(
  tool: EditTool,
  args: Record<string, unknown>,
  run: { place: EditPlace; previewed: Previewed; ctx?: ToolContext },
): Promise<ToolResult> {
  try {
    const targets = targetsOf(tool, args, run.place);
    return await withFileLocks(
      targets.map((target) => target.realPath),
      () => editLocked(tool, args, run),
    );
  } catch (error) {
    if (!isZqError(error)) throw error;
    return { content: messageOf(error), status: "error" };
  }
}

async function editLocked(
  tool: EditTool,
  args: Record<string, unknown>,
  { place, previewed, ctx }: { place: EditPlace; previewed: Previewed; ctx?: ToolContext },
): Promise<ToolResult> {
  const planned = await tool.plan(args, place);
  if (typeof planned === "string") return { content: planned, status: "ok" };
  const { drafts, head } = withEdited(planned, {
    place,
    previewed,
    ...(ctx?.edited ? { edited: ctx.edited } : {}),
  });
  head.push(...(await checkGuard(drafts, place.guard)));
  if (ctx?.signal?.aborted) throw new EditRefused("Interrupted before anything was written.");
  await commitDrafts(drafts, place.guard);
  for (const draft of drafts) previewed.delete(draft.target.realPath);
  return { ...buildReport(drafts, { head, style: tool.style }), status: "ok" };
}

/** What a call would change, for the dialog. Rejects with the same refusal that the call would give. */
export async function previewEdit(
  tool: EditTool,
  args: Record<string, unknown>,
  { place, previewed }: { place: EditPlace; previewed: Previewed },
): Promise<FileChange[]> {
  targetsOf(tool, args, place);
  const planned = await tool.plan(args, place);
  if (typeof planned === "string") return [];
  await checkGuard(planned, place.guard);
  return planned.flatMap((part) => {
    const draft = part.whole();
    const stamp = draft.original?.content.stamp;
    if (stamp) previewed.set(draft.target.realPath, stamp);
    if (draft.isNoChange) return [];
    const before = draft.original ? (draft.original.text?.decoded.text ?? "") : null;
    return [{ path: draft.target.shown, before, after: draft.after }];
  });
}

/** One bad path refuses the whole call. */
function targetsOf(tool: EditTool, args: Record<string, unknown>, place: EditPlace): Target[] {
  return tool.paths(args, place).map((path) => resolveTarget(place.roots, path, { forWriting: true }));
}

/** A file that changed since the session saw it may still be edited where every part matched exactly. */
async function checkGuard(drafts: readonly Draft[], guard: ConflictGuard | undefined): Promise<string[]> {
  const notes: string[] = [];
  for (const { original, target, isExact } of guard ? drafts : []) {
    if (!original || (await guard?.stateOf(target.realPath, original.content)) !== "changed") continue;
    if (!isExact) throw new EditRefused(`${target.shown} changed on disk since you read it. Read it again.`);
    notes.push("[file had changed on disk since you read it]");
  }
  return [...new Set(notes)];
}

type Edited = NonNullable<ToolContext["edited"]>;

/** The drafts with the person's own version of the proposal in them, and the words about it. */
function withEdited(
  drafts: readonly Draft[],
  { place, previewed, edited = [] }: { place: EditPlace; previewed: Previewed; edited?: Edited },
): { drafts: Draft[]; head: string[] } {
  const result = [...drafts];
  const head: string[] = [];
  for (const { path, after } of edited) {
    const target = resolveTarget(place.roots, path, { forWriting: true });
    const at = result.findIndex((draft) => draft.target.realPath === target.realPath);
    const draft = result[at]?.whole();
    if (!draft) throw new EditRefused(`The changed proposal names ${target.shown}, which this call does not change.`);
    if (draft.after === after) continue;
    if (draft.source && !draft.source.text) throw new EditRefused(`${target.shown} is no text that can be changed.`);
    checkPreviewed(draft, previewed.get(target.realPath));
    head.push(...differenceText(draft, after));
    result[at] = after === null ? draft.remove(false) : draft.replace(after).asGiven();
  }
  if (head.length > 0) head.unshift("[the user changed the proposal before allowing it]");
  return { drafts: result, head };
}

function checkPreviewed(draft: Draft, stamp: FileStamp | undefined): void {
  const now = draft.original?.content.stamp;
  if (!stamp || (now && isSameStamp(stamp, now))) return;
  throw new EditRefused(`${draft.target.shown} changed on disk while the proposal was being changed. Read it again.`);
}

function differenceText(draft: Draft, after: string | null): string[] {
  const shown = draft.target.shown;
  if (after === null) return [`The user had ${shown} removed instead.`];
  if (draft.after === null) return [`The user kept ${shown}, with this content:`, after];
  const diff = renderDiff(toLf(draft.after), toLf(after));
  return [`Difference to your proposal in ${shown}:`, diff];
}

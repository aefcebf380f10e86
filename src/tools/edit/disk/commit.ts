/** Writes drafts to disk, all or none: everything is staged and checked first, and a late failure is undone. */

import { messageOf } from "../../../shared/errors";
import type { ConflictGuard } from "../../ConflictGuard";
import { EditRefused } from "../match/refusal";
import { contentStep } from "./contentStep";
import { type Draft, isSameFile } from "./Draft";
import { isPlainMove, moveStep, removalStep } from "./removalSteps";
import type { Done, Step } from "./steps";

/**
 * Makes every draft true. Throws after having put back whatever was changed already; if even that fails the message
 * names the files that are left changed.
 */
export async function commitDrafts(drafts: readonly Draft[], guard: ConflictGuard | undefined): Promise<void> {
  const steps: Step[] = [];
  const done: Done[] = [];
  const changed = drafts.filter((draft) => !draft.isNoChange);
  try {
    for (const draft of inOrder(changed)) steps.push(await prepare(draft, changed, guard));
    for (const step of steps) done.push(await step.run());
  } catch (error) {
    throw await undone(done, error);
  } finally {
    for (const step of steps) await step.discard();
  }
}

/** New content first, removals last: a moved file is never without a place. */
function inOrder(drafts: readonly Draft[]): Draft[] {
  return [...drafts.filter((draft) => draft.exists), ...drafts.filter((draft) => !draft.exists)];
}

function prepare(draft: Draft, all: readonly Draft[], guard: ConflictGuard | undefined): Promise<Step> {
  if (draft.exists) return isPlainMove(draft, all) ? moveStep(draft, guard) : contentStep(draft, guard);
  const isMovedAway = all.some((other) => isPlainMove(other, all) && isSameFile(other.source, draft.original));
  return removalStep(draft, { isMovedAway, ...(guard ? { guard } : {}) });
}

async function undone(done: readonly Done[], cause: unknown): Promise<unknown> {
  const left: string[] = [];
  for (const step of [...done].reverse()) await step.undo().catch(() => left.push(step.shown));
  if (left.length === 0) return cause;
  return new EditRefused(
    `${messageOf(cause)} The files written before could not all be put back: ${left.join(", ")} stay changed. Check them.`,
  );
}

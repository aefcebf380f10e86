/** Keys inside an open dialog: they reach it only when its guard is over, and answer it only when they came alone. */

import { approvalKey } from "../dialogs/approval";
import { confirmKey } from "../dialogs/confirm";
import { type Ask, type Dialog, ignoreKey, isListening, isWhollySeen, scrollDialog } from "../dialogs/dialog";
import { directoryKey } from "../dialogs/directory";
import { pickerKey } from "../dialogs/picker";
import { planKey } from "../dialogs/plan";
import type { Outcome, Press } from "../dialogs/press";
import { questionKey } from "../dialogs/question";
import { isDraftEmpty } from "./draft";
import { type ScreenState, type Step, step } from "./ScreenState";

export function updateDialog(state: ScreenState, dialog: Dialog, press: Press, now: number): Step {
  // A list that the person opened a moment ago is no request: it needs no guard.
  if (dialog.ask.kind !== "picker" && !isListening(dialog, now)) return step(withFront(state, ignoreKey(dialog, now)));
  const scrolled = press.kind === "event" && isScrolling(dialog) ? scrollDialog(dialog, press.event) : null;
  if (scrolled) return step(withFront(state, scrolled));
  const outcome = keyOf(dialog, press, state.size.columns);
  if (!outcome) return step(state);
  if ("wants" in outcome) return step(state, [{ kind: "editProposal", id: dialog.id }]);
  if ("ask" in outcome) return step(withFront(state, changed(dialog, outcome.ask)));
  const next = { ...state, dialogs: parkFront(state.dialogs.slice(1), state) };
  const answer = { kind: "answer" as const, id: dialog.id, answer: outcome.answer };
  if (!outcome.stop || !state.turn) return step(next, [answer]);
  return step({ ...next, turn: { ...state.turn, stopping: true } }, [answer, { kind: "interrupt" }]);
}

/** A request that comes to the front over a draft parks itself, as a new one would (tui rule 24). */
function parkFront(dialogs: readonly Dialog[], state: ScreenState): Dialog[] {
  return dialogs.map((dialog, index) =>
    index === 0 && !isDraftEmpty(state.draft) ? { ...dialog, parked: true } : dialog,
  );
}

function withFront(state: ScreenState, dialog: Dialog): ScreenState {
  return { ...state, dialogs: [dialog, ...state.dialogs.slice(1)] };
}

/** Leaving the comment field is like a new dialog: keys still in flight were meant as text. */
function changed(dialog: Dialog, ask: Dialog["ask"]): Dialog {
  const wasWriting = isWriting(dialog);
  const next = { ...dialog, ask };
  return wasWriting && !isWriting(next) ? { ...next, shownAt: null } : next;
}

/** Lists move their cursor with the same keys. */
function isScrolling(dialog: Dialog): boolean {
  return !isWriting(dialog) && dialog.ask.kind !== "picker" && dialog.ask.kind !== "question";
}

function isWriting({ ask }: Dialog): boolean {
  if (ask.kind === "question") return ask.field !== null;
  return (ask.kind === "approval" || ask.kind === "plan") && ask.comment !== null;
}

function keyOf(dialog: Dialog, press: Press, columns: number): Outcome<Ask> {
  const { ask } = dialog;
  switch (ask.kind) {
    case "approval":
      return approvalKey(ask, press, isWhollySeen(dialog, columns));
    case "directory":
      return directoryKey(ask, press, isWhollySeen(dialog, columns));
    case "confirm":
      return confirmKey(ask, press, isWhollySeen(dialog, columns));
    case "question":
      return questionKey(ask, press);
    case "plan":
      return planKey(ask, press);
    case "picker":
      return pickerKey(ask, press);
  }
}

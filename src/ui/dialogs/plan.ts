/** The dialog of propose_plan. The plan itself is printed above, whole, so the dialog only asks. */

import type { PlanAnswer } from "../../shared/handlers";
import { type EditBuffer, emptyBuffer } from "../input/editBuffer";
import type { InputEvent } from "../input/inputEvents";
import { answerKey, type Outcome } from "./dialog";
import { editField } from "./field";

export interface Plan {
  kind: "plan";
  comment: EditBuffer | null;
}

export function planKey(ask: Plan, event: InputEvent): Outcome {
  if (ask.comment) return commentKey(ask, ask.comment, event);
  switch (answerKey(event)) {
    case "y":
      return { answer: { approved: true, mode: "interactive" } satisfies PlanAnswer };
    case "a":
      return { answer: { approved: true, mode: "auto" } satisfies PlanAnswer };
    case "n":
      return { answer: refusePlan() };
    case "e":
      return { ask: { ...ask, comment: emptyBuffer } };
    case "escape":
      return { answer: refusePlan(), stop: true };
    default:
      return null;
  }
}

export function refusePlan(feedback?: string): PlanAnswer {
  return feedback ? { approved: false, feedback } : { approved: false };
}

function commentKey(ask: Plan, comment: EditBuffer, event: InputEvent): Outcome {
  const edit = editField(comment, event);
  if (edit.done === "cancel") return { ask: { ...ask, comment: null } };
  if (edit.done === "send") return { answer: refusePlan(edit.text.trim()) };
  return { ask: { ...ask, comment: edit.buffer } };
}

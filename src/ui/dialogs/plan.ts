/** The dialog of propose_plan. The plan itself is printed above, whole, so the dialog only asks. */

import type { PlanAnswer } from "../../shared/handlers";
import { createBuffer, type EditBuffer } from "../input/editBuffer";
import { editField } from "./field";
import { answerKey, type Outcome, type Press } from "./press";

export interface Plan {
  kind: "plan";
  comment: EditBuffer | null;
}

export function planKey(ask: Plan, press: Press): Outcome<Plan> {
  if (ask.comment) return commentKey(ask, ask.comment, press);
  switch (answerKey(press)) {
    case "y":
      return { answer: { approved: true, mode: "interactive" } satisfies PlanAnswer };
    case "a":
      return { answer: { approved: true, mode: "auto" } satisfies PlanAnswer };
    case "n":
      return { answer: refusePlan() };
    case "e":
      return { ask: { ...ask, comment: createBuffer() } };
    case "escape":
      return { answer: refusePlan(), stop: true };
    default:
      return null;
  }
}

export function refusePlan(feedback?: string): PlanAnswer {
  return feedback ? { approved: false, feedback } : { approved: false };
}

function commentKey(ask: Plan, comment: EditBuffer, press: Press): Outcome<Plan> {
  if (press.kind !== "event") return null;
  const edit = editField(comment, press.event);
  if (edit.done === "cancel") return { ask: { ...ask, comment: null } };
  if (edit.done === "send") return { answer: refusePlan(edit.text.trim()) };
  return { ask: { ...ask, comment: edit.buffer } };
}

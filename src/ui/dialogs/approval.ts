/** The approval dialog: what a tool is about to do, in full, and the keys that allow or deny it (guide 8.3). */

import { type ApprovalAnswer, ApprovalOutcome, type FileChange } from "../../shared/contracts";
import { createBuffer, type EditBuffer } from "../input/editBuffer";
import type { TextKey } from "../state/texts";
import { editField } from "./field";
import { answerKey, type Outcome, type Press } from "./press";

/**
 * A part of what is shown before the decision. `text` and `label` are foreign and unclean; the view makes them visible and
 * inert. Of a note the text, of a path the label is the name of a sentence of ours.
 */
export type ApprovalPart =
  | { style: "code" | "value" | "diff"; label: string; text: string }
  | { style: "note"; text: TextKey }
  | { style: "path"; label: TextKey | ""; text: string };

export interface Approval {
  kind: "approval";
  toolName: string;
  reason: string;
  parts: readonly ApprovalPart[];
  isCommand: boolean;
  /** What would be written, as far as that could be worked out; as the person changed it, if they did. */
  changes: readonly FileChange[];
  isEdited: boolean;
  /** Open while the person says what to do instead. */
  comment: EditBuffer | null;
  /** An allowing key came before all had been shown. */
  refused: boolean;
}

const outcomes: Record<string, ApprovalOutcome> = {
  y: ApprovalOutcome.ONCE,
  t: ApprovalOutcome.ALWAYS_TOOL,
  c: ApprovalOutcome.ALWAYS_COMMAND,
};

/** What a key does. `seen`: everything was on the screen, so that it may be allowed. */
export function approvalKey(ask: Approval, press: Press, seen: boolean): Outcome<Approval> {
  if (ask.comment) return commentKey(ask, ask.comment, press);
  const key = answerKey(press);
  if (key === "escape") return { answer: deny(), stop: true };
  if (key === "n") return { answer: deny() };
  if (key === "v") return canEdit(ask) ? { wants: "editor" } : null;
  if (key === "e") return { ask: { ...ask, comment: createBuffer() } };
  const outcome = key === null || (key === "c" && !ask.isCommand) ? undefined : outcomes[key];
  if (!outcome) return null;
  return seen ? { answer: allow(ask, outcome) } : { ask: { ...ask, refused: true } };
}

/** A proposal can be edited where it writes text. */
export function canEdit(ask: Approval): boolean {
  return ask.changes.some((change) => change.after !== null);
}

function allow(ask: Approval, outcome: ApprovalOutcome): ApprovalAnswer {
  if (!ask.isEdited) return { outcome };
  return { outcome, edited: ask.changes.map(({ path, after }) => ({ path, after })) };
}

/** The answer of a person who refuses, with what they said. */
export function deny(reason?: string): ApprovalAnswer {
  return reason ? { outcome: ApprovalOutcome.DENY, reason } : { outcome: ApprovalOutcome.DENY };
}

function commentKey(ask: Approval, comment: EditBuffer, press: Press): Outcome<Approval> {
  if (press.kind !== "event") return null;
  const edit = editField(comment, press.event);
  if (edit.done === "cancel") return { ask: { ...ask, comment: null } };
  if (edit.done === "send") return { answer: deny(edit.text.trim()) };
  return { ask: { ...ask, comment: edit.buffer } };
}

/** A text field inside a dialog: the editor of the input box with Enter to send and Esc to go back. */

import { continueLine, type EditBuffer, moveDown, moveUp, textOf } from "../input/editBuffer";
import type { InputEvent } from "../input/inputEvents";
import { editDraft, Keymap } from "../input/keymap";

export interface FieldEdit {
  done: "send" | "cancel" | null;
  buffer: EditBuffer;
  text: string;
}

/** Columns by which rows are told apart when the caret moves up and down; a field is seldom longer than one row. */
const ROW_WIDTH = 76;

export function editField(buffer: EditBuffer, event: InputEvent): FieldEdit {
  const action = new Keymap().take(event);
  const next = (changed: EditBuffer): FieldEdit => ({ done: null, buffer: changed, text: textOf(changed) });
  if (!action) return next(buffer);
  if (action.kind !== "screen") return next(editDraft(buffer, action));
  switch (action.command) {
    case "submit": {
      const continued = continueLine(buffer);
      return continued ? next(continued) : { ...next(buffer), done: "send" };
    }
    case "escape":
      return { ...next(buffer), done: "cancel" };
    case "up":
      return next(moveUp(buffer, ROW_WIDTH) ?? buffer);
    case "down":
      return next(moveDown(buffer, ROW_WIDTH) ?? buffer);
    case "leftOrBackground":
      return next(editDraft(buffer, { kind: "draft", command: "moveLeft" }));
    case "deleteOrLeave":
      return next(editDraft(buffer, { kind: "draft", command: "deleteForward" }));
    default:
      return next(buffer);
  }
}

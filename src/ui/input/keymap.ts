/** What each key of the input box means (product.md 3): readline's keys, and those of the screen around the draft. */

import {
  clearBuffer,
  deleteBack,
  deleteForward,
  type EditBuffer,
  insertPaste,
  insertText,
  killBlankWordBack,
  killToLineEnd,
  killToLineStart,
  killWordBack,
  killWordForward,
  moveEnd,
  moveLeft,
  moveLineEnd,
  moveLineStart,
  moveRight,
  moveStart,
  moveWordLeft,
  moveWordRight,
  redo,
  undo,
  yank,
  yankPop,
} from "./editBuffer";
import type { InputEvent, KeyEvent } from "./inputEvents";

/** Changes of the draft alone. `editDraft` carries them out. */
const draftCommands = {
  deleteBack,
  deleteForward,
  killBlankWordBack,
  killToLineEnd,
  killToLineStart,
  killWordBack,
  killWordForward,
  moveEnd,
  moveLeft,
  moveLineEnd,
  moveLineStart,
  moveRight,
  moveStart,
  moveWordLeft,
  moveWordRight,
  redo,
  undo,
  yank,
  yankPop,
  clear: clearBuffer,
  newline: (buffer: EditBuffer) => insertText(buffer, "\n"),
} satisfies Record<string, (buffer: EditBuffer) => EditBuffer>;

export type DraftCommand = keyof typeof draftCommands;

/** What concerns the screen; what it does there depends on what is open. */
export type ScreenCommand =
  | "submit"
  | "escape"
  | "cancel"
  | "deleteOrLeave"
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "complete"
  | "nextMode"
  | "searchHistory"
  | "expand"
  | "openRequest"
  | "editor"
  | "pasteImage"
  | "leftOrBackground"
  | "redraw"
  | "suspend";

export type EditorAction =
  | { kind: "insert"; text: string }
  | { kind: "paste"; text: string; unfinished?: boolean }
  | { kind: "draft"; command: DraftCommand }
  | { kind: "screen"; command: ScreenCommand };

/** Modifiers in the order ctrl, alt, shift. One table; `?` and `/help` may be written from it. */
const keys: Record<string, DraftCommand | ScreenCommand> = {
  enter: "submit",
  "shift+enter": "newline",
  "alt+enter": "newline",
  "ctrl+enter": "newline",
  "ctrl+j": "newline",
  "ctrl+alt+j": "newline",
  escape: "escape",
  "ctrl+c": "cancel",
  "ctrl+d": "deleteOrLeave",
  up: "up",
  down: "down",
  "ctrl+p": "up",
  "ctrl+n": "down",
  pageup: "pageUp",
  pagedown: "pageDown",
  tab: "complete",
  "shift+tab": "nextMode",
  "ctrl+r": "searchHistory",
  "ctrl+o": "expand",
  "ctrl+t": "openRequest",
  "ctrl+g": "editor",
  "ctrl+x ctrl+e": "editor",
  "ctrl+v": "pasteImage",
  "alt+v": "pasteImage",
  "ctrl+b": "leftOrBackground",
  "ctrl+l": "redraw",
  "ctrl+z": "suspend",
  left: "moveLeft",
  right: "moveRight",
  "ctrl+f": "moveRight",
  home: "moveLineStart",
  end: "moveLineEnd",
  "ctrl+a": "moveLineStart",
  "ctrl+e": "moveLineEnd",
  "ctrl+home": "moveStart",
  "ctrl+end": "moveEnd",
  "alt+<": "moveStart",
  "alt+shift+<": "moveStart",
  "alt+>": "moveEnd",
  "alt+shift+>": "moveEnd",
  "ctrl+left": "moveWordLeft",
  "ctrl+right": "moveWordRight",
  "alt+left": "moveWordLeft",
  "alt+right": "moveWordRight",
  "alt+b": "moveWordLeft",
  "alt+f": "moveWordRight",
  backspace: "deleteBack",
  "shift+backspace": "deleteBack",
  delete: "deleteForward",
  "ctrl+w": "killBlankWordBack",
  "alt+backspace": "killWordBack",
  "ctrl+backspace": "killWordBack",
  "alt+d": "killWordForward",
  "alt+delete": "killWordForward",
  "ctrl+delete": "killWordForward",
  "ctrl+k": "killToLineEnd",
  "ctrl+u": "killToLineStart",
  "ctrl+y": "yank",
  "alt+y": "yankPop",
  "ctrl+_": "undo",
  "ctrl+x ctrl+u": "undo",
  "alt+_": "redo",
  "alt+shift+_": "redo",
};

/** Ctrl-X waits for a second key. */
const PREFIX = "ctrl+x";

/** Maps events to actions; remembers only a begun two-key command. */
export class Keymap {
  private prefix = "";

  /** The action of an event; null for a key without one, an answer of the terminal, a change of focus. */
  take(event: InputEvent): EditorAction | null {
    if (event.type === "focus" || event.type === "reply") return null;
    const prefix = this.prefix;
    this.prefix = "";
    if (event.type === "text") return { kind: "insert", text: event.text };
    if (event.type === "paste")
      return { kind: "paste", text: event.text, ...(event.unfinished && { unfinished: true }) };
    return this.takeKey(prefix === "" ? keyId(event) : `${prefix} ${keyId(event)}`);
  }

  private takeKey(id: string): EditorAction | null {
    if (id === PREFIX) {
      this.prefix = PREFIX;
      return null;
    }
    const command = keys[id];
    if (!command) return null;
    return isDraftCommand(command) ? { kind: "draft", command } : { kind: "screen", command };
  }
}

/** A key as the table writes it, `ctrl+alt+shift+name`. */
export function keyId({ ctrl, alt, shift, name }: KeyEvent): string {
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${shift ? "shift+" : ""}${name}`;
}

/** What has an entry among the draft's functions needs nobody else. */
function isDraftCommand(command: DraftCommand | ScreenCommand): command is DraftCommand {
  return command in draftCommands;
}

/** Carries out what concerns the draft alone. */
export function editDraft(buffer: EditBuffer, action: Exclude<EditorAction, { kind: "screen" }>): EditBuffer {
  if (action.kind === "insert") return insertText(buffer, action.text);
  if (action.kind === "paste") return insertPaste(buffer, action.text);
  return draftCommands[action.command](buffer);
}

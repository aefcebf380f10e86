import { describe, expect, it } from "vitest";
import { InputDecoder } from "../../../src/ui/input/decoder";
import { createBuffer, type EditBuffer, textOf } from "../../../src/ui/input/editBuffer";
import type { InputEvent } from "../../../src/ui/input/inputEvents";
import { type EditorAction, editDraft, Keymap } from "../../../src/ui/input/keymap";
import { ManualTimers } from "./manualTimers";

/** What keys do, from their bytes on: each string is one read, with time enough between them. */
function actionsOf(...reads: string[]): EditorAction[] {
  const keymap = new Keymap();
  const actions: EditorAction[] = [];
  const timers = new ManualTimers();
  const take = (event: InputEvent) => {
    const action = keymap.take(event);
    if (action) actions.push(action);
  };
  const decoder = new InputDecoder({ escapeWaitMs: 50, onEvent: take, timers });
  for (const read of reads) {
    decoder.feed(Buffer.from(read));
    timers.pass(100);
  }
  return actions;
}

function edited(...reads: string[]): string {
  const buffer = actionsOf(...reads).reduce<EditBuffer>(
    (draft, action) => (action.kind === "screen" ? draft : editDraft(draft, action)),
    createBuffer(),
  );
  return textOf(buffer);
}

describe("keys of the draft", () => {
  it.each<[string, string[], string]>([
    ["newline keys", ["a\u001b[13;2u", "b\u001b[27;2;13~", "c\u001b\r", "d\n", "e"], "a\nb\nc\nd\ne"],
    ["Ctrl-A and Ctrl-E", ["b", "\u0001a", "\u0005c"], "abc"],
    ["Ctrl-B is the screen's, the arrows are ours", ["ac", "\u001b[D", "b"], "abc"],
    ["word keys", ["foo bar-baz qux", "\u001bb", "\u001bb", "\u0017", "\u001b[1;5C", "!"], "foo baz! qux"],
    ["kill and yank", ["precious words", "\u0015", "\u0019"], "precious words"],
    ["undo by Ctrl-_", ["a", " ", "b", "c", "\u001f"], "a "],
    ["undo by Ctrl-X Ctrl-U", ["a", " ", "b", "\u001f", "\u0018", "\u0015"], ""],
    ["a burst is inserted with its line ends", ["one\rtwo\rthree"], "one\ntwo\nthree"],
    ["a paste", ["\u001b[200~x\ry\u001b[201~"], "x\ny"],
    ["many backspaces", ["abc👨‍👩‍👧", "\u007f\u007f"], "ab"],
  ])("%s", (_, reads, expected) => expect(edited(...reads)).toBe(expected));
});

describe("keys of the screen", () => {
  it.each<[string, string, string]>([
    ["Enter", "\r", "submit"],
    ["Escape", "\u001b", "escape"],
    ["Ctrl-C", "\u0003", "cancel"],
    ["Ctrl-D", "\u0004", "deleteOrLeave"],
    ["Shift-Tab", "\u001b[Z", "nextMode"],
    ["Tab", "\t", "complete"],
    ["Ctrl-R", "\u0012", "searchHistory"],
    ["Ctrl-O", "\u000f", "expand"],
    ["Ctrl-T", "\u0014", "openRequest"],
    ["Ctrl-G", "\u0007", "editor"],
    ["Ctrl-L", "\u000c", "redraw"],
    ["Ctrl-Z", "\u001a", "suspend"],
    ["Ctrl-V", "\u0016", "pasteImage"],
    ["Up", "\u001b[A", "up"],
    ["Ctrl-C as a number", "\u001b[99;5u", "cancel"],
  ])("%s", (_, bytes, command) => expect(actionsOf(bytes)).toEqual([{ kind: "screen", command }]));

  it("waits behind Ctrl-X for its second key, and forgets it when another comes", () => {
    expect(actionsOf("\u0018", "\u0005")).toEqual([{ kind: "screen", command: "editor" }]);
    expect(actionsOf("\u0018", "q", "\u0005")).toEqual([
      { kind: "insert", text: "q" },
      { kind: "draft", command: "moveLineEnd" },
    ]);
  });

  it("has nothing for answers, focus and keys without a meaning", () => {
    expect(actionsOf("\u001b[?62c", "\u001b[I", "\u001b[15~", "\u001b]11;rgb:0/0/0\u0007")).toEqual([]);
  });
});

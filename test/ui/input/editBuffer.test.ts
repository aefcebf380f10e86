import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../../src/render/width";
import {
  clearBuffer,
  continueLine,
  createBuffer,
  deleteBack,
  deleteForward,
  type EditBuffer,
  expandMarker,
  freshBuffer,
  insertPaste,
  insertText,
  killBlankWordBack,
  killToLineEnd,
  killToLineStart,
  killWordBack,
  killWordForward,
  moveDown,
  moveEnd,
  moveLeft,
  moveLineEnd,
  moveLineStart,
  moveRight,
  moveStart,
  moveUp,
  moveWordLeft,
  moveWordRight,
  redo,
  setText,
  textOf,
  undo,
  visualRows,
  yank,
  yankPop,
} from "../../../src/ui/input/editBuffer";

type Edit = (buffer: EditBuffer) => EditBuffer;
const type =
  (text: string): Edit =>
  (buffer) =>
    insertText(buffer, text);
const paste =
  (text: string): Edit =>
  (buffer) =>
    insertPaste(buffer, text);
const times =
  (count: number, edit: Edit): Edit =>
  (buffer) =>
    Array.from({ length: count }).reduce<EditBuffer>(edit, buffer);
const run = (...edits: Edit[]): EditBuffer => edits.reduce((buffer, edit) => edit(buffer), createBuffer());

/** The text with the caret as `|`. */
function shown(buffer: EditBuffer): string {
  const parts = buffer.units.map((unit) => (typeof unit === "string" ? unit : `<${unit.lines}>`));
  return [...parts.slice(0, buffer.caret), "|", ...parts.slice(buffer.caret)].join("");
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join("\n");

describe("typing and deleting", () => {
  it.each<[string, Edit[], string]>([
    ["graphemes are one step", [type("ab👨‍👩‍👧"), deleteBack, deleteBack], "a|"],
    ["an accent joins its letter", [type("e"), type("\u0301"), deleteBack], "|"],
    ["a flag of two typed halves is one", [type("🇩"), type("🇪"), moveLeft], "|🇩🇪"],
    ["insert in the middle", [type("ac"), moveLeft, type("b")], "ab|c"],
    ["delete ahead", [type("abc"), moveStart, deleteForward], "|bc"],
    ["nothing to delete", [deleteBack, deleteForward], "|"],
    ["CR LF is a line end", [type("a\r\nb")], "a\nb|"],
    ["a backslash becomes a line end", [type("a\\"), (buffer) => continueLine(buffer) ?? buffer], "a\n|"],
  ])("%s", (_, edits, expected) => expect(shown(run(...edits))).toBe(expected));

  it("has no line to continue without a backslash", () => {
    expect(continueLine(run(type("a")))).toBeNull();
  });
});

describe("moving", () => {
  it.each<[string, Edit[], string]>([
    ["by word", [type("foo bar-baz qux"), moveWordLeft, moveWordLeft], "foo bar-|baz qux"],
    ["to a word's end", [type("foo bar-baz"), moveStart, moveWordRight, moveWordRight], "foo bar|-baz"],
    ["over CJK words", [type("你好世界"), moveWordLeft], "你好|世界"],
    ["over a marker", [paste(lines(9)), type(" a"), moveWordLeft, moveWordLeft], "|<9> a"],
    ["to the ends of a line", [type("ab\ncd\nef"), moveLeft, moveLineStart, moveLeft, moveLineStart], "ab\n|cd\nef"],
    ["to a line's end", [type("ab\ncd"), moveStart, moveLineEnd], "ab|\ncd"],
    ["stays inside", [type("a"), moveRight, moveRight, moveLeft, moveLeft, moveLeft], "|a"],
    ["to the end", [type("a\nb"), moveStart, moveEnd], "a\nb|"],
  ])("%s", (_, edits, expected) => expect(shown(run(...edits))).toBe(expected));
});

describe("killing and yanking", () => {
  it.each<[string, Edit[], string]>([
    ["Ctrl-U and Ctrl-Y", [type("precious words"), killToLineStart, yank], "precious words|"],
    [
      "the documented keys of word editing",
      [type("foo bar-baz qux"), moveWordLeft, moveWordLeft, killBlankWordBack, moveWordRight, type("!")],
      "foo baz!| qux",
    ],
    ["kills in a row are one piece", [type("a b c"), killBlankWordBack, killBlankWordBack, yank], "a b c|"],
    ["in both directions", [type("ab cd"), times(3, moveLeft), killToLineEnd, killToLineStart, yank], "ab cd|"],
    ["a move begins a new piece", [type("ab cd"), killBlankWordBack, moveLeft, killToLineStart, yank], "ab| "],
    ["a word back and ahead", [type("ab-cd ef"), killWordBack, moveStart, killWordForward], "|-cd "],
    ["at its end a line end is killed", [type("a\nb"), moveStart, moveRight, killToLineEnd], "a|b"],
    ["the piece before", [type("one"), killToLineStart, type("two"), killToLineStart, yank, yankPop], "one|"],
    ["pop only right behind a yank", [type("one"), killToLineStart, yank, moveLeft, yankPop], "on|e"],
    ["a marker is killed and comes back whole", [paste(lines(9)), killToLineStart, yank], "<9>|"],
  ])("%s", (_, edits, expected) => expect(shown(run(...edits))).toBe(expected));

  it("survives sending", () => {
    expect(shown(yank(freshBuffer(run(type("kept"), killToLineStart))))).toBe("kept|");
  });
});

describe("pastes", () => {
  it("of up to five lines and 800 characters are text", () => {
    expect(shown(run(paste("a\nb\nc\nd\ne")))).toBe("a\nb\nc\nd\ne|");
    expect(shown(run(paste("a\nb\nc\nd\ne\n")))).toBe("a\nb\nc\nd\ne\n|");
    expect(run(paste("x".repeat(800))).units).toHaveLength(800);
    expect(run(paste("x".repeat(801))).units).toHaveLength(1);
  });

  it("beyond are one unit, and are sent as they were", () => {
    const source = Array.from({ length: 120 }, () => "replace '\\.x$', '$&' \\1").join("\n");
    const buffer = run(type("see "), paste(source), type("!"));
    expect(shown(buffer)).toBe("see <120>!|");
    expect(textOf(buffer)).toBe(`see ${source}!`);
    expect(shown(deleteBack(deleteBack(buffer)))).toBe("see |");
  });

  it("can be unfolded, and folded again by undo", () => {
    const buffer = run(paste(lines(6)));
    const open = expandMarker(buffer);
    expect(shown(open)).toBe(`${lines(6)}|`);
    expect(shown(undo(open))).toBe("<6>|");
    expect(expandMarker(run(type("a")))).toEqual(run(type("a")));
  });

  it("are numbered", () => {
    const { rows } = visualRows(run(paste(lines(300)), type(" "), paste(lines(7))), 80);
    expect(rows[0]?.text).toBe("[Pasted text #1 +300 lines] [Pasted text #2 +7 lines]");
    expect(visualRows(run(paste(lines(300))), 20).rows[0]?.text).toBe("[Pasted text #1 +3…");
  });
});

describe("undo", () => {
  it.each<[string, Edit[], string]>([
    ["goes back word by word", [type("one"), type(" "), type("t"), type("wo"), undo], "one |"],
    ["brings a killed line back", [type("precious words"), killToLineStart, undo], "precious words|"],
    ["brings a cleared draft back", [type("draft"), clearBuffer, undo], "draft|"],
    [
      "brings the draft back behind history",
      [type("draft"), (buffer) => setText(buffer, "old prompt"), undo],
      "draft|",
    ],
    ["takes a paste in one step", [type("a"), paste("b\nc"), undo], "a|"],
    ["of nothing is nothing", [undo, redo], "|"],
    ["can be undone", [type("a"), clearBuffer, undo, redo], "|"],
    ["is forgotten by a new change", [type("a"), undo, type("b"), redo], "b|"],
  ])("%s", (_, edits, expected) => expect(shown(run(...edits))).toBe(expected));

  const edits = fc.array(
    fc.oneof(
      fc.constantFrom<Edit>(
        deleteBack,
        deleteForward,
        moveLeft,
        moveRight,
        moveWordLeft,
        moveWordRight,
        moveLineStart,
        moveLineEnd,
        moveStart,
        moveEnd,
      ),
      fc.constantFrom<Edit>(
        killToLineEnd,
        killToLineStart,
        killWordBack,
        killWordForward,
        killBlankWordBack,
        yank,
        yankPop,
        clearBuffer,
        expandMarker,
      ),
      fc.string({ unit: "grapheme", maxLength: 4 }).map(type),
      fc.constantFrom("a\nb", lines(8), "👨‍👩‍👧", "\u0301", "🇩", " ").map(paste),
    ),
    { maxLength: 30 },
  );

  it("leads from any draft to the empty one and back", () => {
    fc.assert(
      fc.property(edits, (changes) => {
        const end = run(...changes);
        const start = times(changes.length + 1, undo)(end);
        expect(textOf(start)).toBe("");
        expect(textOf(times(changes.length + 1, redo)(start))).toBe(textOf(end));
      }),
    );
  });

  it("one step takes back exactly one change that is no typing", () => {
    fc.assert(
      fc.property(
        edits,
        fc.constantFrom<Edit>(deleteBack, killToLineStart, yank, clearBuffer, paste("x\ny")),
        (changes, change) => {
          const before = run(...changes);
          const after = change(before);
          const back = after === before ? after : undo(after);
          expect([textOf(back), back.caret]).toEqual([textOf(before), before.caret]);
        },
      ),
    );
  });

  it("the caret stays between the units, and units are graphemes that need no joining", () => {
    fc.assert(
      fc.property(edits, (changes) => {
        const { caret, units } = run(...changes);
        expect(caret).toBeGreaterThanOrEqual(0);
        expect(caret).toBeLessThanOrEqual(units.length);
      }),
    );
  });
});

describe("rows", () => {
  const rowsOf = (text: string, width: number) => visualRows(createBuffer(text), width).rows.map((row) => row.text);

  it.each<[string, number, string[]]>([
    ["", 10, [""]],
    ["one two three", 9, ["one two ", "three"]],
    ["abcdefghij", 5, ["abcd", "efgh", "ij"]],
    ["你好世界", 6, ["你好", "世界"]],
    ["a\n\nb\n", 10, ["a", "", "b", ""]],
    ["\ta", 10, ["    a"]],
    ["a\u202eb", 20, ["a<U+202E>b"]],
  ])("of %j in %d columns", (text, width, expected) => expect(rowsOf(text, width)).toEqual(expected));

  it("say where the caret stands, in cells", () => {
    const at = (text: string, width: number) => {
      const { row, column } = visualRows(createBuffer(text), width);
      return [row, column];
    };
    expect(at("你好ab", 60)).toEqual([0, 6]);
    expect(at("one two three", 9)).toEqual([1, 5]);
    expect(at("abcd", 5)).toEqual([0, 4]);
    expect(at("a\n", 5)).toEqual([1, 0]);
  });

  it("hold every unit once, none too wide, the caret on screen", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.nat(60),
        fc.integer({ min: 3, max: 40 }),
        (text, caret, width) => {
          const buffer = { ...createBuffer(text), caret: Math.min(caret, createBuffer(text).units.length) };
          const { rows, row, column } = visualRows(buffer, width);
          for (const one of rows) expect(textWidth(one.text)).toBeLessThan(width);
          const covered =
            rows.flatMap(({ start, end }) => buffer.units.slice(start, end)).length +
            buffer.units.filter((unit) => unit === "\n").length;
          expect(covered).toBe(buffer.units.length);
          expect(row).toBeLessThan(rows.length);
          expect(column).toBeLessThan(width);
        },
      ),
    );
  });
});

describe("moving by row", () => {
  it("keeps the column over shorter rows", () => {
    const buffer = run(type("longer line\nab\nanother one"), times(3, moveLeft));
    const up = moveUp(buffer, 80)!;
    expect(shown(up)).toBe("longer line\nab|\nanother one");
    expect(shown(moveUp(up, 80)!)).toBe("longer l|ine\nab\nanother one");
    expect(shown(moveDown(moveUp(up, 80)!, 80)!)).toBe("longer line\nab|\nanother one");
  });

  it("goes through the rows of a wrapped line", () => {
    const buffer = run(type("abcdefgh"));
    expect(shown(moveUp(buffer, 5)!)).toBe("abc|defgh");
    expect(shown(moveDown(moveUp(buffer, 5)!, 5)!)).toBe("abcdefgh|");
  });

  it("ends at the first and the last row", () => {
    expect(moveUp(run(type("a")), 80)).toBeNull();
    expect(moveDown(run(type("a\nb")), 80)).toBeNull();
  });
});

import { describe, expect, test } from "vitest";
import { driftOf, rowsAboveCursor } from "../../src/ui/reflow";

describe("where the cursor is after the terminal has wrapped our rows anew", () => {
  const rows = ["", "❯ hello world, a draft", "interactive · model · 3 % context · ~/project"];
  const caret = { x: 22, y: 1 };

  test.each([
    ["wide enough", 100, 1, 1],
    ["the rows below wrap", 40, 1, 2],
    ["its own row too", 20, 2, 4],
  ])("%s", (_, columns, exact, xtermjs) => {
    expect(rowsAboveCursor({ rows, caret }, { columns: columns, drift: "exact", lost: 0 })).toBe(exact);
    expect(rowsAboveCursor({ rows, caret }, { columns: columns, drift: "xtermjs", lost: 0 })).toBe(xtermjs);
  });

  test("rows that the screen lost are gone before the wrapping", () => {
    const at = (lost: number) => rowsAboveCursor({ rows, caret }, { columns: 40, drift: "xtermjs", lost });
    expect([at(0), at(1), at(2), at(9)]).toEqual([2, 2, 1, 1]);
  });

  test("without a caret it stands below the last row", () => {
    expect(rowsAboveCursor({ rows, caret: null }, { columns: 100, drift: "exact", lost: 0 })).toBe(3);
    expect(rowsAboveCursor({ rows, caret: null }, { columns: 20, drift: "exact", lost: 0 })).toBe(6);
  });

  test("a wide character that does not fit goes to the next row whole", () => {
    expect(
      rowsAboveCursor({ rows: ["你好世界", "x"], caret: { x: 0, y: 1 } }, { columns: 3, drift: "exact", lost: 0 }),
    ).toBe(4);
  });

  test("colours take no place", () => {
    expect(
      rowsAboveCursor(
        { rows: ["\u001b[31m1234567890\u001b[39m", "x"], caret: { x: 0, y: 1 } },
        { columns: 10, drift: "exact", lost: 0 },
      ),
    ).toBe(1);
  });
});

test("xterm.js is known by its answer", () => {
  expect(driftOf("0;276;0")).toBe("xtermjs");
  expect(driftOf("41;351;0")).toBe("exact");
});

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
    expect(rowsAboveCursor({ rows, caret }, columns, "exact")).toBe(exact);
    expect(rowsAboveCursor({ rows, caret }, columns, "xtermjs")).toBe(xtermjs);
  });

  test("without a caret it stands below the last row", () => {
    expect(rowsAboveCursor({ rows, caret: null }, 100, "exact")).toBe(3);
    expect(rowsAboveCursor({ rows, caret: null }, 20, "exact")).toBe(6);
  });

  test("a wide character that does not fit goes to the next row whole", () => {
    expect(rowsAboveCursor({ rows: ["你好世界", "x"], caret: { x: 0, y: 1 } }, 3, "exact")).toBe(4);
  });

  test("colours take no place", () => {
    expect(rowsAboveCursor({ rows: ["\u001b[31m1234567890\u001b[39m", "x"], caret: { x: 0, y: 1 } }, 10, "exact")).toBe(
      1,
    );
  });
});

test("xterm.js is known by its answer", () => {
  expect(driftOf("0;276;0")).toBe("xtermjs");
  expect(driftOf("41;351;0")).toBe("exact");
});

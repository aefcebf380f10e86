import { describe, expect, test } from "vitest";
import { RowMarks } from "../../src/ui/RowMarks";

describe("stand-ins", () => {
  test("give the rows back where they are written", () => {
    const marks = new RowMarks();
    const [first, blank, second] = marks.frame(["one \u001b[31mred\u001b[0m", "", "two"]);
    expect(marks.expand(`${first}\n${blank}\n${second}\n`)).toBe("one \u001b[31mred\u001b[0m\n \ntwo\n");
  });

  test("stay the same while a row does, and change with it", () => {
    const marks = new RowMarks();
    const before = marks.frame(["same", "old"]);
    const after = marks.frame(["same", "new"]);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test("a row that stays is never forgotten, whatever goes by", () => {
    const marks = new RowMarks();
    const [kept] = marks.frame(["kept", "first"]);
    for (let n = 0; n < 5_000; n++) marks.frame(["kept", `frame ${n}`]);
    expect(marks.expand(kept ?? "")).toBe("kept");
  });

  test("a batch comes back as its rows", () => {
    const marks = new RowMarks();
    expect(marks.expand(`${marks.batch(["a", "", "b"])}\n`)).toBe("a\n\nb\n");
  });
});

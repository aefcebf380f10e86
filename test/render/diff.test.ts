import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPaint } from "../../src/render/color";
import { countDiff, parseDiff, renderDiff } from "../../src/render/diff";
import { textWidth } from "../../src/render/width";

const sample = `--- a/src/x.ts
+++ b/src/x.ts
@@ -1,4 +1,4 @@
 one
-two
+zwei
 three
 four
@@ -98,3 +98,4 @@
 a
 b
+c
 d
`;

describe("a diff on a card", () => {
  it("has numbers, signs and a mark between its hunks", () => {
    expect(renderDiff(sample)).toEqual([
      "src/x.ts",
      "  1   one",
      "  2 - two",
      "  2 + zwei",
      "  3   three",
      "  4   four",
      "    ⋮",
      " 98   a",
      " 99   b",
      "100 + c",
      "101   d",
    ]);
  });

  it("is coloured by more than colour", () => {
    const rows = renderDiff(sample, { paint: createPaint(true), hideFiles: true });
    expect(rows[1]).toBe("\u001b[2m  2\u001b[22m \u001b[31m-\u001b[39m \u001b[31mtwo\u001b[39m");
    expect(rows[2]).toContain("\u001b[32m+\u001b[39m");
  });

  it("counts", () => {
    expect(countDiff(sample)).toEqual({ added: 2, removed: 1 });
  });

  it.each<[string, string, string[]]>([
    ["a new file", "--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+x\n", ["n.txt", "  1 + x"]],
    ["a file that goes", "--- a/n.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", ["n.txt", "  1 - x"]],
    ["another name", "--- a/o.txt\n+++ b/n.txt\n@@ -1 +1 @@\n-x\n+y\n", ["o.txt → n.txt", "  1 - x", "  1 + y"]],
    [
      "no line end at the end",
      "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n",
      ["  1 - x", "No newline at end of file", "  1 + x"],
    ],
    [
      "removed lines that look like names",
      "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1 @@\n--- comment\n x\n",
      ["q.sql", "  1 - -- comment", "  1   x"],
    ],
    [
      "git's header",
      "diff --git a/i b/i\nindex 1..2 100644\n--- a/i\n+++ b/i\n@@ -1 +1 @@\n-x\n+y\n",
      ["i", "  1 - x", "  1 + y"],
    ],
    ["binary files", "diff --git a/i b/i\nBinary files a/i and b/i differ\n", ["Binary files a/i and b/i differ"]],
    ["no diff at all", "nothing to see\n", ["nothing to see"]],
    ["nothing", "", []],
  ])("shows %s", (_, diff, rows) => expect(renderDiff(diff)).toEqual(rows));

  it("hides nothing: controls, directions and line ends are seen", () => {
    const rows = renderDiff("@@ -1,2 +1,3 @@\n-a\u202eb\n+c\u001b[8md\n+e\r\n f\n").join("\n");
    expect(rows).toContain("a<U+202E>b");
    expect(rows).toContain("c<U+001B>[8md");
    expect(rows).toContain("e<U+000D>");
  });

  it("takes CR LF files as they are", () => {
    expect(renderDiff("@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n")).toEqual(["  1   a", "  2 - b", "  2 + c"]);
  });

  it("cuts long lines on a card and wraps them where all must be shown", () => {
    const diff = `@@ -0,0 +1 @@\n+${"x".repeat(60)}END\n`;
    expect(renderDiff(diff, { width: 30 })).toEqual([`  1 + ${"x".repeat(23)}…`]);
    const rows = renderDiff(diff, { width: 30, wrap: true });
    expect(rows.join("").replaceAll(" ", "")).toContain("END");
    for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(30);
  });

  it("keeps every line of any change", () => {
    const line = fc.stringMatching(/^[ -~]{0,12}$/);
    fc.assert(
      fc.property(fc.array(line), fc.array(line), (before, after) => {
        const text = (lines: string[]) => lines.map((one) => `${one}\n`).join("");
        const lines = parseDiff(
          createTwoFilesPatch("a/f", "b/f", text(before), text(after), "", "", { context: 9999 }),
        );
        fc.pre(text(before) !== text(after));
        expect(lines.filter(({ kind }) => kind === "context" || kind === "removed").map((one) => one.text)).toEqual(
          before,
        );
        expect(lines.filter(({ kind }) => kind === "context" || kind === "added").map((one) => one.text)).toEqual(
          after,
        );
      }),
    );
  });
});

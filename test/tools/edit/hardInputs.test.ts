/** Inputs that drive careless matching into time in the square or worse. Each must end, with any result. */

import { describe, expect, it } from "vitest";
import { findPlaceholder } from "../../../src/tools/edit/match/placeholder";
import { replaceInText } from "../../../src/tools/edit/match/replace";
import { applyHunks } from "../../../src/tools/edit/patch/applyHunks";
import { parsePatch } from "../../../src/tools/edit/patch/patchParser";
import { parseUnifiedDiff } from "../../../src/tools/edit/patch/unifiedParser";
import { lineChanges } from "../../../src/tools/edit/text/lineDiff";

const many = (text: string, count: number) => text.repeat(count);
const replace =
  (raw: string, old: string, text = "x") =>
  () =>
    replaceInText(raw, [{ old, text, replaceAll: false }], { path: "f" });

describe("replace_in_file", () => {
  it.each([
    ["one letter a million times", many("a", 1_000_000), `${many("a", 50_000)}b${many("a", 50_000)}`],
    ["a long text that almost matches everywhere", many("ab", 300_000), `${many("ab", 40_000)}c`],
    ["equal lines, and a block of them that ends otherwise", many("x\n", 200_000), `${many("x\n", 50_000)}y`],
    ["equal lines with odd blanks", many("x \n", 100_000), `${many(" x\n", 30_000)} y`],
    ["blank lines only", many("\n", 100_000), `${many("\n", 50_000)}z`],
    ["a line of a megabyte", many("word ", 200_000), `${many("word ", 100_000)}other`],
    [
      "thousands of different words",
      Array.from({ length: 60_000 }, (_, at) => `w${at} common`).join("\n"),
      Array.from({ length: 300 }, (_, at) => `v${at} common`).join("\n"),
    ],
    ["backslashes", many("\\", 100_000), many("\\n", 50_000)],
    [
      "numbers that look like line numbers",
      many("1: ", 100_000),
      Array.from({ length: 5_000 }, (_, at) => `${at}: x`).join("\n"),
    ],
    ["CJK lines", many("中文“内容”，一行\n", 60_000), "中文内容\n另一行"],
  ])("%s", (_kind, raw, old) => {
    expect(replace(raw, old)).toThrow(/not found|occurs/);
  });

  it("counts the places of a text that is everywhere", () => {
    expect(replace(many("a\n", 300_000), "a\n")).toThrow(/occurs 300000 times/);
    const { splices } = replaceInText(many("a\n", 100_000), [{ old: "a", text: "b", replaceAll: true }], { path: "f" });
    expect(splices).toHaveLength(100_000);
  });
});

describe("patches", () => {
  it("of many hunks, each of many lines", () => {
    const raw = many("same\n", 20_000);
    const body = Array.from({ length: 300 }, () => `@@\n${many(" same\n", 20)}-other\n+new`).join("\n");
    const [operation] = parsePatch(`*** Begin Patch\n*** Update File: f\n${body}\n*** End Patch`);
    const hunks = operation?.kind === "update" ? operation.hunks : [];
    expect(() => applyHunks(raw, hunks, { path: "f", fuzz: 2, appendsByDefault: true })).toThrow(/not found/);
  });

  it("of ten thousand hunks for a long file", () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `value ${at}`);
    const hunk = (at: number) => `@@\n ${lines[at]}\n-${lines[at + 1]}\n+changed\n ${lines[at + 2]}`;
    const body = Array.from({ length: 10_000 }, (_, at) => hunk(at * 6)).join("\n");
    const [operation] = parsePatch(`*** Begin Patch\n*** Update File: f\n${body}\n*** End Patch`);
    const hunks = operation?.kind === "update" ? operation.hunks : [];
    const { splices } = applyHunks(lines.join("\n"), hunks, { path: "f", fuzz: 2, appendsByDefault: true });
    expect(splices).toHaveLength(10_000);
  });

  it("of nothing but marks, blanks or stars", () => {
    for (const text of [
      "@@\n",
      "+\n",
      "-\n",
      " \n",
      "\n",
      "*** \n",
      "--- a\n+++ b\n",
      "@@ -1 +1 @@\n",
      "\\ x\n",
      "diff --git a b\n",
    ]) {
      for (const parse of [parsePatch, parseUnifiedDiff]) {
        try {
          parse(many(text, 30_000));
        } catch (error) {
          expect(error).toMatchObject({ code: "EditRefused" });
        }
      }
    }
  });
});

describe("the rest", () => {
  it("placeholders in huge lines", () => {
    expect(findPlaceholder(many("// ... rest ", 50_000), "")).toBeUndefined();
    expect(findPlaceholder(many("x\n", 200_000) + many(".", 100_000), "")).toBeUndefined();
  });

  it("differences of texts that have nothing in common, or everything a little", () => {
    const one = Array.from({ length: 20_000 }, (_, at) => `a${at % 50}`).join("\n");
    const other = Array.from({ length: 20_000 }, (_, at) => `a${(at * 7) % 50}`).join("\n");
    const changes = lineChanges(one, [{ start: 0, end: one.length, text: other }]);
    expect(changes.added - changes.removed).toBe(0);
  });
});

/** Printed items: one look at each kind, and laws that hold for all foreign text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPaint } from "../../../src/render/color";
import { textWidth } from "../../../src/render/width";
import { textsFor } from "../../../src/shared/locales";
import type { Card } from "../../../src/ui/state/cards";
import type { Item } from "../../../src/ui/state/items";
import { uiTextsOf } from "../../../src/ui/state/texts";
import { itemRows } from "../../../src/ui/view/items";

const markdown = { text: (text: string) => text.split("\n"), block: ({ raw }: { raw: string }) => raw.split("\n") };
const rowsOf = (item: Item, width = 79, before: Item["kind"] | null = null) =>
  itemRows(item, before, {
    width,
    paint: createPaint(false),
    color: false,
    texts: uiTextsOf(textsFor("en")),
    now: 0,
    beat: 0,
    markdown,
  });
const card = (more: Partial<Card>): Item => ({
  kind: "card",
  card: { id: "1", name: "run_shell", args: { command: "npm test" }, state: "ok", output: "", preview: "", ...more },
});

describe("tool cards", () => {
  test.each<[string, Partial<Card>, RegExp]>([
    ["ok, with its time", { durationMs: 3_210 }, /^✓ run_shell npm test 3\.2 s$/],
    ["a quick one says no time", { durationMs: 20 }, /^✓ run_shell npm test$/],
    ["error", { state: "error", durationMs: 64_000 }, /^✗ run_shell npm test error · 1 min 4 s$/],
    [
      "denied, with why",
      { state: "denied", reason: "Denied by the user." },
      /^⊘ run_shell npm test denied\n {2}│ Denied by the user\.$/,
    ],
    ["interrupted", { state: "interrupted" }, /^■ run_shell npm test interrupted$/],
    ["the last rows of live output", { output: "1\n2\n3\n4\n5\n6\n7\n" }, /… 2 rows above\n {2}│ 3\n[\s\S]*│ 7$/],
    [
      "a line far longer than a row, with what is hidden of it",
      { output: "A".repeat(5_000) },
      /^.*\n {2}│ A{65}… \(\+4935\)$/,
    ],
    ["and of one whose beginning is not kept", { output: "A".repeat(8_192) }, /^.*\n {2}│ A{65}… \(\+8127\+\)$/],
    ["the beginning of a result", { name: "x", preview: "a\nb\nc\nd\ne\nf" }, /│ a\n[\s\S]*│ e\n {2}│ … more: Ctrl-O/],
    [
      "a read says how much it found",
      { name: "read_file", args: { path: "a.ts" }, preview: "1|a\n2|b" },
      /^✓ read_file a\.ts 2 lines$/,
    ],
    [
      "an edit shows its diff",
      { name: "e", args: { path: "a" }, diff: "--- a/a\n+++ b/a\n@@ -9 +9 @@\n-one\n+two" },
      /^✓ e a \+1 −1\n {2}│\s+9 - one\n {2}│\s+9 \+ two$/,
    ],
    [
      "a patch names its files",
      { name: "apply_patch", args: { patch: "*** Begin Patch\n*** Update File: a.ts\n@@\n*** Add File: b.ts\n" } },
      /^✓ apply_patch a\.ts, b\.ts$/,
    ],
    ["a search says where", { name: "grep", args: { pattern: "x", path: "src" }, preview: "" }, /^✓ grep x in src$/],
    ["many lines of command are counted", { args: { command: "cat <<E\na\nE" } }, /^✓ run_shell cat <<E … \(\+2\)$/],
  ])("%s", (_, more, look) => expect(rowsOf(card(more)).join("\n")).toMatch(look));

  test("a long diff is cut, and says by how much", () => {
    const diff = `--- a/a\n+++ b/a\n@@ -0,0 +1,100 @@\n${Array.from({ length: 100 }, (_, n) => `+row ${n}`).join("\n")}`;
    const rows = rowsOf(card({ diff }));
    expect(rows.length).toBeLessThanOrEqual(41);
    expect(rows.at(-1)).toMatch(/61 more/);
  });
});

test("blank rows part items, but not single-row cards from each other", () => {
  expect(rowsOf({ kind: "user", text: "hi" }, 79, "markdown")).toEqual(["", "› hi"]);
  expect(rowsOf(card({}), 79, "card")).toHaveLength(1);
  expect(rowsOf(card({ output: "x" }), 79, "card")[0]).toBe("");
});

test("a notice takes three rows at most", () => {
  const rows = rowsOf({
    kind: "notice",
    tone: "bad",
    text: "errorCommand",
    values: { command: "/x" },
    detail: "reason ".repeat(100),
  });
  expect(rows).toHaveLength(3);
  expect(rows[2]).toMatch(/…$/);
});

test("a failed call says what happened, what to do, and what the endpoint said", () => {
  const data = { error_type: "auth", error: "refused", detail: "Incorrect API key \u001b[2J provided" };
  const rows = rowsOf({ kind: "failure", data });
  expect(rows).toEqual([
    "✗ The endpoint refused the API key.",
    "  Check OPENAI_API_KEY, and that it belongs to the endpoint (OPENAI_BASE_URL).",
    expect.stringContaining("Incorrect API key"),
  ]);
  expect(rows.join("")).not.toContain("\u001b");
});

test("what was thought is one row", () => {
  const text = `I must look\nfirst. ${"x".repeat(500)}`;
  expect(rowsOf({ kind: "thought", text, seconds: 12 })).toEqual([
    expect.stringMatching(/^· Thought for 12 s: I must look/),
  ]);
  expect(rowsOf({ kind: "thought", text: "so" })).toEqual(["· Thought: so"]);
  const whole = rowsOf({ kind: "thought", text, isWhole: true });
  expect(whole.slice(0, 4)).toEqual([
    "· Thought",
    "  │ I must look",
    "  │ first.",
    expect.stringMatching(/^ {2}│ xxx/),
  ]);
  expect(whole.join("").replaceAll(/[^x]/g, "")).toHaveLength(500);
});

const foreign = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.constantFrom(
    "❯ x",
    "\u001b[1m❯\u001b[2J",
    "a\tb\rc\n❯",
    "你好，世界".repeat(40),
    "x".repeat(9_000),
    "\u001b]0;t\u0007",
    "--- a\n+++ b\n@@ -1 +1 @@\n-❯\n+\u001b[8mx",
  ),
);

const items: fc.Arbitrary<Item> = fc.oneof(
  foreign.map((text): Item => ({ kind: "user", text })),
  foreign.map((workspace): Item => ({ kind: "banner", version: "1", workspace })),
  foreign.map((detail): Item => ({ kind: "notice", tone: "bad", text: "problem", values: { detail }, detail })),
  foreign.map((text): Item => ({ kind: "diff", text })),
  fc
    .tuple(foreign, foreign, fc.constantFrom("ok", "error", "denied", "running", "past", "interrupted"))
    .map(
      ([name, text, state]): Item =>
        card({ name, args: { command: text }, state, output: text, preview: text, reason: text }),
    ),
  fc.tuple(foreign, foreign).map(([name, text]): Item => card({ name, diff: text })),
  foreign.map(
    (text): Item => ({
      kind: "result",
      card: { id: "", name: text, args: {}, state: "ok", output: "", preview: text },
      text,
    }),
  ),
);

test("no foreign text is too wide, acts on the terminal, or looks like the input row", () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 120 }), (item, width) => {
      for (const row of rowsOf(item, width)) {
        expect(textWidth(row)).toBeLessThanOrEqual(width);
        expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(row).not.toMatch(/^❯/);
      }
    }),
    { numRuns: 400 },
  );
});

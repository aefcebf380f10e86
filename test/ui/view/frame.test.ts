/** Laws of the live region: it never fills the screen, no row is as wide as it, and one row alone begins with the prompt mark. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainText } from "../../../src/render/sanitize";
import { textWidth } from "../../../src/render/width";
import type { Ask } from "../../../src/ui/dialogs/dialog";
import { buildQuestion } from "../../../src/ui/dialogs/question";
import { approval, ScreenBench } from "../state/stateBench";

const foreign = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.constantFrom(
    "❯ x",
    "\u001b[31mred",
    "a\tb\rc",
    "你好，世界".repeat(30),
    "👨‍👩‍👧 ⚠️ 1️⃣",
    "x".repeat(5_000),
    "a\n".repeat(80),
    "\u202e\u200b\u0000",
  ),
);

const asks: fc.Arbitrary<Ask> = fc.oneof(
  foreign.map((text) => approval(text)),
  fc
    .tuple(foreign, fc.array(foreign, { maxLength: 12 }), fc.boolean())
    .map(([question, options, multi]) => buildQuestion(question, options, { allowText: true, multi })),
  fc.constant<Ask>({ kind: "plan", comment: null }),
  foreign.map((path): Ask => ({ kind: "directory", path, reason: path, writable: true, refused: false })),
  fc.array(foreign, { minLength: 1, maxLength: 30 }).map(
    (labels): Ask => ({
      kind: "picker",
      title: "pickTurn",
      rows: labels.map((label) => ({ value: label, label, note: label })),
      cursor: labels.length - 1,
    }),
  ),
  fc.array(foreign, { maxLength: 30 }).map(
    (paths): Ask => ({
      kind: "confirm",
      title: "confirmRollback",
      values: { turn: 1 },
      groups: [{ title: "rollbackDeletes", tone: "warn", paths }],
      refused: true,
    }),
  ),
);

type Move = (bench: ScreenBench) => unknown;

const moves: fc.Arbitrary<Move> = fc.oneof(
  foreign.map(
    (text): Move =>
      (bench) =>
        bench.event({ type: "paste", text: plainText(text) }),
  ),
  foreign.map(
    (text): Move =>
      (bench) =>
        bench.event({ type: "text", text: plainText(text), alone: true }),
  ),
  fc.constantFrom("enter", "tab", "escape", "up", "down", "left", "home", "pagedown").map(
    (name): Move =>
      (bench) =>
        bench.key(name),
  ),
  fc.constantFrom("c", "r", "t", "o", "_", "k").map(
    (name): Move =>
      (bench) =>
        bench.key(name, { ctrl: true }),
  ),
  fc.constantFrom("y", "n", "e", "escape", "1", "enter").map(
    (key): Move =>
      (bench) =>
        bench.later(600).press(key),
  ),
  fc.constant<Move>((bench) => bench.do({ type: "started" })),
  fc.constant<Move>((bench) => bench.do({ type: "ended", status: "interrupted", iterations: 1, files: ["a"] })),
  foreign.map(
    (tail): Move =>
      (bench) =>
        bench.do({ type: "answer", blocks: [], tail }),
  ),
  foreign.map(
    (text): Move =>
      (bench) =>
        bench
          .emit("tool_proposed", { reqId: text, name: text, arguments: { command: text } })
          .emit("tool_started", { reqId: text, name: text })
          .emit("tool_output", { reqId: text, name: text, chunk: text }),
  ),
  foreign.map(
    (reason): Move =>
      (bench) =>
        bench.emit("llm_retry", { attempt: 1, max: 2, reason, waitMs: 3_000, iteration: 1, reqId: "" }),
  ),
  asks.map(
    (ask): Move =>
      (bench) =>
        bench.ask(ask).written(),
  ),
  fc.constant<Move>((bench) => bench.written()),
  fc.constant<Move>((bench) => bench.type("/")),
  fc.constant<Move>((bench) => bench.type("?")),
);

const sizes = fc.record({ columns: fc.integer({ min: 1, max: 130 }), rows: fc.integer({ min: 1, max: 50 }) });

describe("the live region", () => {
  test("in any state, at any size", () => {
    fc.assert(
      fc.property(sizes, fc.array(moves, { maxLength: 12 }), (size, steps) => {
        const bench = new ScreenBench(size);
        for (const step of steps) {
          step(bench);
          check(bench, size);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("also when the size changes under it", () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 8 }), sizes, (steps, size) => {
        const bench = new ScreenBench();
        for (const step of steps) step(bench);
        bench.do({ type: "resized", size });
        check(bench, size);
      }),
      { numRuns: 150 },
    );
  });
});

function check(bench: ScreenBench, size: { columns: number; rows: number }): void {
  const { rows, caret } = bench.frame();
  expect(rows.length).toBeLessThanOrEqual(Math.max(1, size.rows - 2));
  for (const row of rows) {
    expect(textWidth(row)).toBeLessThanOrEqual(Math.max(1, size.columns - 1));
    expect(row).not.toContain("\n");
    expect(row).not.toMatch(/[\u0000-\u0008\u000b-\u001a\u001c-\u001f]/);
  }
  const marked = rows.filter((row) => row.startsWith("❯")).length;
  expect(marked).toBeLessThanOrEqual(1);
  if (caret) {
    expect(caret.y).toBeLessThan(rows.length);
    expect(caret.x).toBeLessThanOrEqual(size.columns);
  }
}

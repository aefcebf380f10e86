import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import stringWidth from "string-width";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLazy } from "../../scripts/lazyStringWidth.mjs";

const source = createRequire(import.meta.url).resolve("string-width");
// It imports its neighbours by name, so the copy must lie where they can be found.
const copy = join(dirname(source), `lazy-${process.pid}.mjs`);
let lazy: (text: string) => number;

beforeAll(async () => {
  writeFileSync(copy, makeLazy(readFileSync(source, "utf8"), source));
  lazy = ((await import(pathToFileURL(copy).href)) as { default: (text: string) => number }).default;
});

afterAll(async () => {
  const { rm } = await import("node:fs/promises");
  await rm(copy, { force: true });
});

test.each([
  "plain",
  "❯ · ◆ › ✓ ■ …",
  "你好，世界",
  "全角ＡＢ",
  "한국어",
  "👨‍👩‍👧 👍🏽 🇨🇳 #️⃣ ❤️ ❤ ©️ ©",
  "नमस्ते ไทย",
  "e\u0301",
  "a\u200bb",
  "\u001b[31mred\u001b[0m",
  "│─┼",
  "ﾊﾟ",
])("%s", (text) => {
  expect(lazy(text)).toBe(stringWidth(text));
});

test("any text has the same width", () => {
  const unit = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.constantFrom("❯", "你", "👍", "️", "‍", "🏽", "1️⃣", "가"),
  );
  fc.assert(
    fc.property(
      fc.array(unit).map((parts) => parts.join("")),
      (text) => {
        expect(lazy(text)).toBe(stringWidth(text));
      },
    ),
    { numRuns: 500 },
  );
});

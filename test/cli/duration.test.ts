import { expect, test } from "vitest";
import { parseDuration } from "../../src/cli/duration";

test.each([
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["6h", 21_600_000],
  ["2d", 172_800_000],
  ["1h30m", 5_400_000],
  [" 1.5H ", 5_400_000],
  ["0s", 0],
])("%s", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "5", "h", "5x", "5 minutes", "-5m", "1h, 5m", "1..5h"])("%j is no time", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

/** What a report says of thousands of changes: counts and places are those of the edit, however many they are. */

import { diffArrays } from "diff";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { markChangedLines } from "../../../src/tools/edit/text/changedLines";
import { createBench, type EditBench } from "./support";

let bench: EditBench;

beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.remove());

const LINES = 60_000;
const rewrite = async (before: readonly string[], after: readonly string[]) => {
  bench.write("f", `${before.join("\n")}\n`);
  await bench.read("f");
  const result = await bench.call("write_file", { path: "f", content: `${after.join("\n")}\n` });
  expect(bench.text("f")).toBe(`${after.join("\n")}\n`);
  return result;
};
const filesOf = ({ display }: { display?: unknown }) => (display as { files: Record<string, unknown>[] }).files;

describe("ten thousand changes", () => {
  const lines = Array.from({ length: LINES }, (_, at) => `value ${at}`);

  it("as adjacent hunks of one patch", async () => {
    bench.write("f", `${lines.join("\n")}\n`);
    const hunk = (at: number) => `@@\n ${lines[at]}\n-${lines[at + 1]}\n+changed\n ${lines[at + 2]}`;
    const hunks = Array.from({ length: 10_000 }, (_, at) => hunk(at * 6)).join("\n");
    const patch = `*** Begin Patch\n*** Update File: f\n${hunks}\n*** End Patch`;
    const result = await bench.call("apply_patch", { patch });
    expect(result.content).toContain("Edited f: lines 2, 8, 14,");
    expect(result.content).toContain("9990 more places (+10000 −10000).");
    expect(filesOf(result)).toMatchObject([{ added: 10_000, removed: 10_000 }]);
    expect(String(filesOf(result)[0]?.diff)).toContain(
      "@@ -1,2998 +1,2998 @@\n value 0\n-value 1\n+changed\n value 2\n",
    );
  });

  it("as one replacement that stands on every second line", async () => {
    bench.write("f", "a\nb\n".repeat(10_000));
    const result = await bench.call("replace_in_file", {
      path: "f",
      edits: [{ old_string: "a", new_string: "c", replace_all: true }],
    });
    expect(result.content).toContain("9990 more places (+10000 −10000).");
  });

  it.each<[string, (line: string, at: number) => string[]]>([
    ["other lines", (line, at) => [at % 6 === 1 ? `changed ${line}` : line]],
    ["the same line everywhere", (line, at) => [at % 6 === 1 ? "changed" : line]],
    ["lines that stand elsewhere too", (line, at) => [at % 6 === 1 ? `value ${(at * 7919) % LINES}` : line]],
  ])("as a rewrite by write_file with %s", async (_, change) => {
    const result = await rewrite(lines, lines.flatMap(change));
    expect(result.content).toBe("Replaced f (60,000 lines, +10000 −10000).");
    expect(filesOf(result)).toMatchObject([{ added: 10_000, removed: 10_000 }]);
  });

  it("as a rewrite of lines that are all equal", async () => {
    const same = lines.map(() => "same");
    const result = await rewrite(
      same,
      same.map((line, at) => (at % 6 === 1 ? "changed" : line)),
    );
    expect(result.content).toBe("Replaced f (60,000 lines, +10000 −10000).");
  });

  it("as a rewrite that has half of the lines, and others between", async () => {
    const result = await rewrite(
      lines,
      lines.flatMap((line, at) => (at % 2 === 0 ? [line] : [`${line} a`, `${line} b`])),
    );
    expect(result.content).toBe("Replaced f (90,000 lines, +60000 −30000).");
  });
});

describe("changed lines", () => {
  const pairs = (old: readonly string[], fresh: readonly string[]) => {
    const changed = markChangedLines(old, fresh);
    const kept = old.filter((_, at) => changed.old[at] === 0);
    expect(fresh.filter((_, at) => changed.fresh[at] === 0)).toEqual(kept);
    return kept.length;
  };
  const keptByDiff = (old: string[], fresh: string[]) =>
    diffArrays(old, fresh).reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.length), 0);
  const text = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 40 });

  it("are as few as can be", () => {
    fc.assert(fc.property(text, text, (old, fresh) => pairs(old, fresh) === keptByDiff(old, fresh)));
  });

  it("are hardly more where the texts have little in common", () => {
    const old = Array.from({ length: 3_000 }, (_, at) => `a${(at * at) % 101}`);
    const fresh = Array.from({ length: 3_000 }, (_, at) => `a${(at * at * 7) % 103}`);
    expect(pairs(old, fresh)).toBeGreaterThan(keptByDiff(old, fresh) * 0.9);
  });

  it("of very long and different texts are found in bounded time", () => {
    const old = Array.from({ length: LINES }, (_, at) => `a${at % 50}`);
    const fresh = Array.from({ length: LINES }, (_, at) => `a${(at * 7) % 50}`);
    const begun = performance.now();
    expect(pairs(old, fresh)).toBeGreaterThan(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

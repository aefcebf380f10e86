/** What holds for every input: laws of the edit tools, tried with generated ones. */

import { createTwoFilesPatch, structuredPatch } from "diff";
import fc from "fast-check";
import iconv from "iconv-lite";
import { afterAll, describe, expect, it } from "vitest";
import { replaceInText } from "../../../src/tools/edit/match/replace";
import { applyHunks } from "../../../src/tools/edit/patch/applyHunks";
import { parsePatch } from "../../../src/tools/edit/patch/patchParser";
import { operationOf, parseUnifiedDiff } from "../../../src/tools/edit/patch/unifiedParser";
import { composeSplices } from "../../../src/tools/edit/text/composeSplices";
import { applySplices, sortSplices } from "../../../src/tools/edit/text/splices";
import { createBench, listing } from "./support";

const bench = createBench({ guarded: false });
afterAll(() => bench.remove());

/** Few different lines, so that repeats, near misses and lines that look like markers are frequent. */
const line = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "b",
    "  a",
    "\ta",
    "}",
    "-- x",
    "++ y",
    "@@ -1 +1 @@",
    "\\ z",
    "--- a/f",
    "+++ b/f",
    "*** End Patch",
    "é“”",
    "a\u2028b",
    "x\ry",
    "$&",
  ),
  fc.string({ maxLength: 6, unit: "binary" }).map((text) => text.replace(/[\r\n\0]/g, "")),
);
const lines = fc.array(line, { maxLength: 24 });
const textOf = (parts: string[], ending: string, isEnded: boolean) =>
  parts.length === 0 ? "" : parts.join(ending) + (isEnded ? ending : "");
/** A last line that is empty and not ended is no line. */
const text = (ending: string) =>
  fc.tuple(lines, fc.boolean()).map(([parts, isEnded]) => textOf(parts, ending, isEnded));

describe("replace_in_file", () => {
  it("with an exact unique match equals string replacement", () => {
    const law = fc.property(
      text("\n"),
      text("\n"),
      fc.string({ maxLength: 12 }),
      text("\n"),
      (head, tail, old, fresh) => {
        const raw = head + old + tail;
        const isUnique = old !== "" && raw.indexOf(old) === raw.lastIndexOf(old);
        fc.pre(isUnique && old !== fresh && fresh !== "" && !/\r/.test(old + fresh));
        fc.pre(!/\.\.\.|…/.test(fresh));
        const { splices } = replaceInText(raw, [{ old, text: fresh, replaceAll: false }], { path: "f" });
        const at = raw.indexOf(old);
        expect(applySplices(raw, splices)).toBe(raw.slice(0, at) + fresh + raw.slice(at + old.length));
      },
    );
    fc.assert(law, { numRuns: 2000 });
  });

  it("with replace_all equals splitting and joining", () => {
    const law = fc.property(fc.array(fc.constantFrom("ab", "c", "\n", "a"), { maxLength: 40 }), (parts) => {
      const raw = parts.join("");
      fc.pre(raw.includes("ab"));
      const { splices } = replaceInText(raw, [{ old: "ab", text: "$&$1\n", replaceAll: true }], { path: "f" });
      expect(applySplices(raw, splices)).toBe(raw.split("ab").join("$&$1\n"));
    });
    fc.assert(law, { numRuns: 500 });
  });
});

/** A block of code as depths and words; the first line is the shallowest. */
const code = fc
  .array(fc.tuple(fc.nat(3), fc.constantFrom("go();", "if (a) {", "}", "return x;", "// note", "b = [1, 2]")), {
    minLength: 1,
    maxLength: 7,
  })
  .map((rows) => rows.map(([depth, word], at) => ({ depth: at === 0 ? 0 : depth, word: `${word} ${at}` })));
const units = fc.constantFrom("\t", "  ", "    ", "   ");
const indented = (rows: { depth: number; word: string }[], unit: string, base: number) =>
  rows.map(({ depth, word }) => unit.repeat(depth + base) + word).join("\n");

describe("re-indenting", () => {
  it("writes what an edit in the file's own indentation would have written", () => {
    const setup = fc.record({
      block: code,
      unit: units,
      quotedUnit: units,
      base: fc.nat(2),
      quotedBase: fc.nat(2),
      extra: code,
      at: fc.nat(7),
    });
    const law = fc.property(setup, ({ block, unit, quotedUnit, base, quotedBase, extra, at }) => {
      const fresh = [
        ...block.slice(0, at),
        ...extra.map((row) => ({ ...row, word: `new ${row.word}` })),
        ...block.slice(at),
      ];
      const around = (body: string) => `first {\n${unit}one {\n${unit.repeat(2)}two\n${body}\nlast\n`;
      const old = indented(block, quotedUnit, quotedBase);
      fc.pre(!around(indented(block, unit, base)).includes(old));
      // Where the quoted text is one step deep only, nothing tells how deep a step is, unless the new text does.
      const depths = new Set([...block, ...fresh].map((row) => row.depth));
      fc.pre([...depths].some((depth) => depths.has(depth + 1)));
      const edit = { old, text: indented(fresh, quotedUnit, quotedBase), replaceAll: false };
      const { splices } = replaceInText(around(indented(block, unit, base)), [edit], { path: "f" });
      expect(applySplices(around(indented(block, unit, base)), splices)).toBe(around(indented(fresh, unit, base)));
    });
    fc.assert(law, { numRuns: 2000 });
  });
});

describe("splices", () => {
  it("composed give what one after the other gives", () => {
    const cuts = fc.array(fc.tuple(fc.nat(30), fc.nat(30), fc.string({ maxLength: 5 })), { maxLength: 5 });
    const apart = (raw: string, wanted: [number, number, string][]) => {
      const sorted = sortSplices(
        wanted.map(([a, b, fresh]) => ({
          start: Math.min(a, b, raw.length),
          end: Math.min(Math.max(a, b), raw.length),
          text: fresh,
        })),
      );
      return sorted.filter(
        (one, at) => at === 0 || one.start >= Math.max(...sorted.slice(0, at).map((other) => other.end)),
      );
    };
    const law = fc.property(fc.string({ maxLength: 30 }), cuts, cuts, (raw, first, second) => {
      const earlier = apart(raw, first);
      const middle = applySplices(raw, earlier);
      const later = apart(middle, second);
      expect(applySplices(raw, composeSplices(raw.length, earlier, later))).toBe(applySplices(middle, later));
    });
    fc.assert(law, { numRuns: 3000 });
  });
});

/** The text of a diff as jsdiff writes it, with git's header or the plain one. */
function diffOf(before: string, after: string, context: number, isGit: boolean): string {
  const names: [string, string] = isGit ? ["a/f", "b/f"] : ["f", "f"];
  const diff = createTwoFilesPatch(...names, before, after, undefined, undefined, { context });
  return isGit ? `diff --git a/f b/f\nindex 1..2 100644\n${diff}` : diff;
}

const endings = fc.constantFrom(["\n", "\n"], ["\r\n", "\r\n"], ["\n", "\r\n"], ["\r\n", "\n"]);
const twoTexts = endings.chain(([one = "\n", other = "\n"]) => fc.tuple(text(one), text(other)));

/** The diff applied without the disk. */
function applyDiff(before: string, diff: string): string {
  const [operation] = parseUnifiedDiff(diff).map((file) => operationOf(file, () => true));
  const hunks = operation?.kind === "update" ? operation.hunks : [];
  return applySplices(before, applyHunks(before, hunks, { path: "f", fuzz: 2, appendsByDefault: false }).splices);
}

describe("apply_unified_diff", () => {
  it("with a diff made from any two texts gives the second, and with its reverse the first again", () => {
    const law = fc.property(twoTexts, fc.nat(3), fc.boolean(), ([before, after], context, isGit) => {
      fc.pre(before !== after);
      expect(applyDiff(before, diffOf(before, after, context, isGit))).toBe(after);
      expect(applyDiff(after, diffOf(after, before, context, isGit))).toBe(before);
    });
    fc.assert(law, { numRuns: 3000 });
  });

  it("does so on the disk", async () => {
    const law = fc.asyncProperty(twoTexts, fc.nat(3), async ([before, after], context) => {
      fc.pre(before !== after && isDiffable(before) && isDiffable(after));
      bench.write("f", before);
      const result = await bench.call("apply_unified_diff", { diff: diffOf(before, after, context, true) });
      expect(result.status, result.content).toBe("ok");
      expect(bench.text("f")).toBe(after);
    });
    await fc.assert(law, { numRuns: 60 });
  });
});

/** Lone halves of surrogate pairs have no UTF-8, and placeholder lines are refused: neither is this law's subject. */
function isDiffable(candidate: string): boolean {
  return !/[\uD800-\uDFFF]/u.test(candidate) && !candidate.startsWith("\uFEFF");
}

/** The same change in the form of apply_patch, each hunk with its line number. */
function patchOf(before: string, after: string): string {
  const { hunks } = structuredPatch("f", "f", before, after, undefined, undefined, { context: 3 });
  const parts = hunks.map((hunk) => {
    const body = hunk.lines.filter((one) => !one.startsWith("\\"));
    return [
      `@@ -${hunk.oldStart - (hunk.oldLines === 0 ? 1 : 0)},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
      ...body,
    ].join("\n");
  });
  return ["*** Begin Patch", "*** Update File: f", ...parts, "*** End Patch"].join("\n");
}

describe("apply_patch", () => {
  it("and its reverse leave the text as it was", () => {
    const apply = (before: string, patch: string) => {
      const [operation] = parsePatch(patch);
      const hunks = operation?.kind === "update" ? operation.hunks : [];
      return applySplices(before, applyHunks(before, hunks, { path: "f", fuzz: 0, appendsByDefault: true }).splices);
    };
    const ended = lines.map((parts) => textOf(parts, "\n", true));
    const law = fc.property(ended, ended, (before, after) => {
      fc.pre(before !== after);
      expect(apply(before, patchOf(before, after))).toBe(after);
      expect(apply(after, patchOf(after, before))).toBe(before);
    });
    fc.assert(law, { numRuns: 3000 });
  });
});

const BOM = { "utf-8": "", "utf-8 with mark": "efbbbf", "utf-16le": "fffe", "utf-16be": "feff" } as const;
const SAMPLES: Record<string, string[]> = {
  gb18030: ["汉字编码测试用的一些文字", "其他内容也在这里", "x = 1"],
  shift_jis: ["日本語のテキストです", "カタカナとひらがな", "y = 2"],
  "euc-kr": ["한국어 텍스트입니다", "가나다라마바사", "z = 3"],
  big5: ["繁體中文的測試內容", "這裡還有一些文字", "w = 4"],
};

describe("bytes outside the match", () => {
  const mixed = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 12 });
  const joined = (parts: [string, string][]) => parts.map(([one, ending]) => one + ending).join("");

  it.each(Object.entries(BOM))("never change in %s, whatever the mix of line ends", async (encoding, mark) => {
    const encode = (part: string) => {
      if (encoding.startsWith("utf-8")) return Buffer.from(part);
      return encoding === "utf-16le" ? Buffer.from(part, "utf16le") : Buffer.from(part, "utf16le").swap16();
    };
    const law = fc.asyncProperty(mixed, mixed, async (headParts, tailParts) => {
      const [head, tail] = [joined(headParts), joined(tailParts)];
      fc.pre(isDiffable(head) && isDiffable(tail) && !/[\uFEFF\uFFFE]/.test(head + tail));
      const around = (middle: string) =>
        Buffer.concat([Buffer.from(mark, "hex"), encode(head), encode(middle), encode(tail)]);
      bench.write("f", around("<<old>>"));
      const result = await bench.call("replace_in_file", { path: "f", old_string: "<<old>>", new_string: "«новый»" });
      expect(result.status, result.content).toBe("ok");
      expect(bench.bytes("f").equals(around("«новый»"))).toBe(true);
    });
    await fc.assert(law, { numRuns: 60 });
  });

  it.each(Object.keys(SAMPLES))("never change in %s", async (encoding) => {
    const samples = fc.array(fc.tuple(fc.constantFrom(...(SAMPLES[encoding] ?? [])), fc.constantFrom("\n", "\r\n")), {
      minLength: 4,
      maxLength: 20,
    });
    const law = fc.asyncProperty(samples, samples, async (headParts, tailParts) => {
      const around = (middle: string) => iconv.encode(joined(headParts) + middle + joined(tailParts), encoding);
      bench.write("f", around("<<old>>"));
      const result = await bench.call("replace_in_file", { path: "f", old_string: "<<old>>", new_string: "fresh" });
      expect(result.status, result.content).toBe("ok");
      expect(bench.bytes("f").equals(around("fresh"))).toBe(true);
    });
    await fc.assert(law, { numRuns: 25 });
  });
});

describe("any input", () => {
  const word = fc.oneof(
    line,
    fc.constantFrom(
      "*** Begin Patch",
      "*** Update File: f",
      "*** Add File: g",
      "*** Delete File: f",
      "*** Move to: h",
      "*** End of File",
      "@@",
      "@@ a",
      "-a",
      "+b",
      " a",
      "--- f",
      "+++ f",
      "--- /dev/null",
      "diff --git a/f b/f",
      "@@ -1,2 +1,2 @@",
      "@@ -9,0 +9 @@",
      "\\ No newline at end of file",
      "```",
      "rename from f",
      "rename to q",
    ),
  );
  const wild = fc.array(word, { maxLength: 14 }).map((parts) => parts.join("\n"));
  const calls = fc.oneof(
    fc.record({
      tool: fc.constant("apply_patch"),
      args: fc.record({
        patch: fc.oneof(
          wild,
          wild.map((body) => `*** Begin Patch\n${body}\n*** End Patch`),
        ),
      }),
    }),
    fc.record({ tool: fc.constant("apply_unified_diff"), args: fc.record({ diff: wild }) }),
    fc.record({
      tool: fc.constant("replace_in_file"),
      args: fc.record({
        path: fc.constantFrom("f", "g", "d", "d/", "../x", ""),
        old_string: wild,
        new_string: wild,
        replace_all: fc.boolean(),
      }),
    }),
    fc.record({
      tool: fc.constantFrom("write_file", "replace_in_file", "apply_patch", "apply_unified_diff"),
      args: fc.dictionary(
        fc.constantFrom("path", "content", "patch", "diff", "edits", "old_string"),
        fc.jsonValue(),
      ) as fc.Arbitrary<Record<string, unknown>>,
    }),
  );

  it("ends in a result, and a failed call changes no byte, no time and no name", async () => {
    const law = fc.asyncProperty(text("\n"), calls, async (content, { tool, args }) => {
      bench.write("f", content);
      bench.write("d/k", "k");
      const before = listing(bench.outer);
      const result = await bench.call(tool, args);
      if (result.status === "error") expect(listing(bench.outer)).toEqual(before);
      expect(result.content).not.toMatch(/TypeError|RangeError|undefined|NaN/);
      for (const name of Object.keys(listing(bench.workspace))) expect(name).not.toMatch(/\.tmp$/);
    });
    await fc.assert(law, { numRuns: 600 });
  });
});

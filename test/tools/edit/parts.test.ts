/** An edit in a part of a file, found by its bytes, does and says what the same edit on the whole text does and says. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isZqError } from "../../../src/shared/errors";
import { Draft } from "../../../src/tools/edit/disk/Draft";
import { loadBytes, toText } from "../../../src/tools/edit/disk/loadText";
import { type LoadedText, widened } from "../../../src/tools/edit/disk/textPart";
import { type Edit, replaceInText } from "../../../src/tools/edit/match/replace";
import { applyHunks } from "../../../src/tools/edit/patch/applyHunks";
import { parsePatch } from "../../../src/tools/edit/patch/patchParser";
import { patchTool } from "../../../src/tools/edit/patchTools";
import { replaceTool } from "../../../src/tools/edit/replaceTool";
import { buildReport, type ReportStyle } from "../../../src/tools/edit/report";
import type { EditTool } from "../../../src/tools/edit/runEdit";
import { writeTool } from "../../../src/tools/edit/writeTool";
import { resolveTarget, type Target } from "../../../src/tools/targets";
import { createBench } from "./support";

const bench = createBench({ guarded: false });
const place = { roots: bench.roots };
afterAll(() => bench.remove());

let target: Target;
beforeAll(() => {
  bench.write("f", "");
  target = resolveTarget(bench.roots, "f", { forWriting: true });
});

const WORDS = [
  "",
  "a",
  "aa",
  "aaaa",
  "  b",
  "\tc {",
  "}",
  "漢字“かな”",
  "é\u00a0",
  "😀😀",
  "x\ry",
  "\uFEFFz",
  "$&",
  "x  ",
];
const word = fc.constantFrom(...WORDS);
/** Half of the lines are like no other, so that matches are unique often enough. */
const line = fc.tuple(word, word, fc.option(fc.nat(999))).map(([one, other, number]) => {
  return number === null ? one : `${one}第${number}行 ${other}`;
});
const endings = fc.constantFrom(["\n"], ["\n"], ["\r\n"], ["\r\n"], ["\n", "\n", "\r\n"], ["\r\n", "\r\n", "\n"]);

interface Sample {
  text: string;
  lines: string[];
  mark: string;
}

const sample: fc.Arbitrary<Sample> = fc
  .tuple(fc.array(line, { minLength: 60, maxLength: 140 }), endings, fc.boolean(), fc.boolean())
  .map(([lines, ends, isEnded, isMarked]) => {
    const body = lines.map((one, at) => one + (ends[at % ends.length] ?? "\n")).join("");
    return { text: isEnded ? body : body.replace(/\r?\n$/, ""), lines, mark: isMarked ? "\uFEFF" : "" };
  });

/** Where to cut, as shares of the length. */
const share = fc.nat(999).map((thousandths) => thousandths / 1000);
/** Near each other, or the part would be most of the file. */
const near = fc.nat(80).map((thousandths) => thousandths / 1000);
const fresh = fc.array(word, { maxLength: 4 }).map((words) => words.join("\n"));

/** What a plan comes to: the bytes, the answer and what the screen shows, or the refusal. */
async function outcome(drafts: () => Promise<Draft[] | string>, style: ReportStyle): Promise<unknown> {
  try {
    const planned = await drafts();
    if (typeof planned === "string") return planned;
    const report = buildReport(planned, { head: [], style });
    const [draft] = planned;
    const bytes = Buffer.concat((await draft?.chunks()) ?? []).toString("hex");
    const { after, before } = draft?.whole() ?? {};
    return { report, bytes, after, before, isExact: draft?.isExact };
  } catch (error) {
    if (isZqError(error)) return error.message;
    throw error;
  }
}

let parts = 0;

async function planned(tool: EditTool, args: Record<string, unknown>): Promise<Draft[] | string> {
  const drafts = await tool.plan(args, place);
  if (typeof drafts === "string") return drafts;
  const text = drafts[0]?.source?.text;
  if (text && widened(text) !== text) parts++;
  return drafts;
}

async function onWhole(make: (text: LoadedText) => Draft): Promise<Draft[]> {
  const content = await loadBytes(target);
  if (!content) throw new Error("no file");
  return [make(await toText(target, content))];
}

function draftOn(text: LoadedText, more: Partial<ConstructorParameters<typeof Draft>[0]>): Draft {
  return new Draft({ target, original: { target, content: text, text }, splices: [], ...more });
}

/** Tries the law, and sees to it that parts were taken: on whole files it would say nothing. */
async function holds<T>(input: fc.Arbitrary<T>, same: (value: T) => Promise<unknown>): Promise<void> {
  parts = 0;
  await fc.assert(
    fc.asyncProperty(input, async (value) => {
      await same(value);
    }),
    { numRuns: 300, endOnFailure: true },
  );
  expect(parts).toBeGreaterThan(20);
}

function cut({ text, mark }: Sample, from: number, length: number): string {
  const start = Math.floor(from * text.length);
  return (start === 0 ? mark : "") + text.slice(start, start + 1 + Math.floor(length * 40));
}

describe("an edit in a part", () => {
  it("replaces as on the whole text", async () => {
    const edit = fc.record({ near, length: share, text: fresh, replaceAll: fc.boolean() });
    const input = fc.tuple(sample, share, fc.array(edit, { minLength: 1, maxLength: 3 }));
    await holds(input, async ([file, from, wanted]) => {
      bench.write("f", file.mark + file.text);
      const edits: Edit[] = wanted.map((one) => ({ ...one, old: cut(file, from + one.near, one.length) }));
      const args = edits.map(({ old, text, replaceAll }) => ({
        old_string: old,
        new_string: text,
        replace_all: replaceAll,
      }));
      const found = await outcome(() => planned(replaceTool, { path: "f", edits: args }), "edit");
      const whole = () =>
        onWhole((text) => {
          const { splices, notes } = replaceInText(text.decoded.text, edits, { path: "f" });
          const draft = draftOn(text, { splices, notes, isExact: notes.length === 0 });
          if (!draft.hasNewText) throw new Error("No change: f reads so already.");
          return draft;
        });
      expect(found).toEqual(await outcome(whole, "edit").catch((error: Error) => error.message));
    });
  });

  it("patches as on the whole text", async () => {
    const hunk = fc.record({ near, context: fc.nat(3), removed: fc.nat(3), added: fresh });
    const input = fc.tuple(sample, share, fc.array(hunk, { minLength: 1, maxLength: 3 }));
    await holds(input, async ([file, from, wanted]) => {
      bench.write("f", file.mark + file.text);
      const body = wanted.flatMap(({ near: by, context, removed, added }) => {
        const at = Math.floor((from + by) * file.lines.length);
        const kept = file.lines.slice(at, at + context).map((one) => ` ${one}`);
        const gone = file.lines.slice(at + context, at + context + removed).map((one) => `-${one}`);
        return ["@@", ...kept, ...gone, ...added.split("\n").map((one) => `+${one}`)];
      });
      const patch = ["*** Begin Patch", "*** Update File: f", ...body, "*** End Patch"].join("\n");
      const found = await outcome(() => planned(patchTool, { patch }), "edit");
      const rules = { path: "f", fuzz: 0, appendsByDefault: true };
      const whole = () =>
        onWhole((text) => {
          const [operation] = parsePatch(patch);
          const hunks = operation?.kind === "update" ? operation.hunks : [];
          const applied = applyHunks(text.decoded.text, hunks, rules);
          const draft = draftOn(text, {}).edit(applied.splices, applied);
          if (!draft.hasNewText) throw new Error("The part for f changes nothing: the file reads so already.");
          return draft;
        });
      const reference = await outcome(whole, "edit").catch((error: Error) => error.message);
      const refused = typeof reference === "string" && typeof found === "string";
      if (refused) expect(found).toContain(reference);
      else expect(found).toEqual(reference);
    });
  });

  it("writes as on the whole text", async () => {
    const change = fc.record({ from: share, length: share, text: fresh });
    await holds(fc.tuple(sample, change), async ([file, { from, length, text }]) => {
      const content = around(file.text, from, length).join(text);
      // What becomes of the form of a content is the subject of other tests.
      fc.pre(
        !isCrlf(file.text) &&
          !/[\uD800-\uDFFF]/u.test(content) &&
          !content.startsWith("\uFEFF") &&
          !file.text.startsWith("\uFEFF"),
      );
      bench.write("f", file.mark + file.text);
      const found = await outcome(() => planned(writeTool, { path: "f", content }), "whole");
      const whole = () => onWhole((loaded) => draftOn(loaded, { isExact: false }).replace(content));
      if (typeof found !== "string") expect(found).toEqual(await outcome(whole, "whole"));
      else expect(content).toBe(file.text);
    });
  });
});

function around(text: string, from: number, length: number): [string, string] {
  const start = Math.floor(from * text.length);
  return [text.slice(0, start), text.slice(start + Math.floor(length * 40))];
}

function isCrlf(text: string): boolean {
  const crlf = text.split("\r\n").length - 1;
  return crlf > text.split("\n").length - 1 - crlf;
}

describe("a part near", () => {
  const numbered = Array.from({ length: 400 }, (_, at) => `line ${at}`).join("\n");

  it.each([
    ["the first line, behind a mark", "\uFEFF", "line 0\n", "first\n"],
    ["the last line, without a line end", "", "line 399", "last\nand more"],
    ["a line end", "", "line 7\nline 8", "line 7\r"],
  ])("%s changes nothing else", async (_where, mark, old, text) => {
    bench.write("f", mark + numbered);
    const result = await bench.call("replace_in_file", { path: "f", old_string: old, new_string: text });
    expect(result.status, result.content).toBe("ok");
    expect(bench.text("f")).toBe(mark + numbered.replace(old, () => text));
  });

  it("is previewed whole, and may be changed by hand there", async () => {
    bench.write("f", numbered);
    const call = { path: "f", old_string: "line 200\n", new_string: "line two hundred\n" };
    const [change] = await bench.preview("replace_in_file", call);
    expect(change).toMatchObject({ before: numbered, after: numbered.replace("line 200\n", "line two hundred\n") });
    const after = numbered.replace("line 200\n", "line CC\n");
    const result = await bench.call("replace_in_file", call, { edited: [{ path: "f", after }] });
    expect(result.content).toContain("[the user changed the proposal before allowing it]");
    expect(result.content).toContain("line 201 (+1 −1)");
    expect(bench.text("f")).toBe(after);
  });

  it("and a second patch of the same file, and a move of it, go on from there", async () => {
    bench.write("f", numbered);
    const patch = [
      "*** Begin Patch",
      "*** Update File: f",
      "@@\n-line 200\n+line CC",
      "*** Update File: f",
      "*** Move to: g",
      "@@\n line CC\n-line 201\n+line CCI",
      "*** End Patch",
    ].join("\n");
    const result = await bench.call("apply_patch", { patch });
    expect(result.content).toContain("Moved f to g: lines 201-202 (+2 −2).");
    expect(result.content).not.toContain("Deleted");
    expect(bench.text("g")).toBe(numbered.replace("line 200", "line CC").replace("line 201", "line CCI"));
  });
});

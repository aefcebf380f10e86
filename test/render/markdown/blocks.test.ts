import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { MarkdownRenderer } from "../../../src/render/MarkdownRenderer";
import { type Block, BlockSplitter, type SplitterOptions } from "../../../src/render/markdown/blocks";
import { loadLexer, type MarkdownLexer } from "../../../src/render/markdown/lexer";

let lexer: MarkdownLexer;
let renderer: MarkdownRenderer;
beforeAll(async () => {
  lexer = await loadLexer();
  renderer = await MarkdownRenderer.create({ width: 60 });
});

/** What has come out after each delta, and at the end. */
function split(deltas: string[], options?: SplitterOptions): { blocks: Block[]; early: Block[] } {
  const splitter = new BlockSplitter(lexer, options);
  const early = deltas.flatMap((delta) => splitter.push(delta));
  return { early, blocks: [...early, ...splitter.end()] };
}

const raws = (blocks: Block[]) => blocks.map((block) => block.raw);

describe("a block is finished", () => {
  it.each<[string, string, string[]]>([
    ["a paragraph, by its blank line", "one\n\ntw", ["one\n\n"]],
    ["a paragraph, by what interrupts it", "one\n# two\n", ["one\n", "# two\n"]],
    ["not by a line that may still become something else", "one\n#", []],
    ["not a paragraph that may become a heading", "one\n", []],
    ["a heading, at once", "# one\n", ["# one\n"]],
    ["an item, by the next one", "- a\n- b\n", ["- a\n"]],
    ["not the last item, even behind a blank line", "- a\n\n", []],
    ["a whole list, by what follows it", "- a\n- b\n\nend\n", ["- a\n", "- b\n\n"]],
    ["a closed fence, at once", "```js\nx\n```\n", ["```js\nx\n```\n"]],
    ["a table, by its blank line", "| a |\n|---|\n| 1 |\n\n", ["| a |\n|---|\n| 1 |\n\n"]],
    ["not a table that may grow", "| a |\n|---|\n| 1 |\n", []],
    ["a quote, by its blank line", "> a\n\n", ["> a\n\n"]],
    ["an open comment never", "<!-- a\n\nb\n", []],
  ])("%s", (_, text, expected) => expect(raws(split([text]).early)).toEqual(expected));
});

describe("an open fence", () => {
  const code = Array.from({ length: 45 }, (_, i) => `line ${i + 1}`);

  it("comes out in groups that know their language and their first line", () => {
    const { early } = split([`Here:\n\n\`\`\`ts {1,2}\n${code.join("\n")}\n`]);
    expect(
      early.map(
        (block) =>
          block.code && [block.code.lang, block.code.firstLine, block.code.isFirst, block.code.text.split("\n").length],
      ),
    ).toEqual([undefined, ["ts", 1, true, 20], ["ts", 21, false, 20]]);
  });

  it("loses and doubles no line", () => {
    const { blocks } = split([`\`\`\`\n${code.join("\n")}\n\`\`\`\nend\n`]);
    const lines = blocks.flatMap((block) => (block.code && block.code.text !== "" ? block.code.text.split("\n") : []));
    expect(lines).toEqual(code);
  });

  it("closes only by a fence of its kind", () => {
    const { blocks } = split(["````\n```\n~~~\n````\n"]);
    expect(blocks.map((block) => block.code?.text)).toEqual(["```\n~~~"]);
  });

  it("may never close", () => {
    const { blocks } = split(["```py\nx = 1\ny = 2"]);
    expect(blocks.map((block) => [block.raw, block.code?.text])).toEqual([["```py\nx = 1\ny = 2", "x = 1\ny = 2"]]);
  });

  it("shows its code meanwhile, but no fence in the making", () => {
    const splitter = new BlockSplitter(lexer);
    const seen: string[] = [];
    for (const char of "Hi\n\n```py\nx = 1\n```\n\nDone.") {
      splitter.push(char);
      seen.push(splitter.live.text);
    }
    for (const text of seen) expect(text).not.toMatch(/`/);
    expect(seen).toContain("x = 1");
    expect(splitter.live).toEqual({ text: "Done.", isCode: false });
  });
});

describe("lists", () => {
  it("number their items though the source counts lazily", () => {
    const { blocks } = split(["1. a\n", "1. b\n", "1. c\n\ntext\n\n7. d\n"]);
    expect(blocks.map((block) => block.item?.number)).toEqual([1, 2, 3, undefined, 7]);
  });

  it("begin anew with another mark", () => {
    expect(split(["1. a\n1) b\n- c\n"]).blocks.map((block) => block.item?.number)).toEqual([1, 1, null]);
  });
});

describe("a paragraph longer than the screen", () => {
  const sentence = "This is a sentence of some length that says nothing. ";

  it("comes out by sentences while it grows, also without any line end", () => {
    const { early } = split(
      Array.from({ length: 100 }, () => sentence),
      { paragraphChars: 400 },
    );
    expect(early.length).toBeGreaterThan(10);
    for (const raw of raws(early)) expect(raw).toMatch(/nothing\. $/);
  });

  it("is not cut inside of bold text or code", () => {
    const { blocks } = split(
      [`${"word ".repeat(70)}**bold. ${"b ".repeat(40)}** and \`code. ${"c ".repeat(40)}\` end. ${sentence.repeat(9)}`],
      { paragraphChars: 400 },
    );
    for (const raw of raws(blocks)) expect((raw.match(/\*\*|`/g) ?? []).length % 2).toBe(0);
  });

  it("does not begin its rest with what reads as a list or a heading", () => {
    const { early } = split([`${"word ".repeat(60)}end. - no item. # no heading. ${sentence.repeat(9)}`], {
      paragraphChars: 400,
    });
    for (const raw of raws(early)) expect(raw).not.toMatch(/^[-#]/);
  });

  it("may be in a script without blanks", () => {
    const { early } = split(["这是一个没有空格的句子。".repeat(60)], { paragraphChars: 300 });
    expect(early.length).toBeGreaterThan(1);
    for (const raw of raws(early)) expect(raw).toMatch(/。$/);
  });
});

describe("any Markdown in any deltas", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "# head",
      "para **bold** text.",
      "- item",
      "  - nested",
      "1. one",
      "> quote",
      "```ts",
      "```",
      "~~~",
      "| a | b |",
      "|---|---|",
      "---",
      "===",
      "<div>",
      "<!--",
      "-->",
      "    indented",
      "",
      "",
      "[x]: http://y",
      "* * *",
      "\ttab",
      "- [ ] task",
      "`",
    ),
    fc.string({ maxLength: 12 }).map((text) => text.replace(/[\r\u0000]/g, "")),
  );
  const text = fc.array(line, { maxLength: 25 }).map((lines) => lines.join("\n"));

  it("joins to the text, but for blank lines behind its last block", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (source, size) => {
        const deltas = source.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
        const joined = raws(split(deltas, { groupLines: 3, paragraphChars: 40 }).blocks).join("");
        expect(source.startsWith(joined)).toBe(true);
        expect(source.slice(joined.length).trim()).toBe("");
      }),
      { numRuns: 1000 },
    );
  });

  it("is cut at the same places whatever the deltas, as far as screens do not matter", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (source, size) => {
        const whole = { groupLines: Number.POSITIVE_INFINITY, paragraphChars: Number.POSITIVE_INFINITY };
        const deltas = source.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
        const small = split(deltas, whole).blocks.map((block, i) => renderer.renderBlock(block, i === 0));
        expect(small.join("\n")).toBe(renderer.render(source));
      }),
      { numRuns: 300, examples: [["# head\n\n", 1]] },
    );
  });
});

import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cutLine, cutLongLine, padEnd, padStart, textWidth, wrapText } from "../../src/render/width";

const plain = (text: string) => text.replace(/\u001b\[[0-9;]*m|\u001b\]8;;[^\u0007]*\u0007/g, "");

describe("measuring", () => {
  it("counts code points as string-width does", () => {
    const wrong: string[] = [];
    const check = (from: number, to: number, step: number) => {
      for (let code = from; code <= to; code += step) {
        const char = String.fromCodePoint(code);
        if (textWidth(char) !== stringWidth(char)) wrong.push(code.toString(16));
      }
    };
    // Large blocks of one kind are only sampled.
    check(0x20, 0x33ff, 1);
    check(0x3400, 0xa48f, 101);
    check(0xa490, 0xabff, 1);
    check(0xac00, 0xd7a3, 101);
    check(0xd7b0, 0xd7ff, 1);
    check(0xe000, 0xf8ff, 101);
    check(0xf900, 0x11fff, 1);
    check(0x12000, 0x18bff, 101);
    check(0x18c00, 0x1b3ff, 1);
    check(0x1d000, 0x1fbff, 1);
    check(0x20000, 0x10ffff, 1009);
    expect(wrong).toEqual([]);
  });

  it("counts as string-width does", () => {
    const parts = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "你好",
        "ｆｕｌｌ",
        "カタカナ",
        "한국어",
        "👨‍👩‍👧",
        "⚠️",
        "1️⃣",
        "👍🏽",
        "🇩🇪",
        "e\u0301",
        "ไทยน้ำ",
        "हिन्दी",
        "─│┌",
        "…“”",
        "\u200b",
      ),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (texts) => {
        const text = texts.join("");
        expect(textWidth(text)).toBe(stringWidth(text));
      }),
      { numRuns: 1000 },
    );
  });

  it("counts no escape sequence, and of several lines the widest", () => {
    expect(textWidth("\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007")).toBe(8);
    expect(textWidth("a\n你好\nbc")).toBe(4);
  });

  it("pads by columns", () => {
    expect(padEnd("你", 4)).toBe("你  ");
    expect(padStart("ab", 4)).toBe("  ab");
    expect(padEnd("abc", 2)).toBe("abc");
  });
});

describe("cutting", () => {
  it.each<[string, number, string]>([
    ["short", 10, "short"],
    ["exactly", 7, "exactly"],
    ["too long", 5, "too …"],
    ["你好世界", 5, "你好…"],
    ["你好世界", 4, "你…"],
    ["x", 0, ""],
    ["\u001b[31mred text\u001b[0m", 4, "\u001b[31mred\u001b[0m…"],
  ])("%j to %d", (text, max, expected) => expect(cutLine(text, max)).toBe(expected));

  it("says how much of a huge line is gone", () => {
    const cut = cutLongLine("A".repeat(200_000));
    expect(cut).toBe(`${"A".repeat(2000)} … (+198000)`);
    expect(cutLongLine("short")).toBe("short");
  });
});

describe("wrapping", () => {
  it.each<[string, string, number, string[]]>([
    ["at blanks", "one two three", 8, ["one two", "three"]],
    ["words that are too long", "abcdefghij", 4, ["abcd", "efgh", "ij"]],
    ["between wide characters", "中文字符test", 5, ["中文", "字符", "test"]],
    ["no closing mark at the beginning of a row", "你好世界，再见", 8, ["你好世", "界，再见"]],
    ["an indentation stays", "  a b c", 4, ["  a", "b c"]],
    ["empty lines stay", "a\n\nb", 5, ["a", "", "b"]],
    ["a blank on the break is the break", "abcd efgh", 4, ["abcd", "efgh"]],
    [
      "styles are closed and opened again",
      "\u001b[1mone two\u001b[22m",
      3,
      ["\u001b[1mone\u001b[0m", "\u001b[1mtwo\u001b[0m"],
    ],
    [
      "links too",
      "\u001b]8;;http://x\u0007ab cd\u001b]8;;\u0007",
      2,
      ["\u001b]8;;http://x\u0007ab\u001b]8;;\u0007", "\u001b]8;;http://x\u0007cd\u001b]8;;\u0007"],
    ],
    ["nothing", "", 5, [""]],
  ])("%s", (_, text, width, expected) => expect(wrapText(text, width)).toEqual(expected));

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(" ", "  ", "word", "你好", "，", "\u001b[31m", "\u001b[0m", "👍", "\n"),
        fc.string({ unit: "grapheme", maxLength: 5 }),
      ),
    )
    .map((parts) => parts.join(""));

  it("never makes a row too wide and never loses a character that is not a blank", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 30 }), (source, width) => {
        const rows = wrapText(source, width, { maxChars: Number.POSITIVE_INFINITY });
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
        const bare = (lines: string) => plain(lines).replace(/[\s\u0000-\u001f\u007f-\u009f]/g, "");
        fc.pre(!/\u001b(?!\[(31|0)m)/.test(source));
        expect(bare(rows.join(""))).toBe(bare(source));
      }),
      { numRuns: 1000 },
    );
  });

  it("shows a command whole, however long its words are", () => {
    const command = `echo ${"a".repeat(30_000)} && curl http://x`;
    const rows = wrapText(command, 80, { maxChars: Number.POSITIVE_INFINITY });
    expect(rows.join("").replaceAll(" ", "")).toBe(command.replaceAll(" ", ""));
    expect(rows.length).toBeLessThan(400);
  });
});

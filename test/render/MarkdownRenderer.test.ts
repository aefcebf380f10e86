import { beforeAll, describe, expect, it } from "vitest";
import { MarkdownRenderer } from "../../src/render/MarkdownRenderer";
import { BlockSplitter } from "../../src/render/markdown/blocks";
import { textWidth } from "../../src/render/width";

let colored: MarkdownRenderer;
let bare: MarkdownRenderer;
beforeAll(async () => {
  colored = await MarkdownRenderer.create({ width: 40 });
  bare = await MarkdownRenderer.create({ width: 40, color: false });
});

describe("blocks without colour", () => {
  it.each<[string, string, string]>([
    ["headings keep their marks", "# One\n\n### Three", "# One\n\n### Three"],
    ["weights go, code keeps its ticks", "a **b** _c_ ~~d~~ `e`", "a b c ~~d~~ `e`"],
    ["bold in tight and loose items", "- **a**\n- b", "• a\n• b"],
    ["loose lists keep their blank rows", "- a\n\n- b", "• a\n\n• b"],
    ["nested lists hang", "- a\n  - b\n    1. c", "• a\n  • b\n    1. c"],
    ["tasks", "- [ ] open\n- [x] done", "• [ ] open\n• [x] done"],
    [
      "long items hang behind their mark",
      `10. ${"word ".repeat(9)}`,
      "10. word word word word word word word\n    word word",
    ],
    ["code in an item has rows of its own", "- run:\n\n  ```sh\n  ls\n  ```", "• run:\n\n    ls"],
    ["code right behind the mark too", "- ```sh\n  ls\n  ```", "•\n    ls"],
    ["quotes", "> a\n>\n> - b", "│ a\n│\n│ • b"],
    ["code is indented and not touched", "```\n**x** &amp; <b>\n\ttab\n```", "  **x** &amp; <b>\n      tab"],
    ["indented code", "    a\n    b", "  a\n  b"],
    ["an empty fence", "```js\n```", ""],
    ["references of characters", "a &lt;b&gt; &amp; &#20320; &unknown;", "a <b> & 你 &unknown;"],
    ["escapes", "\\*a\\* \\_b\\_", "*a* _b_"],
    ["line ends of the source stay, two blanks or a tag break too", "a\nb  \nc<br>d", "a\nb\nc\nd"],
    ["a rule", "a\n\n---\n\nb", `a\n\n${"─".repeat(24)}\n\nb`],
    ["tags are shown as written", "<div>x</div>\n\na <b>c</b>", "<div>x</div>\n\na <b>c</b>"],
    ["images", "![alt](http://x/y.png)", "[alt] (http://x/y.png)"],
  ])("%s", (_, source, expected) => expect(bare.render(source)).toBe(expected));
});

describe("links", () => {
  it.each<[string, string]>([
    ["[label](https://a.example)", "label (https://a.example)"],
    ["[https://good.example](https://evil.example/a)", "https://good.example (https://evil.example/a)"],
    ["<https://a.example>", "https://a.example"],
    ["https://a.example/x", "https://a.example/x"],
    ["[me@a.example](mailto:me@a.example)", "mailto:me@a.example"],
    ["[x](javascript:alert(1))", "x (javascript:alert(1))"],
    ["[file](src/a.ts)", "file (src/a.ts)"],
  ])("%s", async (source, expected) => {
    expect((await MarkdownRenderer.create({ color: false })).render(source)).toBe(expected);
  });

  it("can be opened only where the terminal knows how, and only what is safe to open", async () => {
    const linking = await MarkdownRenderer.create({ hyperlinks: true, color: false });
    expect(linking.render("[a](https://b.example)")).toBe(
      "a (\u001b]8;;https://b.example\u0007https://b.example\u001b]8;;\u0007)",
    );
    for (const target of ["javascript:x", "file:///etc/passwd", "vscode://x", "data:text/html,x"]) {
      expect(linking.render(`[a](${target})`)).not.toContain("\u001b]8");
    }
  });
});

describe("tables", () => {
  it("keep their columns with wide characters and alignment", () => {
    expect(bare.render("| 名 | n |\n|---|--:|\n| 你好 | 1 |\n| b | 22 |")).toBe(
      "名   │  n\n─────┼───\n你好 │  1\nb    │ 22",
    );
  });

  it("wrap what is too wide, the widest column first", () => {
    const rows = bare.render(`| k | text |\n|---|---|\n| key | ${"word ".repeat(12)}|`).split("\n");
    for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(40);
    expect(rows[2]).toMatch(/^key │ word/);
    expect(rows.length).toBeGreaterThan(3);
  });

  it("become records where columns have no room", async () => {
    const narrow = await MarkdownRenderer.create({ width: 12, color: false });
    expect(narrow.render("| aa | bb | cc |\n|---|---|---|\n| 1111 | 2222 | 3333 |")).toBe(
      "aa: 1111\nbb: 2222\ncc: 3333",
    );
  });

  it("hold no cluster whose width is in dispute", () => {
    const table = bare.render("| a | b |\n|---|---|\n| ⚠️ 1️⃣ 👨‍👩‍👧 👍🏽 | x |");
    expect(table).not.toMatch(/[\ufe0f\u20e3\u200d]|[\u{1f3fb}-\u{1f3ff}]/u);
    expect(table).toContain("⚠ 1 👨 👍");
  });
});

describe("colour", () => {
  it("highlights code of a named language, and never guesses", () => {
    expect(colored.render("```js\nconst a = 1\n```")).toBe("  \u001b[35mconst\u001b[0m a = \u001b[33m1\u001b[0m");
    expect(colored.render("```\nconst a = 1\n```")).toBe("  const a = 1");
    expect(colored.render("```nolang\nconst a = 1\n```")).toBe("  const a = 1");
  });

  it.each([
    "ts",
    "tsx",
    "py",
    "sh",
    "console",
    "toml",
    "rs",
    "c++",
    "html",
    "yml",
    "jsonc",
    "diff",
    "go",
    "java",
    "rb",
    "php",
    "sql",
    "css",
    "md",
    "cs",
    "kt",
    "swift",
    "lua",
    "dockerfile",
    "make",
  ])("knows %s", (lang) =>
    expect(colored.render(`\`\`\`${lang}\n# <a> "x" 1 // y\n+ -- if return SELECT FROM x: 1 [s]\n\`\`\``)).toContain(
      "\u001b[",
    ),
  );

  it("leaves a huge block plain", () => {
    const huge = "const a = 1\n".repeat(9000);
    expect(colored.render(`\`\`\`js\n${huge}\`\`\``)).not.toContain("\u001b[35m");
  });

  it("goes on over the groups of an open fence", async () => {
    const source = `\`\`\`js\nconst a = 1;\n/* begins\n${"inside\n".repeat(50)}ends */\nconst b = 2;\n\`\`\`\n`;
    const splitter = await BlockSplitter.create({ groupLines: 7 });
    const blocks = [...splitter.push(source), ...splitter.end()];
    expect(blocks.length).toBeGreaterThan(5);
    expect(
      blocks
        .map((block, i) => colored.renderBlock(block, i === 0))
        .filter((rows) => rows !== "")
        .join("\n"),
    ).toBe(colored.render(source));
  });

  it("never uses white or bright black", () => {
    expect(colored.render("# a\n\n> q\n\n`c` **b** [l](http://x)\n\n```js\n// c\nlet x = /a/\n```\n")).not.toMatch(
      /\u001b\[(?:[0-9;]*;)?(?:30|37|90|97)m/,
    );
  });
});

describe("whatever the model writes", () => {
  it.each<[string, string]>([
    ["sequences in prose", "a\u001b[2J\u001b]0;t\u0007b"],
    ["sequences in code", "```js\na\u001b[8mb\u009b2J\n```"],
    ["sequences from references", "a &#27;[2J &#x9b;2J b &#8238;"],
    ["sequences in addresses", "[a](https://x/\u001b]8;;evil\u0007)"],
    ["sequences in tables and items", "| \u001b[31m |\n|---|\n| \u0007 |\n\n- \u001bc"],
    ["sequences in a language name", "```\u001b[31m\nx\n```"],
  ])("nothing acts: %s", (_, source) => {
    for (const text of [bare.render(source), colored.render(source)]) {
      expect(text.replace(/\u001b\[[0-9;]*m/g, "")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(text).not.toMatch(/\u001b\[(?:8|31)m/);
    }
  });

  it("no row is wider than it may be", () => {
    const source = `${"长".repeat(99)} ${"x".repeat(500)}\n\n- ${"y ".repeat(90)}\n\n> ${"z".repeat(90)}\n\n\`\`\`\n${"c".repeat(300)}\n\`\`\`\n\n| ${"t".repeat(90)} | u |\n|---|---|\n| 1 | 2 |`;
    for (const width of [8, 20, 40, 79]) {
      const renderer = new MarkdownRenderer({ width });
      renderer.setWidth(width);
    }
    for (const row of colored.render(source).split("\n")) expect(textWidth(row)).toBeLessThanOrEqual(40);
  });

  it("is plain and safe before the parser is there", () => {
    expect(new MarkdownRenderer().render("# a\u001b[2J")).toBe("# a");
  });

  it("can be read aloud", async () => {
    const spoken = await MarkdownRenderer.create({ color: false, boxArt: false });
    expect(spoken.render("- a\n\n> q\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |")).not.toMatch(/[\u2500-\u257f•]/);
  });
});

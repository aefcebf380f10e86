/** A permission request for other screens: whole, visible, and unable to act or to break out (guide 20.1). */
import fc from "fast-check";
import { marked, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import { approvalFields, approvalToHtmlTable, approvalToMarkdownTable } from "../../src/render/approvals";
import type { PermissionRequest } from "../../src/shared/contracts";

function request(args: Record<string, unknown>, more: Partial<PermissionRequest> = {}): PermissionRequest {
  return { toolName: "run_shell", reason: "It runs a command.", arguments: args, metadata: null, ...more };
}

describe("fields", () => {
  test("tool, reason, and every argument in its order", () => {
    expect(approvalFields(request({ command: "npm test", timeout_ms: 5000, env: { A: "b" } }))).toEqual([
      { label: "Tool", value: "run_shell" },
      { label: "Reason", value: "It runs a command." },
      { label: "command", value: "npm test" },
      { label: "timeout_ms", value: "5000" },
      { label: "env", value: '{\n  "A": "b"\n}' },
    ]);
  });

  test.each([
    ["a bidi override", "echo \u202e x", "echo <U+202E> x"],
    ["a zero-width space", "cu\u200brl", "cu<U+200B>rl"],
    ["a carriage return", "rm -rf src\rls", "rm -rf src<U+000D>ls"],
    ["an escape sequence", "\u001b[2Jls", "<U+001B>[2Jls"],
    ["a tag character", "ls\u{e0041}", "ls<U+E0041>"],
    ["lines", "one\ntwo", "one\ntwo"],
  ])("%s is shown", (_, command, shown) => {
    expect(approvalFields(request({ command }))[2]?.value).toBe(shown);
  });

  test("a run of blanks cannot push the rest out of sight, and nothing is cut", () => {
    const value = approvalFields(request({ command: `ls${" ".repeat(400)}; ${"a".repeat(5000)} rm` }))[2]?.value ?? "";
    expect(value).toMatch(/^ls\s*<400 blanks>\s*; a{5000} rm$/);
  });

  test("names of arguments and tools are shown too; odd values are no problem", () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const fields = approvalFields(request({ "a\u202eb": circle, u: undefined, n: null, b: 1n }, { toolName: "x\ny" }));
    expect(fields.map(({ label }) => label)).toEqual(["Tool", "Reason", "a<U+202E>b", "u", "n", "b"]);
    expect(fields.map(({ value }) => value).slice(3)).toEqual(["undefined", "null", "1"]);
  });
});

test("in HTML nothing foreign is markup", () => {
  const html = approvalToHtmlTable(request({ "<b>": `<script>alert("x")</script>&amp; 'y'`, c: "a\n  b" }));
  expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;amp; &#39;y&#39;");
  expect(html).toContain('<th scope="row">&lt;b&gt;</th>');
  expect(html).toContain("<pre>a\n  b</pre>");
  expect(html.match(/<(?!\/?(?:table|tbody|tr|th|td|pre)\b)/g)).toBeNull();
});

/** The cells of the only table that Markdown sees, and everything in them that is more than text. */
function readMarkdown(text: string): { cells: string[][]; markup: string[] } {
  const [table, ...rest] = marked.lexer(text, { gfm: true });
  expect(table?.type).toBe("table");
  expect(rest).toEqual([]);
  const { rows } = table as Tokens.Table;
  const tokens = rows.flat().flatMap((cell) => cell.tokens);
  const markup = tokens.filter((token) => !["text", "escape"].includes(token.type) && token.raw !== "<br>");
  const plain = (cell: Tokens.TableCell): string => readEntities(cell.text.replaceAll("<br>", "\n"));
  return { cells: rows.map((row) => row.map(plain)), markup: markup.map((token) => token.raw) };
}

function readEntities(text: string): string {
  return text.replaceAll("&nbsp;", " ").replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

describe("in Markdown", () => {
  test.each([
    "a|b",
    "a\\|b",
    "a\\\\|b `|` c",
    "**bold** _it_ ~~gone~~ `code`",
    "[click](javascript:alert(1)) ![x](http://evil.example/p.png)",
    "https://evil.example www.evil.example me@evil.example",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &#124;",
    "one\ntwo\n| x | y |\n\n# head",
    "$x$ @user #123 :tada:",
    "run_shell snake_case_name _lead trail_",
  ])("%j stays text in its cell", (command) => {
    const { cells, markup } = readMarkdown(approvalToMarkdownTable(request({ command })));
    expect(cells[2]).toEqual(["command", command]);
    expect(markup).toEqual([]);
  });

  test("plain words stay readable in the source", () => {
    const text = approvalToMarkdownTable(request({ command: "npm run build -- --fast=1, (x)" }));
    expect(text).toContain("| Tool | run_shell |");
    expect(text).toContain("| command | npm run build -- --fast=1, (x) |");
  });

  test("no text breaks out of its cell", () => {
    const piece = fc.constantFrom(..."|\\`*_[]()<>!#~&$@:./\n ab1-".split(""), "www.", "http://", "</td>");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const command = `x${pieces.join("")}x`;
        const { cells, markup } = readMarkdown(approvalToMarkdownTable(request({ command })));
        expect(cells).toHaveLength(3);
        expect(cells[2]?.[1]).toBe(command);
        expect(markup).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

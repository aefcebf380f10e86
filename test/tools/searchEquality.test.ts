/** ripgrep and our own walker must give the same answers. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../src/tools/search/ripgrep";
import { type Files, type ToolBench, toolBench } from "./toolBench";

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

const TREE: Files = {
  ".gitignore": "*.log\nbuild/\n/only-root.txt\n!keep.log\ndocs/**/draft-?.md\n\\#odd\n[ab].tmp\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/info/exclude": "secret.txt\n",
  ".git/config": "[core]\n\tneedle = 1\n",
  ".hidden/config.ts": "export const hidden = 'needle';\n",
  "src/a.ts": "const x = load()\nconst y = 1\n// TODO: needle here\nfunction foo(a, b) {\n  return interface{}\n}\n",
  "src/b.ts": 'import { load } from "./a"\nclass Foo extends Bar {}\nlet needleCount = 12;\nNEEDLE\n',
  "src/deep/er/c.ts": "foo();\nfoo.bar();\nfoo_bar\nfoobar\nfoo-bar\n",
  "src/.gitignore": "generated.ts\n!special.log\n",
  "src/generated.ts": "needle generated\n",
  "src/special.log": "needle special\n",
  "app.log": "needle in log\n",
  "keep.log": "needle kept\n",
  "build/out.js": "needle built\n",
  "only-root.txt": "needle root\n",
  "sub/only-root.txt": "needle sub\n",
  "docs/x/draft-1.md": "needle draft\n",
  "docs/x/final.md": "# Title\n\nneedle final\nSome text with  two spaces\n\ttabbed\n",
  "#odd": "needle odd\n",
  "a.tmp": "needle tmp\n",
  "c.tmp": "needle ctmp\n",
  "secret.txt": "needle excluded\n",
  "node_modules/pkg/index.js": "needle in a package\n",
  "crlf.txt": "first line\r\nsecond needle\r\nthird;\r\nend",
  "lone-cr.txt": "one\rtwo needle\rthree\nfour\n",
  "unicode.txt": "naïve café Ünïcode\n日本語のテキスト needle\nΣίσυφος ΣΊΣΥΦΟΣ\n😀 emoji 😀 needle\nprice: ٣٤ €\n",
  "utf16.txt": utf16("wide needle\r\nsecond wide line\r\n"),
  "bom.txt": "\uFEFFneedle after mark\nplain\n",
  "binary.bin": Buffer.from("needle\0needle\n"),
  "late.bin": Buffer.concat([Buffer.from(`needle\n${"x".repeat(99)}\n`.repeat(800)), Buffer.from("\0\n")]),
  "empty.txt": "",
  "no-newline.txt": "last needle",
  "blank.txt": "\n\n   \n\nx\n",
  "numbers.csv": "1,22,333\n4444,55555\na1b2c3\n2024-01-31\n",
  "long.txt": `${"a".repeat(1000)}needle${"b".repeat(1000)}\n😀${"😀".repeat(400)}needle\n`,
  "symbols.txt": "a+b=c\n$price {x} [y] (z)\nback\\slash\n^start end$\npipe|pipe\nquestion?\n*star*\n",
  "code.go": 'func main() {\n\tvar x interface{}\n\tfmt.Println("needle", x)\n}\n',
  "multi.txt": "begin\n  one\n  two\nend\nbegin\n  three\nend\n\nneedle\nneedle\n",
  "nested/.git/HEAD": "ref: refs/heads/main\n",
  "nested/app.log": "needle: the outer rules end at an inner repository\n",
  "vcs/.agent/vcs/HEAD": "needle\n",
  "src/.zqagent-4242-0123456789abcdef01.tmp": "needle of a killed write\n",
};

const PATTERNS: [string, Record<string, unknown>][] = [
  ["needle", {}],
  ["needle", { ignore_case: true }],
  ["NEEDLE", {}],
  ["(?i)needle", {}],
  ["^needle", {}],
  ["needle$", {}],
  ["^$", {}],
  ["^\\s*$", {}],
  ["foo\\b", {}],
  ["\\bfoo\\b", {}],
  ["\\Bbar", {}],
  ["\\<foo\\>", {}],
  ["foo[._-]bar", {}],
  ["foo(_|-)bar", {}],
  ["\\d+", {}],
  ["\\d{4}-\\d{2}-\\d{2}", {}],
  ["[[:digit:]]{3,}", {}],
  ["[[:upper:]]+", {}],
  ["[^[:ascii:]]", {}],
  ["\\w+é", {}],
  ["\\p{Greek}+", {}],
  ["\\p{Han}", {}],
  ["σίσυφος", { ignore_case: true }],
  ["caf.", {}],
  [";$", {}],
  ["line$", {}],
  ["^second", {}],
  ["two.*three", {}],
  ["interface{}", {}],
  ["foo(", {}],
  ["a+b", {}],
  ["a+b", { literal: true }],
  ["$price {x}", { literal: true }],
  ["\\$price \\{x\\}", {}],
  ["back\\\\slash", {}],
  ["[]x]", {}],
  ["[a-c]1[a-c]2", {}],
  ["[^\\s\\w]", {}],
  ["x*", {}],
  ["a++b", { path: "symbols.txt" }],
  ["(?P<first>o)o", {}],
  ["(?:foo|needle)(?:\\(|Count)", {}],
  ["foo(?=\\()", {}],
  ["(?<!_)bar", {}],
  ["(o)\\1", {}],
  ["\\x41|\\u{e9}", {}],
  ["begin.*?end", { multiline: true }],
  ["one\\n\\s+two", {}],
  ["second needle\\nthird", {}],
  ["needle\\nneedle", {}],
  ["end\\n", { multiline: true }],
  ["(?s)begin.+?two", { multiline: true }],
  ["needle", { mode: "files" }],
  ["needle", { mode: "count" }],
  ["begin(.|\\n)*?end", { mode: "count", multiline: true }],
  ["needle", { glob: "*.ts" }],
  ["needle", { glob: "*.{ts,md}" }],
  ["needle", { glob: "src/**" }],
  ["needle", { glob: "!src/**" }],
  ["needle", { glob: "!*.txt" }],
  ["needle", { glob: "*.log" }],
  ["needle", { path: "src" }],
  ["needle", { path: "src", glob: "deep/**/*.ts" }],
  ["needle", { path: "src/a.ts" }],
  ["needle", { path: "build" }],
  ["needle", { path: "node_modules/pkg" }],
  ["needle", { path: "binary.bin" }],
  ["needle", { path: "utf16.txt" }],
  ["needle", { include_ignored: true }],
  ["needle", { include_ignored: true, mode: "count" }],
  ["needle", { limit: 3 }],
  ["needle", { limit: 3, offset: 4 }],
  ["needle", { context: 2 }],
  ["foo", { context: 1, path: "src/deep" }],
  ["nothing of the kind", {}],
  ["generated$", {}],
  ["needle", { limit: 2, offset: 500 }],
  ["(", {}],
  ["[z-a]", {}],
  ["a{2,1}", {}],
  ["*", {}],
  ["😀", {}],
  ["^.", { path: "unicode.txt" }],
  ["", { path: "numbers.csv" }],
  ["\\z", { path: "numbers.csv" }],
  ["(?x) nee dle", {}],
  ["n(?i:EED)le", {}],
];

describe("grep by ripgrep and by our walker", async () => {
  const ripgrep = await findRipgrep("/nowhere");
  const bench = toolBench(TREE, { ripgrep });
  symlinkSync(join(bench.folder, "src/a.ts"), join(bench.folder, "link.ts"));
  symlinkSync(join(bench.folder, "src"), join(bench.folder, "linked"));
  const walked = walkerOver(bench);

  test("ripgrep came with the package", () => expect(ripgrep).not.toBeNull());

  test.each(PATTERNS)("%j %j", async (pattern, options) => {
    const args = { pattern, ...options };
    const byRipgrep = await bench.call("grep", args);
    expect(withoutReason((await walked(args)).content)).toBe(withoutReason(byRipgrep.content));
  });
});

function walkerOver(bench: ToolBench): (args: Record<string, unknown>) => ReturnType<ToolBench["call"]> {
  const other = toolBench({}, { ripgrep: null });
  // The same tree: the other bench's search tool, in this workspace.
  return async (args) => {
    const { registerSearchTool } = await import("../../src/tools/search");
    registerSearchTool(other.registry, bench.folder, { ripgrep: null });
    return other.call("grep", args);
  };
}

/** Each engine has its own words for what is wrong with a pattern. */
function withoutReason(content: string): string {
  return content.replace(/\(.*\); searched as plain text/, "(…); searched as plain text");
}

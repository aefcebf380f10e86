/** write_file, and what lies on the disk in the way of an edit: written as asked, or refused in words that help. */

import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describeRows, type Outcome, type Row, replaceRow } from "./rows";
import type { EditBench } from "./support";

type More = Pick<Row, "says" | "setup">;

function writeRow(
  kind: string,
  before: string | Uint8Array | null,
  content: unknown,
  outcome: string | Outcome,
  more: More = {},
): Row {
  const gives = typeof outcome === "string" ? { f: outcome } : outcome;
  return {
    kind,
    tool: "write_file",
    files: before === null ? {} : { f: before },
    args: { path: "f", content },
    outcome: gives,
    ...more,
  };
}

function pathRow(kind: string, path: string, outcome: Outcome, more: More = {}): Row {
  const files = { "src/lib/Utils.ts": "a\n", "README.md": "a\n" };
  return { kind, tool: "replace_in_file", files, args: { path, old_string: "a", new_string: "b" }, outcome, ...more };
}

const utf16 = (text: string) => Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from(text, "utf16le")]);

describeRows("content", [
  writeRow("empty", null, "", "", { says: /Created f \(0 lines\)/ }),
  writeRow("emptied", "a\n", "", ""),
  writeRow("no final newline stays none", null, "a", "a"),
  writeRow("a number", null, 42, "42"),
  writeRow("a list, for JSON", null, [1], "[\n  1\n]\n"),
  writeRow("null", null, null, [/content is required/]),
  writeRow("the same again", "a\n", "a\n", "a\n", { says: /No change/ }),
  writeRow("a fence around it is content", null, "```js\nx\n```\n", "```js\nx\n```\n"),
  writeRow("CRLF as given", null, "a\r\nb\r\n", "a\r\nb\r\n"),
  writeRow("CRLF file, mixed text as given", "a\r\nb\r\n", "a\r\nb\n", "a\r\nb\n"),
  writeRow("CRLF file, LF text", "a\r\n", "x\ny", "x\r\ny"),
  writeRow("mostly LF file, LF text", "a\r\nb\nc\n", "x\ny\n", "x\ny\n"),
  writeRow("byte order mark kept", "\uFEFFa\n", "b\n", "\uFEFFb\n"),
  writeRow("byte order mark sent along", "\uFEFFa\n", "\uFEFFb\n", "\uFEFFb\n"),
  writeRow("UTF-16 kept", utf16("a\r\n"), "文\n", { f: utf16("文\r\n") }),
  writeRow("Big5 kept, ASCII text", iconv.encode("繁體中文的測試內容\n", "big5"), "x\n", "x\n"),
  writeRow("over a binary file", Buffer.from("a\0b"), "x", [/binary/]),
  writeRow("over Latin-1", Buffer.from("caf\xe9\n", "latin1"), "x", [/encoding/]),
  writeRow("NUL", null, "a\0b", [/NUL/]),
  writeRow("half of a surrogate pair", null, "a\ud83d", [/surrogate/]),
  writeRow("escapes are content", null, 'a\\nb "\\$&"', 'a\\nb "\\$&"'),
  writeRow("a placeholder", "a\nb\n", "a\n# ... existing code ...\n", [/placeholder/, /existing code/]),
  writeRow(
    "a placeholder that was there",
    "# ... existing code ...\n",
    "x\n# ... existing code ...\n",
    "x\n# ... existing code ...\n",
  ),
  writeRow("a Chinese placeholder", "a\n", "a\n// ……其余代码不变……\n", [/placeholder/]),
  writeRow("through a link", null, "b\n", { real: "b\n", f: "b\n" }, { setup: (bench) => linkTo(bench, "real") }),
  writeRow(
    "through a link to nothing yet",
    null,
    "b\n",
    { "d/new": "b\n", f: "b\n" },
    {
      setup: (bench) => {
        mkdirSync(bench.path("d"));
        symlinkSync("d/new", bench.path("f"));
      },
    },
  ),
  writeRow("through a link to outside", null, "b\n", [/outside/], {
    setup: (bench) => symlinkSync(join(bench.outer, "x"), bench.path("f")),
  }),
]);

function linkTo(bench: EditBench, name: string): void {
  bench.write(name, "");
  symlinkSync(name, bench.path("f"));
}

describeRows("paths", [
  pathRow("in other letters", "readme.md", [/not found/, /Did you mean README\.md\?/]),
  pathRow("in another folder", "src/Utils.ts", [/not found/, /src\/lib\/Utils\.ts/]),
  pathRow("with another extension", "src/lib/utils.js", [/not found/, /Utils\.ts/]),
  pathRow("in quotes", "`README.md`", [/not found/, /Did you mean README\.md\?/]),
  pathRow("with an @ in front", "@src/lib/Utils.ts", [/not found/, /src\/lib\/Utils\.ts/]),
  pathRow("with blanks around it", " README.md ", [/not found/, /plain name/]),
  pathRow("with a line break behind it", "README.md\n", [/not found/, /"README\.md\\n"/, /plain name/]),
  pathRow(
    "with blanks around it, and it is called so",
    " odd ",
    { " odd ": "b\n" },
    { setup: (bench) => bench.write(" odd ", "a\n") },
  ),
  {
    ...pathRow("of a new file with a line break in it", "", [/control characters/]),
    tool: "write_file",
    args: { path: "a\nb.txt", content: "x" },
  },
  pathRow("with backslashes", "src\\lib\\Utils.ts", [/not found/, /src\/lib\/Utils\.ts/]),
  pathRow("with ./ and ..", "./src/../README.md", { "README.md": "b\n" }),
  pathRow("with doubled slashes", "src//lib/Utils.ts", { "src/lib/Utils.ts": "b\n" }),
  pathRow("a folder", "src", [/directory/]),
  pathRow("a folder with its slash", "src/", [/directory/]),
  pathRow("below a file", "README.md/x", [/not found|not a directory/]),
  pathRow("above", "../x", [/outside/, /request_directory/]),
  pathRow("empty", "", [/path/]),
  pathRow("with NUL", "README.md\0.txt", [/NUL/]),
  pathRow("too long", "x".repeat(300), [/too long|not found/]),
  pathRow("of a program's memory", "/proc/self/mem", [/outside/]),
  pathRow("a pipe", "pipe", [/not a regular file/], {
    setup: (bench) => {
      execFileSync("mkfifo", [bench.path("pipe")]);
    },
  }),
  pathRow("a device by a link", "null", [/outside|regular/], {
    setup: (bench) => symlinkSync("/dev/null", bench.path("null")),
  }),
  pathRow("links in a circle", "one", [/circle|not found/], {
    setup: (bench) => {
      symlinkSync("two", bench.path("one"));
      symlinkSync("one", bench.path("two"));
    },
  }),
  pathRow(
    "through a linked folder inside",
    "l/Utils.ts",
    { "src/lib/Utils.ts": "b\n" },
    { setup: (bench) => symlinkSync("src/lib", bench.path("l")) },
  ),
]);

describeRows("what a file keeps", [
  replaceRow("its mode", ["a\n", "a", "b"], "b\n", { setup: (bench) => chmodSync(bench.path("f"), 0o751) }),
  replaceRow(
    "its other name keeps the old content, and that is said",
    ["a\n", "a", "b"],
    { f: "b\n", g: "a\n" },
    { setup: (bench) => linkSync(bench.path("f"), bench.path("g")), says: /hard link/ },
  ),
]);

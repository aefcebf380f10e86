/** replace_in_file against what models send: each row is written exactly as asked, or refused in words that help. */

import iconv from "iconv-lite";
import { describeRows, editsRow, replaceRow } from "./rows";

describeRows("line numbers copied along", [
  replaceRow("of one line", ["one\ntwo\n", "2|two", "TWO"], "one\nTWO\n"),
  replaceRow(
    "of cat -n, on both sides",
    ["\tone\n\ttwo\n", "     1\t\tone\n     2\t\ttwo", "     1\t\tone\n     2\t\t2"],
    "\tone\n\t2\n",
  ),
  replaceRow("with a blank line among them", ["a\n\nb\n", "1|a\n2|\n3|b", "1|a\n2|\n3|c"], "a\n\nc\n"),
  replaceRow(
    "of a text that begins inside a line: another line is not meant",
    ["1: a\n2: b\n", "3: b", "3: c"],
    [/not found/],
  ),
  replaceRow("of a table's column that is the file's own", ["1\talice\n2\tbob\n", "3\tbob", "3\trob"], [/not found/]),
  replaceRow("that are the file's own text", ["1|a\n2|b\n", "2|b", "2|c"], "1|a\n2|c\n"),
  replaceRow("on some lines of the new text only", ["a\nb\n", "1|a\n2|b", "1|a\nx\n2|b"], [/line numbers/]),
  replaceRow("without order", ["a\nb\n", "2|a\n1|b", "x"], [/not found/]),
  replaceRow("of a text that stands twice", ["x\ny\nx\n", "1|x", "z"], [/occurs 2 times/, /1, 3/]),
  replaceRow(
    "and the note of read_file behind them",
    ["a\nb\nc\n", "1|a\n2|b\n[lines 1-2 of 3. Continue with offset=3.]", "z"],
    [/not found/, /lines? 1/],
  ),
  replaceRow("of grep", ["a\nb\n", "2:b", "c"], [/not found/]),
  replaceRow(
    "new text that is a numbered list",
    ["# List\nx\n", "2|x", "1: first\n2: second"],
    "# List\n1: first\n2: second\n",
  ),
]);

describeRows("escapes", [
  replaceRow("line breaks written as \\n", ["a\nb\nc\n", "a\\nb", "a\\nB"], "a\nB\nc\n", { says: /escapes/ }),
  replaceRow("a \\n that is the file's own", ['x = "a\\nb"\n', '"a\\nb"', '"a\\tb"'], 'x = "a\\tb"\n'),
  replaceRow("quotes escaped on both sides", ['say("hi")\n', 'say(\\"hi\\")', 'say(\\"ho\\")'], 'say("ho")\n'),
  replaceRow("doubled backslashes", ["r = /\\d+/\n", "r = /\\\\d+/", "r = /\\\\w+/"], "r = /\\w+/\n"),
  replaceRow("undone, it fits twice", ['f("a")\nf("a")\n', 'f(\\"a\\")', "g()"], [/occurs 2 times/, /escapes/]),
  replaceRow("$&, $1 and $` in the new text", ["price\n", "price", "$& $1 $` $' $$"], "$& $1 $` $' $$\n"),
  replaceRow("signs of regular expressions", ["a.*[x]+(y)?\nabc\n", "a.*[x]+(y)?", "^$|\\"], "^$|\\\nabc\n"),
]);

describeRows("whitespace", [
  replaceRow("trailing blanks in the quote", ["a\nb\nc\n", "a  \nb\t", "A\nB"], "A\nB\nc\n", { says: /trailing/ }),
  replaceRow("trailing blanks in the file", ["a  \nb\t\nc\n", "a\nb", "A\nB"], "A\nB\nc\n", { says: /trailing/ }),
  replaceRow("blank lines around the quote", ["a\nb\nc\n", "\n\nb\n\n", "\n\nB\n\n"], "a\nB\nc\n", {
    says: /blank lines/,
  }),
  replaceRow(
    "blank lines around the quote, and another line like it but for its indentation",
    ["x\n\n\ta\n\t\ta\n\n", "\n\t\ta\n\n\n", "\n\t\tb\n\n\n"],
    "x\n\n\ta\n\t\tb\n\n",
  ),
  replaceRow("a blank line of spaces in the file", ["a\n   \nb\n", "a\n\nb", "a\n\nB"], "a\n\nB\n"),
  replaceRow("a missing blank line is not forgiven", ["a\n\nb\n", "a\nb", "c"], [/not found/, /1\|a/]),
  replaceRow("only blanks", ["a\n\n\nb\n", "\n\n\n\n", "x"], [/not found/]),
  replaceRow(
    "quote in two spaces, file in tabs, deeper new lines",
    ["f {\n\tif a {\n\t\tb\n\t}\n}\n", "  if a {\n    b\n  }", "  if a {\n    if c {\n      b\n    }\n  }"],
    "f {\n\tif a {\n\t\tif c {\n\t\t\tb\n\t\t}\n\t}\n}\n",
    { says: /indent/ },
  ),
  replaceRow(
    "quote without indentation",
    [
      "class A:\n    def f(self):\n        return 1\n",
      "def f(self):\n    return 1",
      "def f(self):\n    x = 1\n    return x",
    ],
    "class A:\n    def f(self):\n        x = 1\n        return x\n",
  ),
  replaceRow(
    "first line trimmed alone",
    ["  a(\n    1,\n  )\n", "a(\n    1,\n  )", "a(\n    2,\n  )"],
    "  a(\n    2,\n  )\n",
  ),
  replaceRow(
    "two blocks that differ in their indentation only",
    ["if a:\n    x()\n    y()\n        x()\n        y()\n", "  x()\n  y()", "  z()"],
    [/occurs 2 times/, /indentation/],
  ),
  replaceRow(
    "indentation that contradicts itself",
    ["a:\n  b\n    c\n", "a:\n  b\n  c", "a:\n  B\n  C"],
    [/not found/],
  ),
  replaceRow("a tab inside a line is no indentation", ["a\tb\n", "a b", "c"], [/not found/, /a→b/]),
  replaceRow("a form feed", ["a\n\f\nb\n", "\f", "-"], "a\n-\nb\n"),
  replaceRow("a line separator of Unicode", ["a\u2028b\nc\n", "a\u2028b", "x"], "x\nc\n"),
  replaceRow("quote in lines where the file has a line separator", ["a\u2028b\n", "a\nb", "x"], [/not found/]),
]);

describeRows("line ends", [
  replaceRow("LF quote over several CRLF lines", ["a\r\nb\r\nc\r\n", "a\nb", "A\nB\nC"], "A\r\nB\r\nC\r\nc\r\n"),
  replaceRow("CRLF quote and text in an LF file", ["a\nb\nc\n", "a\r\nb", "A\r\nB"], "A\nB\nc\n"),
  replaceRow(
    "mixed: the untouched lines keep theirs",
    ["a\r\nb\nc\r\nd\r\n", "b\nc", "b\nx\nc"],
    "a\r\nb\nx\r\nc\r\nd\r\n",
  ),
  replaceRow("old Mac line ends are text", ["a\rb\rc", "b", "B"], "a\rB\rc"),
  replaceRow("LF quote in an old Mac file", ["a\rb\rc", "a\nb", "x"], [/not found/]),
  replaceRow("a carriage return inside a line", ["a\rb\nc\n", "c", "d\re"], "a\rb\nd\re\n"),
  replaceRow("a doubled carriage return stays", ["a\r\r\nb\r\n", "b", "B"], "a\r\r\nB\r\n"),
  replaceRow("no final newline, quoted with one", ["a\nb", "b\n", "c\n"], "a\nc"),
  replaceRow("no final newline, and lines added behind it", ["a\nb", "b", "b\nc\n"], "a\nb\nc\n"),
  replaceRow("a file of one line gets CRLF as given", ["a", "a", "x\r\ny"], "x\r\ny"),
  replaceRow("the last line goes", ["a\nb\n", "b", ""], "a\n"),
  replaceRow("a line in the middle goes", ["a\r\nb\r\nc\r\n", "b", ""], "a\r\nc\r\n"),
  replaceRow("a part of a line goes, its end stays", ["a b\nc\n", " b", ""], "a\nc\n"),
  replaceRow("everything goes", ["a\nb\n", "a\nb\n", ""], ""),
  replaceRow("a newline alone is taken away", ["a\nb\n", "a\n", "a"], "ab\n"),
]);

describeRows("look-alike characters", [
  replaceRow("smart quotes in the quote, plain in the file", ['x = "a"\n', "x = “a”", "x = 'b'"], "x = 'b'\n"),
  replaceRow(
    "plain in the quote, smart in the file, inside a line",
    ["say “hi” now\n", '"hi"', '"ho"'],
    [/not found/, /“hi”/],
  ),
  replaceRow("an ellipsis sign for three dots", ["wait…\n", "wait...", "go"], "go\n"),
  replaceRow("composed and decomposed letters", ["cafe\u0301\n", "caf\u00e9", "tea"], "tea\n"),
  replaceRow("a zero-width space in the file", ["a\u200bb\nc\n", "ab", "x"], "x\nc\n"),
  replaceRow("a zero-width space in the quote", ["ab\nc\n", "a\u200bb", "x"], "x\nc\n"),
  replaceRow("a no-break space in the indentation", ["\u00a0\u00a0a\n", "  a", "  b"], "  b\n"),
  replaceRow("full-width brackets", ["如果（甲）\n", "如果(甲)", "如果(乙)"], "如果(乙)\n"),
  replaceRow("two lines that only their quotes tell apart", ['“a”\n"a"\n', "'a'", "b"], [/not found|occurs 2/]),
  replaceRow("an exact one among look-alikes", ['“a”\n"a"\n', '"a"', "b"], "“a”\nb\n"),
  replaceRow("Latin a for Cyrillic a is no look-alike", ["p\u0430ss\n", "pass", "x"], [/not found/]),
  replaceRow("an emoji of several code points", ["👩‍👩‍👧 a\n", "👩‍👩‍👧 a", "👩‍👧 b"], "👩‍👧 b\n"),
]);

describeRows("how often it stands", [
  replaceRow("twice on one line", ["a a\n", "a", "b"], [/occurs 2 times/, /replace_all/]),
  replaceRow("overlapping itself", ["aaa\n", "aa", "b"], [/occurs 2 times/]),
  replaceRow("overlapping itself, all", ["aaaa\n", "aa", "b"], "bb\n", { all: true }),
  replaceRow("all, the new text holds the old", ["a a\n", "a", "aa"], "aa aa\n", { all: true }),
  replaceRow(
    "all, ignoring indentation, each with its own",
    ["x {\n  a;\n    a;\n}\n", "\ta;\n", "\tb;\n"],
    "x {\n  b;\n    b;\n}\n",
    { all: true },
  ),
  replaceRow("all lines deleted", ["a\nx\nb\nx\n", "x", ""], "a\nb\n", { all: true }),
  replaceRow("all, also inside lines", ["x\nax\n", "x", ""], "a\n", { all: true }),
  replaceRow(
    "a block told apart by its neighbour",
    ["f\n  a\nend\ng\n  a\nend\n", "g\n  a", "g\n  b"],
    "f\n  a\nend\ng\n  b\nend\n",
  ),
  replaceRow("a long list of places is cut", ["x\n".repeat(60), "x", "y"], [/occurs 60 times/, /60 in all/]),
  replaceRow("text left out in the quote", ["a\nb\nc\nd\n", "a\n...\nd", "x"], [/not found/, /1\|a/]),
  replaceRow(
    "text left out on both sides",
    ["f() {\n  a\n  b\n}\n", "f() {\n  // ... existing code ...\n}", "f() {\n  // ... existing code ...\n  c\n}"],
    [/not found/],
  ),
  replaceRow("a placeholder in the new text", ["a\nb\n", "a", "a\n// ... rest of the code unchanged"], [/placeholder/]),
  replaceRow(
    "a placeholder that the file itself has",
    ["a\n// ... rest unchanged\n", "a\n// ... rest unchanged", "b\n// ... rest unchanged"],
    "b\n// ... rest unchanged\n",
  ),
  replaceRow("identical but for line ends", ["a\r\nb\r\n", "a\r\nb", "a\nb"], [/identical/]),
  replaceRow("nothing to find in an empty file", ["", "a", "b"], [/not found/]),
  replaceRow("empty quote on a file of blanks", [" \n\n", "", "x\n"], "x\n"),
]);

describeRows("several edits", [
  editsRow(
    "each on the result of the one before",
    "a\n",
    [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "c" },
    ],
    "c\n",
  ),
  editsRow(
    "a later one undoes an earlier one",
    "a\n",
    [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "a" },
    ],
    [/No change/],
  ),
  editsRow(
    "the second is made ambiguous by the first",
    "a\nb\n",
    [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "c" },
    ],
    [/Edit 2 of 2/, /occurs 2 times/, /nothing was written/],
  ),
  editsRow(
    "the second was swallowed by the first",
    "a\nb\nc\n",
    [
      { old_string: "a\nb", new_string: "x" },
      { old_string: "b\nc", new_string: "y" },
    ],
    [/Edit 2 of 2/, /not found/],
  ),
  editsRow("one object in place of the list", "a\n", { old_string: "a", new_string: "b" }, "b\n"),
  editsRow(
    "the list as a text",
    "a\nb\n",
    '[{"old_string":"a","new_string":"A"},{"old_string":"b","new_string":"B"}]',
    "A\nB\n",
  ),
  editsRow("the list as a text with a trailing comma", "a\n", '[{"old_string":"a","new_string":"A"},]', "A\n"),
  editsRow(
    "items as texts",
    "a\nb\n",
    ['{"old_string":"a","new_string":"A"}', '{"old_string":"b","new_string":"B"}'],
    "A\nB\n",
  ),
  editsRow("other names inside", "a\n", [{ oldText: "a", newText: "b" }], "b\n"),
  editsRow("an item without new text", "a\n", [{ old_string: "a" }], [/new_string is required/]),
  editsRow("none", "a\n", [], [/edits|old_string/]),
  editsRow(
    "the same edit twice",
    "a\nb\n",
    [
      { old_string: "a", new_string: "A" },
      { old_string: "a", new_string: "A" },
    ],
    [/Edit 2 of 2/, /already/],
  ),
  editsRow("replace_all as a word", "a a\n", [{ old_string: "a", new_string: "b", replace_all: "True" }], "b b\n"),
]);

const gb = (text: string) => iconv.encode(text, "gb18030");
const utf16le = (text: string) => Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from(text, "utf16le")]);
const utf16be = (text: string) => Buffer.concat([Buffer.from("feff", "hex"), Buffer.from(text, "utf16le").swap16()]);
const bom = (text: string) => Buffer.from(`\uFEFF${text}`);

describeRows("encodings", [
  replaceRow("a byte order mark in the quote", [bom("import x\nrun()\n"), "\uFEFFimport x", "import y"], {
    f: bom("import y\nrun()\n"),
  }),
  replaceRow("a byte order mark in both texts", [bom("import x\nrun()\n"), "\uFEFFimport x", "\uFEFFimport y"], {
    f: bom("import y\nrun()\n"),
  }),
  replaceRow("a byte order mark in the new text only", [bom("import x\n"), "import x", "\uFEFFimport y"], {
    f: bom("import y\n"),
  }),
  replaceRow("a byte order mark in a quote of a part", [bom("import x\n"), "\uFEFFimport", "export"], {
    f: bom("export x\n"),
  }),
  replaceRow("a byte order mark is asked for", ["a\n", "a", "\uFEFFa"], { f: bom("a\n") }),
  replaceRow("GB18030 with new Chinese text", [gb("€ 𠮷 标题\n尾\n"), "尾", "结束"], { f: gb("€ 𠮷 标题\n结束\n") }),
  replaceRow(
    "an encoding in doubt, new Chinese text",
    [gb("标题：说明\n尾\n"), "尾", "结束"],
    [/may be in gb18030/, /files\.encoding/],
  ),
  replaceRow("an encoding in doubt, new ASCII text", [gb("标题：说明\nx\n"), "x", "y"], { f: gb("标题：说明\ny\n") }),
  replaceRow("UTF-16 little end first", [utf16le("a\r\n文\r\n"), "文", "字\n𝒳"], { f: utf16le("a\r\n字\r\n𝒳\r\n") }),
  replaceRow("UTF-16 big end first", [utf16be("a\n文\n"), "文", "é"], { f: utf16be("a\né\n") }),
  replaceRow(
    "UTF-16 with an odd byte",
    [Buffer.concat([utf16le("a\n"), Buffer.from([0x41])]), "a", "b"],
    [/encoding|binary/],
  ),
  replaceRow("UTF-16 without its mark", [Buffer.from("abc\n", "utf16le"), "a", "b"], [/binary/]),
  replaceRow("half of a surrogate pair in the new text", ["a\n", "a", "\ud83d"], [/surrogate/]),
  replaceRow("half of a pair of the file in the quote", ["😀\n", "\ud83d", "x"], [/not found|surrogate/]),
  replaceRow("NUL in the new text", ["a\n", "a", "b\0c"], [/NUL|binary/]),
  replaceRow(
    "one broken byte in a Chinese UTF-8 file",
    [
      Buffer.concat([Buffer.from("中文内容，一二三四\n".repeat(20)), Buffer.from([0xff, 0x0a]), Buffer.from("end\n")]),
      "end",
      "结束",
    ],
    [/encoding|may be in/],
  ),
  replaceRow(
    "UTF-8 cut in the middle of a character",
    [
      Buffer.concat([Buffer.from(`${"中文内容，一二三四五\n".repeat(20)}end\n`), Buffer.from("中").subarray(0, 2)]),
      "end",
      "结束",
    ],
    [/encoding|may be in/],
  ),
  replaceRow("Latin-1", [Buffer.from("caf\xe9\nx\n", "latin1"), "x", "y"], [/encoding/, /convert/]),
  replaceRow("a very long line", [`${"x".repeat(300_000)} END\n`, " END", " end"], `${"x".repeat(300_000)} end\n`),
]);

const store = "class Store {\n  items = [];\n\n  add(item) {\n    check(item);\n    this.items.push(item);\n  }\n}\n";
const numbered = Array.from({ length: 60 }, (_, at) => `line ${at} ${at % 7 ? "x" : "y"}`);
const withOther = (line: string) => numbered.map((text, at) => (at === 40 ? line : text)).join("\n");

describeRows("what a refusal shows", [
  replaceRow(
    "a line left out: the quote's own first line too",
    [store, "  add(item) {\n    this.items.push(item);\n  }", "x"],
    [/lines 4-7/, /4\|··add\(item\)/, /5\|····check/],
  ),
  replaceRow(
    "a line too many",
    [store, "  add(item) {\n    log();\n    check(item);\n    this.items.push(item);\n  }", "x"],
    [/4\|··add/, /7\|··}/],
  ),
  replaceRow(
    "of many lines those where it differs",
    [withOther("line 40 here"), withOther("line 40 there"), "x"],
    [/lines 1-60; it first differs at line 41/, /41\|line 40 here/],
  ),
  replaceRow(
    "of a long line the part where it differs",
    [`f(${"a, ".repeat(300)}b)\n`, `f(${"a, ".repeat(300)}c)`, "x"],
    [/1\|….*a, b\)/],
  ),
  replaceRow(
    "a short new text inside of other words is not said to be there",
    ["a = index\nb = 2\n", "b = 3", "x"],
    [/^(?!.*already)/s],
  ),
  replaceRow(
    "a new text that stands there as a whole line is",
    ["a\n  b = 3\n", "b = 2", "b = 3"],
    [/already present \(line 2\)/],
  ),
  editsRow(
    "an earlier edit took the text",
    "a(1)\nb\n",
    [
      { old_string: "a(1)", new_string: "c(1)" },
      { old_string: "a(1)\nb", new_string: "d" },
    ],
    [/Edit 2 of 2/, /earlier edit/],
  ),
]);

/** apply_patch against what models send: each row is written exactly as asked, or refused in words that help. */

import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { describeRows, patchRow } from "./rows";

const six = "one\ntwo\nthree\nfour\nfive\nsix\n";
const update = (hunks: string) => `*** Update File: f\n${hunks}`;

describeRows("around the patch", [
  patchRow(
    "cat piped into apply_patch",
    six,
    "cat <<'PATCH' | apply_patch\n*** Begin Patch\n*** Update File: f\n@@\n-two\n+2\n*** End Patch\nPATCH\n",
    six.replace("two", "2"),
  ),
  patchRow(
    "cd before it",
    six,
    "cd /tmp/x && apply_patch <<EOF\n*** Begin Patch\n*** Update File: f\n@@\n-two\n+2\n*** End Patch\nEOF",
    six.replace("two", "2"),
  ),
  patchRow(
    "indented as a whole",
    six,
    "    *** Begin Patch\n    *** Update File: f\n    @@\n     one\n    -two\n    +2\n    *** End Patch",
    six.replace("two", "2"),
  ),
  patchRow(
    "CRLF throughout, LF file",
    six,
    "*** Begin Patch\r\n*** Update File: f\r\n@@\r\n-two\r\n+2\r\n*** End Patch\r\n",
    six.replace("two", "2"),
  ),
  patchRow(
    "capitals in the markers",
    six,
    "*** BEGIN PATCH\n*** UPDATE FILE: f\n@@\n-two\n+2\n*** END PATCH",
    six.replace("two", "2"),
  ),
  patchRow(
    "without both sentinels, in a fence",
    six,
    "```patch\n*** Update File: f\n@@\n-two\n+2\n```",
    six.replace("two", "2"),
  ),
  patchRow("line breaks written as \\n", six, "*** Begin Patch\\n*** Update File: f\\n@@\\n-two\\n+2\\n*** End Patch", [
    /\\n|line break/,
  ]),
  patchRow("a unified diff", six, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n*** Begin", [
    /apply_unified_diff|Begin Patch/,
  ]),
  patchRow("prose before the first file", six, `Here is the change\n${update("@@\n-two\n+2")}`, [
    /Unknown line/,
    /Update File/,
  ]),
  patchRow("prose behind a hunk", six, `${update("@@\n-two\n+2")}\nThis should do it.`, [/not found/]),
  patchRow(
    "two patches in one text",
    six,
    `*** Begin Patch\n${update("@@\n-two\n+2")}\n*** End Patch\n*** Begin Patch\n${update("@@\n-six\n+6")}\n*** End Patch`,
    six.replace("two", "2").replace("six", "6"),
  ),
  patchRow(
    "the end twice",
    six,
    `*** Begin Patch\n${update("@@\n-two\n+2")}\n*** End Patch\n*** End Patch`,
    six.replace("two", "2"),
  ),
]);

describeRows("headers", [
  patchRow(
    "only the markers are indented",
    "def f():\n  a\n",
    " *** Begin Patch\n*** Update File: f\n@@\n   a\n+  b\n *** End Patch ",
    "def f():\n  a\n  b\n",
  ),
  patchRow(
    "the markers and the name are indented",
    "def f():\n  a\n",
    "  *** Begin Patch\n  *** Update File: f\n@@\n   a\n+  b\n  *** End Patch",
    "def f():\n  a\n  b\n",
  ),
  patchRow("a/ in front of the name", six, "*** Update File: a/f\n@@\n-two\n+2", six.replace("two", "2")),
  patchRow("./ in front of the name", six, "*** Update File: ./f\n@@\n-two\n+2", six.replace("two", "2")),
  patchRow("a name with blanks", { "my file.txt": "a\n" }, "*** Update File: my file.txt\n@@\n-a\n+b", {
    "my file.txt": "b\n",
  }),
  patchRow("a Chinese name", { "文档/说明.md": "甲\n" }, "*** Update File: 文档/说明.md\n@@\n-甲\n+乙", {
    "文档/说明.md": "乙\n",
  }),
  patchRow(
    "headers of a diff below the file header",
    six,
    update("--- a/f\n+++ b/f\n@@ -2,1 +2,1 @@\n-two\n+2"),
    six.replace("two", "2"),
  ),
  patchRow("a comment of SQL that looks like them", "-- f\nx\n", update("@@\n--- f\n+++ g\n x"), "++ g\nx\n"),
  patchRow("Rename File", six, "*** Rename File: f\n*** To: g", [/Unknown line/, /Update File/]),
  patchRow("no path", six, "*** Update File:\n@@\n-two\n+2", [/no path/]),
  patchRow("an absolute path elsewhere", six, "*** Update File: /etc/passwd\n@@\n-root\n+x", [/outside/]),
  patchRow("nothing below the header", six, "*** Update File: f", [/no change/]),
  patchRow("an @@ line alone", six, update("@@ two"), [/no lines below/]),
  patchRow("context alone", six, update("@@\n one\n two"), [/changes nothing/]),
  patchRow("a line that becomes itself", six, update("@@\n-two\n+two"), [/changes nothing/]),
]);

const classes = "class A:\n    def run(self):\n        return 1\n\nclass B:\n    def run(self):\n        return 1\n";
const secondOne = `${classes.slice(0, classes.lastIndexOf("1"))}2\n`;

describeRows("anchors", [
  patchRow(
    "of a class, with its lines",
    classes,
    update("@@ class B:\n     def run(self):\n-        return 1\n+        return 2"),
    secondOne,
  ),
  patchRow(
    "with @@ at its end",
    classes,
    update("@@ class B: @@\n     def run(self):\n-        return 1\n+        return 2"),
    secondOne,
  ),
  patchRow(
    "that is the first line of the context too",
    classes,
    update("@@ class B:\n class B:\n     def run(self):\n-        return 1\n+        return 2"),
    secondOne,
  ),
  patchRow(
    "a part of the line",
    classes,
    update("@@ B\n     def run(self):\n-        return 1\n+        return 2"),
    secondOne,
  ),
  patchRow("that stands behind the only place", "a\nx\nb\ny\n", update("@@ b\n-x\n+z"), [/line 2/, /before|in front/]),
  patchRow(
    "not there, context in two places",
    classes,
    update("@@ class C:\n     def run(self):\n-        return 1\n+        return 2"),
    [/class C:/, /not found/],
  ),
  patchRow(
    "none, context in two places",
    classes,
    update("@@\n     def run(self):\n-        return 1\n+        return 2"),
    [/ambiguous/, /2, 6/],
  ),
  patchRow(
    "none, a neighbour tells them apart",
    classes,
    update("@@\n class B:\n     def run(self):\n-        return 1\n+        return 2"),
    secondOne,
  ),
  patchRow("a line number between two places", "x\na\nx\na\n", update("@@ -3,2 +3,2 @@\n x\n-a\n+b"), "x\na\nx\nb\n"),
  patchRow("a line number beyond the end", six, update("@@ -90,1 +90,1 @@\n-two\n+2"), six.replace("two", "2")),
  patchRow("a number as near to one place as to the other", "x\nq\nx\n", update("@@ -2,1 +2,1 @@\n-x\n+y"), [
    /ambiguous/,
  ]),
  patchRow("wrong counts", six, update("@@ -2,7 +2,9 @@\n two\n-three\n+3\n four"), six.replace("three", "3")),
  patchRow("dots as an anchor", six, update("@@ ... @@\n-two\n+2"), six.replace("two", "2")),
]);

describeRows("hunks", [
  patchRow("the same hunk twice, adding lines", "a\nb\n", update("@@\n a\n+x\n b\n@@\n a\n+x\n b"), [
    /hunk 2/,
    /already/,
  ]),
  patchRow("the same hunk twice, changing a line", six, update("@@\n-two\n+2\n@@\n-two\n+2"), [
    /hunk 2/,
    /already|not found/,
  ]),
  patchRow("two additions at one place, in their order", "a\nb\n", update("@@\n a\n+x\n@@\n+y\n b"), "a\nx\ny\nb\n"),
  patchRow("overlapping removals", six, update("@@\n-two\n-three\n+23\n@@\n-three\n-four\n+34"), [
    /hunk 2/,
    /earlier hunk|not found/,
  ]),
  patchRow(
    "a later one quotes what an earlier one wrote",
    six,
    update("@@\n one\n-two\n+2\n@@\n 2\n-three\n+3"),
    six.replace("two", "2").replace("three", "3"),
  ),
  patchRow(
    "an anchor that an earlier one wrote",
    "a\nend\n",
    update("@@\n a\n+def g():\n+    pass\n@@ def g():\n-    pass\n+    go()"),
    "a\ndef g():\n    go()\nend\n",
  ),
  patchRow(
    "a later one quotes what was there before",
    six,
    update("@@\n one\n-two\n+2\n@@\n two\n-three\n+3"),
    six.replace("two", "2").replace("three", "3"),
  ),
  patchRow("without the space before context lines", six, update("@@\none\n-two\n+2\nthree"), six.replace("two", "2")),
  patchRow("context of blank lines only, in one place", "a\n\n\nb\n", update("@@\n \n \n+x"), "a\n\n\nx\nb\n"),
  patchRow("context of blank lines only, in two places", "a\n\nb\n\nc\n", update("@@\n \n+x"), [/ambiguous/]),
  patchRow("removed lines only", six, update("@@\n-two\n-three"), "one\nfour\nfive\nsix\n"),
  patchRow("all lines removed", "a\nb\n", update("@@\n-a\n-b"), ""),
  patchRow("lines added to an empty file", "", update("@@\n+a\n+b"), "a\nb\n"),
  patchRow("a minus sign in the content", "- a\n-- b\n", update("@@\n-- a\n+- c\n --- b"), [/not found/]),
  patchRow("text left out between", six, update("@@\n one\n ...\n-five\n+5"), [/not found/, /five/]),
  patchRow("a placeholder added", six, update("@@\n-two\n+# ... rest of the code unchanged ..."), [/placeholder/]),
  patchRow(
    "the old line is nearly there",
    "const total = sum(a, b);\n",
    update("@@\n-const total = sum(a,b);\n+const total = 0;"),
    [/not found/, /sum\(a, b\)/],
  ),
  patchRow("a tab lost at the start of context", "\ta\n\tb\n", update("@@\n\ta\n-\tb\n+\tc"), "\ta\n\tc\n"),
  patchRow(
    "marks of a conflict",
    "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
    update("@@\n-<<<<<<< ours\n-a\n-=======\n b\n->>>>>>> theirs"),
    "b\n",
  ),
]);

describeRows("the end of the file", [
  patchRow("no final newline, a line added behind", "a\nb", update("@@\n b\n+c\n*** End of File"), "a\nb\nc"),
  patchRow("no final newline, nothing said", "a\nb", update("@@\n+c"), "a\nb\nc"),
  patchRow("the last of three", "x\nx\nx\n", update("@@\n-x\n+y\n*** End of File"), "x\nx\ny\n"),
  patchRow("said of a place in the middle", six, update("@@\n-two\n+2\n*** End of File"), six.replace("two", "2")),
  patchRow("CRLF file, a line added behind", "a\r\nb\r\n", update("@@\n b\n+c"), "a\r\nb\r\nc\r\n"),
  patchRow("mixed line ends: a changed line keeps its own", "a\nb\r\nc\n", update("@@\n a\n-b\n+B\n c"), "a\nB\r\nc\n"),
  patchRow(
    "a byte order mark in the first line",
    { f: "\uFEFFimport x\nrun()\n" },
    update("@@\n-\uFEFFimport x\n+\uFEFFimport y\n run()"),
    "\uFEFFimport y\nrun()\n",
  ),
]);

describeRows("files", [
  patchRow("added with the end marked", {}, "*** Add File: n\n+a\n+b\n*** End of File", { n: "a\nb\n" }),
  patchRow("added without + and the end marked", {}, "*** Add File: n\na\nb\n*** End of File", { n: "a\nb\n" }),
  patchRow("added empty", {}, "*** Add File: n", { n: "" }),
  patchRow("added with one blank line", {}, "*** Add File: n\n+", { n: "\n" }),
  patchRow("added with a + that is content", {}, "*** Add File: n\n++1\n+-1", { n: "+1\n-1\n" }),
  patchRow("added, some lines without +", {}, "*** Add File: n\n+a\nb", [/must start with \+/, /"b"/]),
  patchRow("added with an @@ line", {}, "*** Add File: n\n@@\n+a", [/must start with \+/]),
  patchRow("added, holding a patch", {}, "*** Add File: n\n+*** Begin Patch\n+*** Delete File: f\n+*** End Patch", {
    n: "*** Begin Patch\n*** Delete File: f\n*** End Patch\n",
  }),
  patchRow("added twice", {}, "*** Add File: n\n+a\n*** Add File: n\n+b", [/already exists/]),
  patchRow("added and changed", {}, "*** Add File: n\n+a\n*** Update File: n\n@@\n-a\n+b", { n: "b\n" }),
  patchRow("deleted and added anew", { f: "old\n" }, "*** Delete File: f\n*** Add File: f\n+new", "new\n", {
    says: /\+1 −1/,
  }),
  patchRow(
    "deleted and added anew, but changed since it was read",
    { f: "old\n" },
    "*** Delete File: f\n*** Add File: f\n+new",
    [/changed on disk/],
    { meanwhile: (bench) => bench.write("f", "theirs\n") },
  ),
  patchRow(
    "changed since it was read, and it fits only loosely",
    { f: "a  \nb\n" },
    update("@@\n-a\n+A"),
    [/changed on disk/],
    { meanwhile: (bench) => bench.write("f", "a  \nB\n") },
  ),
  patchRow("changed since it was read, and it fits exactly", { f: "a\nb\n" }, update("@@\n-a\n+A"), "A\nB\n", {
    meanwhile: (bench) => bench.write("f", "a\nB\n"),
    says: /had changed on disk/,
  }),
  patchRow(
    "added and deleted",
    { f: "x\n" },
    "*** Add File: n\n+a\n*** Delete File: n\n*** Update File: f\n@@\n-x\n+y",
    "y\n",
  ),
  patchRow("deleted, then changed", { f: "a\n" }, "*** Delete File: f\n*** Update File: f\n@@\n-a\n+b", [/not found/]),
  patchRow(
    "moved, then changed under the new name",
    { f: "a\n" },
    "*** Update File: f\n*** Move to: g\n*** Update File: g\n@@\n-a\n+b",
    { f: null, g: "b\n" },
  ),
  patchRow(
    "moved, then changed under the old name",
    { f: "a\n" },
    "*** Update File: f\n*** Move to: g\n*** Update File: f\n@@\n-a\n+b",
    [/not found/],
  ),
  patchRow("moved to its own name", { f: "a\n" }, "*** Update File: f\n*** Move to: f\n@@\n-a\n+b", "b\n"),
  patchRow("moved onto another", { f: "a\n", g: "b\n" }, "*** Update File: f\n*** Move to: g", [/already exists/]),
  patchRow("moved outside", { f: "a\n" }, "*** Update File: f\n*** Move to: ../g", [/outside/]),
  patchRow("moved into a folder's name", { f: "a\n", "d/k": "k\n" }, "*** Update File: f\n*** Move to: d", [
    /directory/,
  ]),
  patchRow(
    "moved in a circle",
    { f: "a\n", g: "b\n" },
    "*** Update File: f\n*** Move to: t\n*** Update File: g\n*** Move to: f\n*** Update File: t\n*** Move to: g",
    { f: "b\n", g: "a\n" },
  ),
  patchRow("moved, a new one in its place", { f: "a\n" }, "*** Update File: f\n*** Move to: g\n*** Add File: f\n+new", {
    f: "new\n",
    g: "a\n",
  }),
  patchRow("a folder deleted", { "d/k": "k\n" }, "*** Delete File: d", [/directory/]),
  patchRow("a file below a file", { f: "a\n" }, "*** Add File: f/g\n+x", [/not a directory|directory/]),
  patchRow("a binary file changed", { f: Buffer.from("a\0b\n") }, update("@@\n-a\n+b"), [/binary/]),
  patchRow("a binary file moved", { f: Buffer.from("a\0b\n") }, "*** Update File: f\n*** Move to: g", {
    f: null,
    g: Buffer.from("a\0b\n"),
  }),
  patchRow(
    "the first is good, the second not there",
    { f: "a\n" },
    "*** Update File: f\n@@\n-a\n+b\n*** Update File: g\n@@\n-x\n+y",
    [/nothing was written/, /g/],
  ),
  patchRow(
    "a link is followed",
    { real: "a\n" },
    "*** Update File: link\n@@\n-a\n+b",
    { real: "b\n", link: "b\n" },
    { setup: (bench) => symlinkSync("real", bench.path("link")) },
  ),
  patchRow(
    "both names of a link",
    { real: "a\nb\n" },
    "*** Update File: link\n@@\n-a\n+A\n*** Update File: real\n@@\n-b\n+B",
    { real: "A\nB\n", link: "A\nB\n" },
    { setup: (bench) => symlinkSync("real", bench.path("link")) },
  ),
  patchRow("a link to a place outside", {}, "*** Update File: link\n@@\n-a\n+b", [/outside/], {
    setup: (bench) => symlinkSync("/etc/hostname", bench.path("link")),
  }),
  patchRow("a program stays one", { f: "a\n" }, update("@@\n-a\n+b"), "b\n", {
    setup: (bench) => chmodSync(bench.path("f"), 0o755),
  }),
  patchRow("a folder in the way of a new file", {}, "*** Add File: d\n+x", [/directory/], {
    setup: (bench) => mkdirSync(bench.path("d")),
  }),
]);

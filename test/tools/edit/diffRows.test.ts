/** apply_unified_diff against what models and programs send: written exactly as asked, or refused in words that help. */

import { chmodSync, symlinkSync } from "node:fs";
import { describeRows, diffRow } from "./rows";

const six = "one\ntwo\nthree\nfour\nfive\nsix\n";
const git = (name: string, body: string) =>
  `diff --git a/${name} b/${name}\nindex 1111111..2222222 100644\n--- a/${name}\n+++ b/${name}\n${body}`;

describeRows("headers", [
  diffRow("of git", six, git("f", "@@ -1,3 +1,3 @@ heading\n one\n-two\n+2\n three\n"), six.replace("two", "2")),
  diffRow("without prefixes", six, "--- f\n+++ f\n@@ -2 +2 @@\n-two\n+2\n", six.replace("two", "2")),
  diffRow("with ./", six, "--- ./f\n+++ ./f\n@@ -2 +2 @@\n-two\n+2\n", six.replace("two", "2")),
  diffRow(
    "of a copy with .orig",
    six,
    "--- f.orig\t2026-01-01\n+++ f\t2026-01-01\n@@ -2 +2 @@\n-two\n+2\n",
    six.replace("two", "2"),
  ),
  diffRow(
    "mnemonic prefixes",
    six,
    "diff --git i/f w/f\n--- i/f\n+++ w/f\n@@ -2 +2 @@\n-two\n+2\n",
    six.replace("two", "2"),
  ),
  diffRow(
    "of Subversion",
    six,
    "Index: f\n===================================================================\n--- f\t(revision 3)\n+++ f\t(working copy)\n@@ -2 +2 @@\n-two\n+2\n",
    six.replace("two", "2"),
  ),
  diffRow("a name with blanks", { "my file.txt": "a\n" }, git("my file.txt", "@@ -1 +1 @@\n-a\n+b\n"), {
    "my file.txt": "b\n",
  }),
  diffRow(
    "a name with blanks and git's tab behind it",
    { "my file": "a\n" },
    "diff --git a/my file b/my file\n--- a/my file\t\n+++ b/my file\t\n@@ -1 +1 @@\n-a\n+b\n",
    { "my file": "b\n" },
  ),
  diffRow(
    "a Chinese name in octal",
    { "文.txt": "a\n" },
    'diff --git "a/\\346\\226\\207.txt" "b/\\346\\226\\207.txt"\n--- "a/\\346\\226\\207.txt"\n+++ "b/\\346\\226\\207.txt"\n@@ -1 +1 @@\n-a\n+b\n',
    { "文.txt": "b\n" },
  ),
  diffRow("a folder that is called a", { "a/f": "x\n" }, git("a/f", "@@ -1 +1 @@\n-x\n+y\n"), { "a/f": "y\n" }),
  diffRow(
    "a folder that is called b, and the same name beside it",
    { "b/f": "x\n", f: "x\n" },
    git("f", "@@ -1 +1 @@\n-x\n+y\n"),
    { f: "y\n" },
  ),
  diffRow("an absolute name elsewhere", six, "--- /etc/hosts\n+++ /etc/hosts\n@@ -1 +1 @@\n-x\n+y\n", [/outside/]),
  diffRow("two names, no rename", { f: "x\n", g: "x\n" }, "--- a/f\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n", [/rename from/]),
  diffRow("only +++, one file", { f: "x\n" }, "+++ b/f\n@@ -1 +1 @@\n-x\n+y\n", { f: "y\n" }),
  diffRow(
    "only +++ for the second file: the first gets no line of it",
    { f: "a\nx\n", g: "x\n" },
    "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+A\n+++ b/g\n@@ -1 +1 @@\n-x\n+X\n",
    { f: "A\nx\n", g: "X\n" },
  ),
  { ...diffRow("none, no path", six, "", [/no file header/, /no path/]), args: { diff: "@@ -2 +2 @@\n-two\n+2\n" } },
  {
    ...diffRow("none, the path beside it", six, "", six.replace("two", "2")),
    args: { path: "f", diff: "-two\n+2".replace("", "@@\n") },
  },
  diffRow(
    "a mail of git format-patch",
    six,
    `From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.org>\nDate: Tue, 1 Dec 2026 10:00:00 +0000\nSubject: [PATCH] Change\n\n---\n f | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n${git("f", "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n")}-- \n2.39.5\n\n`,
    six.replace("two", "2"),
  ),
  diffRow(
    "a mail with wrong counts",
    six,
    `${git("f", "@@ -1,9 +1,9 @@\n one\n-two\n+2\n three\n")}-- \n2.39.5\n`,
    six.replace("two", "2"),
  ),
  diffRow(
    "prose between two files",
    { f: "a\n", g: "b\n" },
    `First:\n\`\`\`diff\n${git("f", "@@ -1 +1 @@\n-a\n+A\n")}\`\`\`\nThen the other one:\n\`\`\`diff\n${git("g", "@@ -1 +1 @@\n-b\n+B\n")}\`\`\`\n`,
    { f: "A\n", g: "B\n" },
  ),
  diffRow(
    "a diff of a merge",
    six,
    "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n- one\n -one\n++1\n",
    [/merge/],
  ),
  diffRow("nothing that is a diff", six, "please change two to 2", [/neither|no change/]),
]);

describeRows("files", [
  diffRow("new and empty", {}, "diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n", { n: "" }),
  diffRow(
    "new and executable, with blanks in its name",
    {},
    "diff --git a/my run b/my run\nnew file mode 100755\nindex 0000000..1\n--- /dev/null\n+++ b/my run\t\n@@ -0,0 +1 @@\n+#!/bin/sh\n",
    { "my run": "#!/bin/sh\n" },
  ),
  diffRow(
    "new without a final newline",
    {},
    "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
    { n: "a" },
  ),
  diffRow("new over one that is there", { f: "a\n" }, "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n", [
    /already exists/,
  ]),
  diffRow("empty and deleted", { f: "" }, "diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n", {
    f: null,
  }),
  diffRow(
    "deleted as empty, but it is not",
    { f: "a\n" },
    "diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n",
    [/not deleted/, /Read it again/],
  ),
  diffRow("deleted with CRLF", { f: "a\r\nb\r\n" }, "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", { f: null }),
  diffRow("deleted, one line differs", { f: "a\nc\n" }, "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", [
    /not deleted/,
  ]),
  diffRow("renamed only", { f: "a\n" }, "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n", {
    f: null,
    g: "a\n",
  }),
  diffRow(
    "renamed with blanks and changed",
    { "old name": "a\nb\n" },
    "diff --git a/old name b/new name\nsimilarity index 60%\nrename from old name\nrename to new name\n--- a/old name\t\n+++ b/new name\t\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
    { "old name": null, "new name": "a\nc\n" },
  ),
  diffRow("renamed onto another", { f: "a\n", g: "b\n" }, "diff --git a/f b/g\nrename from f\nrename to g\n", [
    /already exists/,
  ]),
  diffRow("copied", { f: "a\n" }, "diff --git a/f b/g\nsimilarity index 100%\ncopy from f\ncopy to g\n", [
    /copies/,
    /Add File/,
  ]),
  diffRow("mode only", { f: "a\n" }, "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", "a\n", {
    says: /mode changed/,
  }),
  diffRow("mode back", { f: "a\n" }, "diff --git a/f b/f\nold mode 100755\nnew mode 100644\n", "a\n", {
    says: /mode changed/,
    setup: (bench) => chmodSync(bench.path("f"), 0o755),
  }),
  diffRow(
    "a link made",
    {},
    "diff --git a/l b/l\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
    [/symbolic link/],
  ),
  diffRow(
    "a submodule moved on",
    { f: "a\n" },
    "diff --git a/sub b/sub\nindex 1..2 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
    [/not found|submodule/],
  ),
  diffRow(
    "binary files that differ",
    { f: "a\n" },
    "diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n",
    [/binary/],
  ),
  diffRow(
    "a link is followed",
    { real: "a\n" },
    git("link", "@@ -1 +1 @@\n-a\n+b\n"),
    { real: "b\n", link: "b\n" },
    { setup: (bench) => symlinkSync("real", bench.path("link")) },
  ),
  diffRow(
    "one file twice",
    { f: six },
    `${git("f", "@@ -2 +2 @@\n-two\n+2\n")}${git("f", "@@ -5 +5 @@\n-five\n+5\n")}`,
    six.replace("two", "2").replace("five", "5"),
  ),
  diffRow(
    "the second file fails",
    { f: "a\n", g: "b\n" },
    `${git("f", "@@ -1 +1 @@\n-a\n+A\n")}${git("g", "@@ -1 +1 @@\n-x\n+X\n")}`,
    [/nothing was written/, /g/],
  ),
]);

describeRows("hunks", [
  diffRow(
    "out of order",
    six,
    "@@ -5 +5 @@\n-five\n+5\n@@ -2 +2 @@\n-two\n+2\n",
    six.replace("two", "2").replace("five", "5"),
  ),
  diffRow("the same twice, adding lines", "a\nb\n", "@@ -1,2 +1,3 @@\n a\n+x\n b\n@@ -1,2 +1,3 @@\n a\n+x\n b\n", [
    /hunk 2/,
  ]),
  diffRow("counts too small", six, "@@ -1,1 +1,1 @@\n one\n-two\n+2\n three\n", six.replace("two", "2")),
  diffRow("no counts", six, "@@ -2 +2 @@\n-two\n-three\n+2\n", "one\n2\nfour\nfive\nsix\n"),
  diffRow("a line of minus signs as content", "-- a\nx\n", "@@ -1,2 +1,2 @@\n--- a\n+-- b\n x\n", "-- b\nx\n"),
  diffRow(
    "plus signs as content before the next hunk",
    "a\nb\nc\nd\ne\nf\ng\nh\n",
    "@@ -1,2 +1,3 @@\n a\n+++ x\n b\n@@ -8 +9 @@\n-h\n+H\n",
    "a\n++ x\nb\nc\nd\ne\nf\ng\nH\n",
  ),
  diffRow(
    "lines without context go where they say",
    six,
    "@@ -3,0 +4 @@\n+x\n",
    "one\ntwo\nthree\nx\nfour\nfive\nsix\n",
  ),
  diffRow("removed without context", six, "@@ -3 +2,0 @@\n-three\n", six.replace("three\n", "")),
  diffRow("added behind the end", six, "@@ -9,0 +10 @@\n+x\n", [/line 9/, /6 lines/]),
  diffRow(
    "added behind the end, though an earlier hunk adds lines there",
    six,
    "@@ -6,0 +7,5 @@\n+a\n+b\n+c\n+d\n+e\n@@ -9,0 +15 @@\n+x\n",
    [/hunk 2/, /line 9/],
  ),
  diffRow("added without any place", six, "@@\n+x\n", [/without any context/]),
  diffRow("put at the start", six, "@@ -0,0 +1 @@\n+zero\n", `zero\n${six}`),
  diffRow(
    "stated line between equal blocks, a neighbour decides",
    "f\n  x\ng\n  x\n",
    "@@ -1,2 +1,2 @@\n g\n-  x\n+  y\n",
    "f\n  x\ng\n  y\n",
  ),
  diffRow(
    "tabs in the file, blanks in the diff",
    "f {\n\ta;\n}\n",
    "@@ -1,3 +1,4 @@\n f {\n     a;\n+    b;\n }\n",
    "f {\n\ta;\n\tb;\n}\n",
    { says: /indent/ },
  ),
  diffRow("trailing blanks in the file's context", "a  \nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a  \nc\n"),
  diffRow(
    "a line left out in the middle of context",
    six,
    "@@ -1,4 +1,4 @@\n one\n three\n-four\n+4\n",
    six.replace("four", "4"),
  ),
  diffRow("a removed line that is not there", six, "@@ -1,2 +1,2 @@\n one\n-zwei\n+2\n", [
    /not found/,
    /zwei/,
    /2\|two/,
  ]),
  diffRow("applied already", "one\n2\nthree\n", "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n", [/already/, /line 1/]),
  diffRow("context alone", six, "@@ -1,2 +1,2 @@\n one\n two\n", [/changes nothing/]),
  diffRow("a placeholder added", six, "@@ -2 +2 @@\n-two\n+// ... rest of code unchanged\n", [/placeholder/]),
]);

describeRows("line ends", [
  diffRow("CRLF diff, LF file", six, "--- a/f\r\n+++ b/f\r\n@@ -2 +2 @@\r\n-two\r\n+2\r\n", six.replace("two", "2")),
  diffRow(
    "CR in the lines only, as git writes it of a CRLF file",
    "a\r\nb\r\n",
    "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n",
    "a\r\nc\r\n",
  ),
  diffRow("from CRLF to LF", "a\r\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n-b\r\n+a\n+b\n", "a\nb\n"),
  diffRow("a final newline added", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"),
  diffRow("a final newline taken", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n", "a\nb"),
  diffRow("no newline said, but the file goes on", six, "@@ -2 +2 @@\n-two\n+2\n\\ No newline at end of file\n", [
    /goes on/,
  ]),
  diffRow(
    "no newline on both sides",
    "a\nb",
    "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
    "a\nc",
  ),
  diffRow(
    "a byte order mark in the first line, as git shows it",
    { f: "\uFEFFimport x\nrun()\n" },
    "@@ -1,2 +1,2 @@\n-\uFEFFimport x\n+\uFEFFimport y\n run()\n",
    "\uFEFFimport y\nrun()\n",
  ),
  diffRow(
    "a byte order mark in the context",
    { f: "\uFEFFimport x\nrun()\n" },
    "@@ -1,2 +1,2 @@\n \uFEFFimport x\n-run()\n+go()\n",
    "\uFEFFimport x\ngo()\n",
  ),
  diffRow(
    "UTF-16",
    { f: Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from("a\r\n文\r\n", "utf16le")]) },
    "@@ -1,2 +1,2 @@\n a\n-文\n+字\n",
    { f: Buffer.concat([Buffer.from("fffe", "hex"), Buffer.from("a\r\n字\r\n", "utf16le")]) },
  ),
]);

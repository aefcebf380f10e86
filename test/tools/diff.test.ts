/** apply_patch and apply_unified_diff through the registry, on real files. */

import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, statSync, symlinkSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DiffDisplay } from "../../src/tools/edit/display";
import { createBench, type EditBench, listing } from "./edit/support";

let bench: EditBench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.remove());

type Files = Record<string, string | null>;

function writeAll(files: Files): void {
  for (const [name, content] of Object.entries(files)) if (content !== null) bench.write(name, content);
}

function expectAll(files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) expect(existsSync(bench.path(name)), name).toBe(false);
    else expect(bench.text(name), name).toBe(content);
  }
}

const patch = (...lines: string[]) =>
  bench.call("apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
const diff = (...lines: string[]) => bench.call("apply_unified_diff", { diff: `${lines.join("\n")}\n` });

/** A row: what it is, the files before, the lines sent, and the files after or what the refusal says. */
type Row = [kind: string, before: Files, lines: string[], after: Files | RegExp];

async function check(before: Files, result: () => ReturnType<typeof patch>, after: Files | RegExp): Promise<void> {
  writeAll(before);
  const listed = listing(bench.outer);
  const { status, content } = await result();
  if (after instanceof RegExp) {
    expect(content).toMatch(after);
    expect(status).toBe("error");
    expect(listing(bench.outer)).toEqual(listed);
  } else {
    expect(status, content).toBe("ok");
    expectAll(after);
  }
}

const update = "*** Update File: f";

describe("apply_patch", () => {
  const rows: Row[] = [
    ["takes a patch that is indented as a whole", { f: "a\n" }, [], { f: "b\n" }],
    ["takes blank lines of a new file without plus", {}, ["*** Add File: n", "+a", "", "+b", ""], { n: "a\n\nb\n" }],
    ["makes an empty file", {}, ["*** Add File: n"], { n: "" }],
    [
      "refuses a new file whose lines only partly begin with plus",
      {},
      ["*** Add File: n", "+a", "b"],
      /every line must start with \+.*"b"/,
    ],
    [
      "refuses a placeholder in a new file",
      {},
      ["*** Add File: n", "+a", "+// ... rest of code unchanged"],
      /n contains an omission placeholder/,
    ],
    [
      "refuses a placeholder in a hunk",
      { f: "a\n" },
      [update, "@@", "-a", "+# ... existing code ..."],
      /hunk 1 of f contains an omission/,
    ],
    [
      "composes removal and new file of one name",
      { f: "old\n" },
      ["*** Delete File: f", "*** Add File: f", "+new"],
      { f: "new\n" },
    ],
    [
      "composes a new file and its change",
      {},
      ["*** Add File: n", "+a", "+b", "*** Update File: n", "@@", "-b", "+c"],
      { n: "a\nc\n" },
    ],
    [
      "composes a move and a change at the new place",
      { f: "a\nb\n" },
      [update, "*** Move to: g", "*** Update File: g", "@@", "-b", "+c"],
      { f: null, g: "a\nc\n" },
    ],
    [
      "swaps two files",
      { f: "f\n", g: "g\n" },
      [update, "*** Move to: t", "*** Update File: g", "*** Move to: f", "*** Update File: t", "*** Move to: g"],
      { f: "g\n", g: "f\n", t: null },
    ],
    ["does not move over a file", { f: "a\n", g: "g\n" }, [update, "*** Move to: g"], /g already exists/],
    ["refuses a section without a change", { f: "a\n" }, [update], /holds no change/],
    ["refuses a change to what is there already", { f: "a\nb\n" }, [update, "@@", " a", "-b", "+b"], /changes nothing/],
    [
      "says that a hunk is there already",
      { f: "a\nc\n" },
      [update, "@@", " a", "-b", "+c"],
      /already present at line 1/,
    ],
    [
      "names every hunk that fails",
      { f: "a\nb\n" },
      [update, "@@", "-x", "+y", "@@", "-z", "+y", "*** Delete File: none"],
      /hunk 1 of f[\s\S]*hunk 2 of f[\s\S]*File not found: none/,
    ],
    [
      "places a hunk that quotes what an earlier one wrote",
      { f: "a\nb\nc\n" },
      [update, "@@", " a", "-b", "+B", "@@", " B", "-c", "+C"],
      { f: "a\nB\nC\n" },
    ],
    [
      "lets hunks share context",
      { f: "a\nb\nc\nd\n" },
      [update, "@@", "-a", "+A", " b", " c", "@@", " b", " c", "-d", "+D"],
      { f: "A\nb\nc\nD\n" },
    ],
    [
      "refuses two hunks that change one line",
      { f: "a\nb\n" },
      [update, "@@", "-a", "+A", "@@ -1 +1 @@", "-a", "+B"],
      /changes lines that an earlier hunk changed|not found/,
    ],
    [
      "drops blank lines that only part hunks",
      { f: "a\nb\nc\n" },
      [update, "@@", "-a", "+A", "", "@@", "-c", "+C", ""],
      { f: "A\nb\nC\n" },
    ],
    [
      "takes a line without its mark as context",
      { f: "{\n  a\n}\n" },
      [update, "@@", "{", "-  a", "+  b", "}"],
      { f: "{\n  b\n}\n" },
    ],
    [
      "inserts after an anchor and before the end",
      { f: "a\nb\n" },
      [update, "@@ a", "+x", "@@", "+y"],
      { f: "a\nx\nb\ny\n" },
    ],
    [
      "says that an anchor is missing",
      { f: "alpha beta\n" },
      [update, "@@ gamma", "+x"],
      /@@ line "gamma" was not found/,
    ],
    [
      "finds an anchor by part of a line",
      { f: "def go(a, b):\n    x\ndef no():\n    x\n" },
      [update, "@@ def no", "-    x", "+    y"],
      { f: "def go(a, b):\n    x\ndef no():\n    y\n" },
    ],
    [
      "tells that an anchor fits twice",
      { f: "m:\n  x\nm:\n  x\n" },
      [update, "@@ m:", "-  x", "+  y"],
      { f: "m:\n  y\nm:\n  x\n" },
    ],
    ["appends to a file without final newline, and adds none", { f: "a" }, [update, "@@", "+b"], { f: "a\nb" }],
    ["removes the last line of a file without final newline", { f: "a\nb" }, [update, "@@", " a", "-b"], { f: "a" }],
    ["fills an empty file", { f: "" }, [update, "@@", "+a"], { f: "a\n" }],
    [
      "re-indents what it adds by an indent match",
      { f: "\tif x {\n\t\ty()\n\t}\n" },
      [update, "@@", "   if x {", "+    z()", "     y()"].map((one) => one),
      { f: "\tif x {\n\t\tz()\n\t\ty()\n\t}\n" },
    ],
    [
      "keeps every line end of a mixed file",
      { f: "a\r\nb\nc\r\nd\n" },
      [update, "@@", " a", "-b", "+B", " c"],
      { f: "a\r\nB\nc\r\nd\n" },
    ],
    [
      "strips a/ where only the bare path is there",
      { f: "a\n" },
      ["*** Update File: a/f", "@@", "-a", "+b"],
      { f: "b\n" },
    ],
    [
      "keeps a/ where that path is there",
      { "a/f": "a\n", f: "a\n" },
      ["*** Update File: a/f", "@@", "-a", "+b"],
      { "a/f": "b\n", f: "a\n" },
    ],
    ["says what is cut off", { f: "a\n" }, [update, "@@ a"], /no lines below it/],
    ["refuses text behind a removal", { f: "a\n" }, ["*** Delete File: f", "-a"], /followed by/],
  ];
  it.each(rows)("%s", async (kind, before, lines, after) => {
    const whole = kind.startsWith("takes a patch that is indented")
      ? () =>
          bench.call("apply_patch", {
            patch: "  *** Begin Patch\n  *** Update File: f\n  @@\n  -a\n  +b\n  *** End Patch\n",
          })
      : () => patch(...lines);
    await check(before, whole, after);
  });

  it("tells of an anchor that fits twice", async () => {
    writeAll({ f: "m:\n  x\nm:\n  x\n" });
    expect((await patch(update, "@@ m:", "-  x", "+  y")).content).toMatch(
      /Note: hunk 1 the @@ line stands at line 3 too/,
    );
  });

  it.each([
    [
      "two patches in one call",
      "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch\n\n*** Begin Patch\n*** Add File: b\n+2\n*** End Patch",
      { a: "1\n", b: "2\n" },
    ],
    ["no sentinels, in a fence", "```\n*** Add File: a\n+1\n```\n", { a: "1\n" }],
    ["markers with blanks around them", " *** Begin Patch \n *** Add File: a \n +1\n *** End Patch ", { a: "1\n" }],
    ["an indented end", "*** Begin Patch\n*** Add File: a\n+1\n  *** End Patch\n\n", { a: "1\n" }],
    ["CRLF all over", "*** Begin Patch\r\n*** Add File: a\r\n+1\r\n*** End Patch\r\n", { a: "1\n" }],
    [
      "a here-document in a command",
      "cd sub && apply_patch <<-'X'\n*** Begin Patch\n*** Add File: a\n+1\n*** End Patch\nX",
      { a: "1\n" },
    ],
  ])("takes %s", async (_kind, text, after: Files) => {
    const result = await bench.call("apply_patch", { patch: text });
    expect(result.status, result.content).toBe("ok");
    expectAll(after);
  });

  it.each([
    ["a unified diff", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", /use apply_unified_diff/],
    ["an end without a beginning", "*** Update File: f\n*** End Patch", /first line must be '\*\*\* Begin Patch'/],
    ["nothing", "", /empty/],
    ["prose", "please change f", /first line must be/],
  ])("refuses %s", async (_kind, text, says) => {
    await check({ f: "a\n" }, () => bench.call("apply_patch", { patch: text }), says);
  });
});

describe("apply_unified_diff", () => {
  const head = ["--- a/f", "+++ b/f"];
  const rows: Row[] = [
    [
      "renames without a change",
      { old: "a\n" },
      ["diff --git a/old b/n/new", "similarity index 100%", "rename from old", "rename to n/new"],
      { old: null, "n/new": "a\n" },
    ],
    [
      "takes quoted names",
      { "文.txt": "a\n" },
      ['--- "a/\\346\\226\\207.txt"', '+++ "b/\\346\\226\\207.txt"', "@@ -1 +1 @@", "-a", "+b"],
      { "文.txt": "b\n" },
    ],
    [
      "takes names with blanks",
      { "a b.txt": "a\n" },
      ["diff --git a/a b.txt b/a b.txt", "--- a/a b.txt", "+++ b/a b.txt", "@@ -1 +1 @@", "-a", "+b"],
      { "a b.txt": "b\n" },
    ],
    [
      "takes names without prefixes in folders called a and b",
      { "a/x": "1\n" },
      ["--- a/x", "+++ a/x", "@@ -1 +1 @@", "-1", "+2"],
      { "a/x": "2\n" },
    ],
    [
      "keeps the folder of a new file that looks like a prefix",
      {},
      ["--- /dev/null", "+++ c/n", "@@ -0,0 +1 @@", "+1"],
      { "c/n": "1\n" },
    ],
    [
      "takes git's other prefixes",
      { f: "1\n" },
      ["diff --git i/f w/f", "--- i/f", "+++ w/f", "@@ -1 +1 @@", "-1", "+2"],
      { f: "2\n" },
    ],
    [
      "takes names without prefixes of a new file",
      {},
      ["diff --git b/n b/n", "new file mode 100644", "--- /dev/null", "+++ b/n", "@@ -0,0 +1 @@", "+1"],
      { "b/n": "1\n" },
    ],
    ["makes an empty file", {}, ["diff --git a/e b/e", "new file mode 100644", "index 0000000..e69de29"], { e: "" }],
    [
      "deletes an empty file",
      { e: "" },
      ["diff --git a/e b/e", "deleted file mode 100644", "index e69de29..0000000"],
      { e: null },
    ],
    [
      "makes a file without final newline",
      {},
      ["--- /dev/null", "+++ b/n", "@@ -0,0 +1 @@", "+a", "\\ No newline at end of file"],
      { n: "a" },
    ],
    [
      "does not delete a file with other content",
      { f: "a\nx\n" },
      ["--- a/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"],
      /not deleted: its content is not what the diff removes/,
    ],
    [
      "deletes a CRLF file",
      { f: "a\r\nb\r\n" },
      ["--- a/f", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b"],
      { f: null },
    ],
    [
      "refuses two names without a rename",
      { f: "a\n" },
      ["--- a/f", "+++ b/g", "@@ -1 +1 @@", "-a", "+b"],
      /names two files/,
    ],
    ["refuses a copy", { f: "a\n" }, ["diff --git a/f b/g", "copy from f", "copy to g"], /copies a file/],
    [
      "refuses a link and a submodule",
      {},
      ["diff --git a/l b/l", "new file mode 120000", "--- /dev/null", "+++ b/l", "@@ -0,0 +1 @@", "+x"],
      /symbolic link/,
    ],
    ["refuses a merge's diff", { f: "a\n" }, [...head, "@@@ -1 -1 +1 @@@", "- a"], /combined/],
    [
      "takes lines that look like headers as content",
      { f: "-- a\n++ b\nc\n" },
      [...head, "@@ -1,3 +1,3 @@", "--- a", "+-- A", " ++ b", " c"],
      { f: "-- A\n++ b\nc\n" },
    ],
    [
      "does not lose lines that its counts leave out",
      { f: "a\n\nb\n" },
      [...head, "@@ -1,1 +1,1 @@", "-a", "+A", "", "-b", "+B"],
      { f: "A\n\nB\n" },
    ],
    [
      "takes a context line that lost its blank",
      { f: "{\n  a\n}\n" },
      [...head, "@@ -1,3 +1,3 @@", "{", "-  a", "+  b", "}"],
      { f: "{\n  b\n}\n" },
    ],
    ["does not insert without context or number", { f: "a\nb\n" }, [...head, "@@ ... @@", "+x"], /without any context/],
    [
      "does not insert behind the end",
      { f: "a\n" },
      [...head, "@@ -7,0 +8 @@", "+x"],
      /behind line 7, but the file has 1/,
    ],
    ["inserts at the top", { f: "a\n" }, [...head, "@@ -0,0 +1 @@", "+x"], { f: "x\na\n" }],
    [
      "does not insert a second time",
      { f: "a\nx\nb\n" },
      [...head, "@@ -1,2 +1,3 @@", " a", "+x", " b"],
      /already present/,
    ],
    [
      "does not trust a brace alone",
      { f: "a {\n}\nb {\n}\nc {\n}\n" },
      [...head, "@@ -1,2 +1,3 @@", " zzz {", " }", "+x"],
      /ambiguous|not found/,
    ],
    [
      "changes CRLF to LF where the diff says so",
      { f: "a\r\nb\r\n" },
      [...head, "@@ -1,2 +1,2 @@", "-a\r", "+a", " b\r"],
      { f: "a\nb\r\n" },
    ],
    [
      "refuses a change of the final newline in the middle",
      { f: "a\nb\nc\n" },
      [...head, "@@ -1,2 +1,2 @@", " a", "-b", "+B", "\\ No newline at end of file"],
      /file goes on behind line 2/,
    ],
    [
      "says which hunk of which file failed",
      { f: "a\n", g: "b\n" },
      [...head, "@@ -1 +1 @@", "-x", "+y", "--- a/g", "+++ b/g", "@@ -1 +1 @@", "-b", "+c"],
      /nothing was written[\s\S]*hunk 1 of f/,
    ],
    ["refuses what is no diff", { f: "a\n" }, ["just words"], /no change: neither a file header nor/],
  ];
  it.each(rows)("%s", (_kind, before, lines, after) => check(before, () => diff(...lines), after));

  it("sets the executable bits and keeps them through a rename", async () => {
    writeAll({ f: "a\n" });
    const made = await diff(
      "diff --git a/n b/n",
      "new file mode 100755",
      "--- /dev/null",
      "+++ b/n",
      "@@ -0,0 +1 @@",
      "+#!/bin/sh",
    );
    expect(made.status, made.content).toBe("ok");
    expect(statSync(bench.path("n")).mode & 0o111).not.toBe(0);
    const mode = await diff("diff --git a/f b/f", "old mode 100644", "new mode 100755");
    expect(mode.content).toBe("Edited f: mode changed.");
    expect(statSync(bench.path("f")).mode & 0o111).not.toBe(0);
    const moved = await diff(
      "diff --git a/f b/g",
      "rename from f",
      "rename to g",
      "--- a/f",
      "+++ b/g",
      "@@ -1 +1 @@",
      "-a",
      "+b",
    );
    expect(moved.status, moved.content).toBe("ok");
    expect(statSync(bench.path("g")).mode & 0o111).not.toBe(0);
  });

  it("takes the path for a bare hunk only", async () => {
    writeAll({ f: "a\n" });
    const hunk = "@@ -1 +1 @@\n-a\n+b\n";
    expect(await bench.call("apply_unified_diff", { diff: hunk })).toMatchObject({
      content: expect.stringMatching(/no file header .* and no path was given/),
    });
    expect((await bench.call("apply_unified_diff", { diff: hunk, path: "f" })).status).toBe("ok");
    expect(bench.text("f")).toBe("b\n");
  });

  it("applies what git makes", async () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: bench.workspace, encoding: "utf8" });
    git("init", "-q");
    writeAll({
      "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      "gone.txt": "x",
      "dir/move.txt": "k\nl\nm\nn\n",
      "win.txt": "a\r\nb\r\n",
    });
    git("add", "-A");
    writeAll({
      "a.txt": "0\n1\n2\n3\n4\n5\n6\n7\n9",
      "new.txt": "n\n",
      "dir/moved.txt": "k\nl\nM\nn\n",
      "win.txt": "a\r\nB\r\n",
    });
    execFileSync("rm", ["gone.txt", "dir/move.txt"], { cwd: bench.workspace });
    git("add", "-AN");
    const made = git("diff", "-M30%");
    const wanted = listing(bench.workspace, false);
    git("checkout", "-q", "-f", "--", ".");
    execFileSync("rm", ["-f", "new.txt", "dir/moved.txt"], { cwd: bench.workspace });
    const result = await bench.call("apply_unified_diff", { diff: made });
    expect(result.status, result.content).toBe("ok");
    const withoutGit = (files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith(".git")));
    expect(withoutGit(listing(bench.workspace, false))).toEqual(withoutGit(wanted));
  });
});

describe("both", () => {
  it("tell the permission engine every path that they would write", () => {
    const text =
      "*** Begin Patch\n*** Add File: n\n+1\n*** Update File: f\n*** Move to: g/h\n*** Delete File: d\n*** End Patch";
    expect(bench.writes("apply_patch", { patch: text })).toEqual(["n", "f", "g/h", "d"]);
    expect(bench.writes("apply_unified_diff", { diff: "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" })).toEqual(["f"]);
    expect(() => bench.writes("apply_patch", { patch: "no patch" })).toThrow();
  });

  it("propose every file's change, the old and new place of a move too", async () => {
    writeAll({ f: "a\n", d: "gone\n" });
    const text =
      "*** Begin Patch\n*** Add File: n\n+1\n*** Update File: f\n*** Move to: g\n@@\n-a\n+b\n*** Delete File: d\n*** End Patch";
    const changes = await bench.preview("apply_patch", { patch: text });
    expect(changes.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "d", before: "gone\n", after: null },
      { path: "f", before: "a\n", after: null },
      { path: "g", before: null, after: "b\n" },
      { path: "n", before: null, after: "1\n" },
    ]);
    expect(existsSync(bench.path("n"))).toBe(false);
  });

  it("write one file of a patch as the person changed it", async () => {
    writeAll({ f: "a\n", g: "a\n" });
    const text = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** Update File: g\n@@\n-a\n+b\n*** End Patch";
    const result = await bench.call("apply_patch", { patch: text }, { edited: [{ path: "g", after: "c\n" }] });
    expect(result.content).toMatch(/the user changed the proposal[\s\S]*in g:/);
    expectAll({ f: "b\n", g: "c\n" });
  });

  it("show new, gone and moved files on the screen", async () => {
    writeAll({ f: "a\n", d: "gone\n" });
    const result = await patch(
      "*** Add File: n",
      "+1",
      update,
      "*** Move to: g",
      "@@",
      "-a",
      "+b",
      "*** Delete File: d",
    );
    expect(result.display as DiffDisplay).toEqual({
      kind: "diff",
      files: [
        { path: "n", diff: "@@ -0,0 +1,1 @@\n+1", added: 1, removed: 0, created: true },
        { path: "f", diff: "@@ -1,1 +1,1 @@\n-a\n+b", added: 1, removed: 1, movedTo: "g" },
        { path: "d", diff: "@@ -1,1 +0,0 @@\n-gone", added: 0, removed: 1, deleted: true },
      ],
    });
    expect(result.content.split("\n")).toEqual([
      "Created n (1 line).",
      "Moved f to g: line 1 (+1 −1).",
      "1|b",
      "Deleted d.",
    ]);
  });

  it("move and delete files of any kind, and delete links, not what they lead to", async () => {
    bench.write("bin", Buffer.from([0, 1, 2, 0xff]));
    writeAll({ f: "a\n" });
    symlinkSync("f", bench.path("l"));
    const result = await patch("*** Update File: bin", "*** Move to: d/bin", "*** Delete File: l");
    expect(result.status, result.content).toBe("ok");
    expect(bench.bytes("d/bin").toString("hex")).toBe("000102ff");
    expect(lstatSync(bench.path("l"), { throwIfNoEntry: false })).toBeUndefined();
    expect(bench.text("f")).toBe("a\n");
    expect(await patch("*** Update File: d/bin", "@@", "-x", "+y")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/binary file/),
    });
  });

  it("do not delete what changed since it was read", async () => {
    writeAll({ f: "a\n" });
    await bench.read("f");
    writeAll({ f: "b\n" });
    expect(await patch("*** Delete File: f")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/changed on disk/),
    });
    expectAll({ f: "b\n" });
  });
});

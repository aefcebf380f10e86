/** write_file and replace_in_file through the registry, on real files. */

import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DiffDisplay } from "../../src/tools/edit/display";
import { createBench, type EditBench, listing } from "./edit/support";

let bench: EditBench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.remove());

const edit = (old: string, fresh: string, more: Record<string, unknown> = {}) =>
  bench.call("replace_in_file", { path: "f", old_string: old, new_string: fresh, ...more });

describe("replace_in_file finds", () => {
  const rows: [kind: string, file: string, old: string, fresh: string, after: string, note: RegExp | null][] = [
    ["a piece of a line", "let a = b;\n", "a = b", "a = c", "let a = c;\n", null],
    ["a text over lines of a CRLF file", "a\r\nb\r\nc\r\n", "b\nc\n", "x\n", "a\r\nx\r\n", null],
    ["a text in a file without line ends, as given", "abc", "b", "x\r\ny", "ax\r\nyc", null],
    ["an exact text before a numbered one", "1|a\n2|b\n", "1|a", "1|c", "1|c\n2|b\n", null],
    ["numbered lines as read_file gives them", "a\nb\nc\n", "2|b\n3|c", "2|B\n3|c", "a\nB\nc\n", /line numbers/],
    ["numbered lines, new ones without numbers", "a\nb\n", "1→a\n2→b", "a\nx\nb", "a\nx\nb\n", /line numbers/],
    ["lines with other trailing blanks", "a  \nb\t\nc\n", "a\nb", "x", "x\nc\n", /trailing whitespace/],
    ["no-break spaces and ellipses", "a\u00a0b…\n", "a b...", "c", "c\n", /quotes, dashes and spaces/],
    ["full-width letters", "ＡＢＣ\n", "ABC", "abc", "abc\n", /quotes, dashes and spaces/],
    [
      "a first line that lost its indent",
      "\tif (a) {\n\t\tb();\n\t}\n",
      "if (a) {\n        b();\n    }",
      "if (c) {\n        b();\n    }",
      "\tif (c) {\n\t\tb();\n\t}\n",
      /indentation/,
    ],
    [
      "lines one level off, new ones deeper",
      "def f():\n    a()\n    b()\n",
      "a()\nb()\n",
      "if x:\n    a()\nb()\n",
      "def f():\n    if x:\n        a()\n    b()\n",
      /re-indented/,
    ],
    [
      "four spaces where the file has two",
      "x:\n  y:\n    - 1\n",
      "    y:\n        - 1",
      "    y:\n        - 1\n        - 2",
      "x:\n  y:\n    - 1\n    - 2\n",
      /re-indented/,
    ],
    [
      "a new line left of all quoted ones",
      "{\n\t\ta\n\t}\n",
      "        a\n    }",
      "        a\n    }\n    b",
      "{\n\t\ta\n\t}\n\tb\n",
      /re-indented/,
    ],
    [
      "new lines that have the file's tabs already",
      "\tif (a) {\n\t\tb();\n\t}\n",
      "    if (a) {\n        b();\n    }",
      "\tif (a) {\n\t\tb();\n\t\t\tc();\n\t}",
      "\tif (a) {\n\t\tb();\n\t\t\tc();\n\t}\n",
      /indentation/,
    ],
    ["a text with doubled escapes", 's = "x"\n', 's = \\"x\\"', 's = \\"y\\n\\"', 's = "y\n"\n', /escapes/],
    ["blank lines too many around it", "a\nb\n", "\nb\n\n", "\nc\n\n", "a\nc\n", /blank lines/],
    ["blank lines of which one is the file's own", "a\n\nb\n", "\n\n\nb\n", "\n\nX\nb\n", "a\nX\nb\n", /blank lines/],
    [
      "a block of blanks in a file that has tabs elsewhere",
      "\tx\n    a\n      b\n",
      "  a\n    b",
      "  a\n    b\n      c",
      "\tx\n    a\n      b\n        c\n",
      /re-indented/,
    ],
    ["a whole line to delete, with its end", "a\r\nb\r\nc\r\n", "b", "", "a\r\nc\r\n", null],
    ["a part of a line to delete", "ab\n", "b", "", "a\n", null],
    ["the only line to delete", "a\n", "a", "", "", null],
    ["a line to delete by its trimmed form", "a\n  b \nc\n", "b\n", "", "a\nc\n", /indentation/],
    ["a line with a lone CR in it", "a\rb\nc\n", "b\nc", "x", "a\rx\n", null],
  ];
  it.each(rows)("%s", async (_kind, file, old, fresh, after, note) => {
    bench.write("f", file);
    const result = await edit(old, fresh);
    expect(result.status, result.content).toBe("ok");
    expect(bench.text("f")).toBe(after);
    if (note) expect(result.content).toMatch(note);
    else expect(result.content).not.toContain("Note:");
  });
});

describe("replace_in_file refuses", () => {
  const rows: [kind: string, file: string, old: string, fresh: string, says: RegExp][] = [
    ["overlapping places", "aaa\n", "aa", "b", /occurs 2 times/],
    ["many places, naming the first", `${"x\n".repeat(50)}`, "x", "y", /50 times in f \(lines 1, 2, .*50 in all/],
    ["one quoted indent for two of the file", "a\n  b\n", "a\nb", "a\nc", /not found/],
    [
      "a flattened block, whose depth is not known",
      "if x:\n    a()\n    b()\n",
      "if x:\na()\nb()",
      "if x:\na()\nc()",
      /not found/,
    ],
    [
      "numbers in front of some new lines only",
      "a\nb\n",
      "1\ta\n2\tb",
      "1\ta\nnew\n2\tb",
      /line numbers in front of some lines/,
    ],
    ["a text that stands nowhere", "a\n", "completely different", "x", /Nothing similar/],
    ["a change that is none once the text is found", "a\n", "a  ", "a", /No change: f reads so already/],
    ["half of a surrogate pair", "a\n", "a", "\ud800", /cannot take the new text/],
    ["identical texts but for line ends", "a\nb\n", "a\nb", "a\r\nb", /identical/],
  ];
  it.each(rows)("%s", async (_kind, file, old, fresh, says) => {
    bench.write("f", file);
    const before = listing(bench.outer);
    const result = await edit(old, fresh);
    expect(result).toMatchObject({ status: "error", content: expect.stringMatching(says) });
    expect(listing(bench.outer)).toEqual(before);
  });

  it("arguments that say nothing", async () => {
    bench.write("f", "a\n");
    const faults: [Record<string, unknown>, RegExp][] = [
      [{ path: "f" }, /old_string is required/],
      [{ path: "f", old_string: "a" }, /new_string is required/],
      [{ path: "f", edits: [{ old_string: "a" }] }, /edits\[0\]\.new_string is required/],
      [{ path: "f", edits: "no json" }, /edits must be a list/],
      [{ path: "f", edits: ["a"] }, /edits must be a list/],
      [{ old_string: "a", new_string: "b" }, /path is required/],
      [{ path: " ", old_string: "a", new_string: "b" }, /path is empty/],
      [{ path: "d/", old_string: "", new_string: "b" }, /names a directory/],
    ];
    for (const [args, says] of faults) {
      expect(await bench.call("replace_in_file", args)).toMatchObject({
        status: "error",
        content: expect.stringMatching(says),
      });
    }
    expect(bench.text("f")).toBe("a\n");
  });
});

describe("several edits", () => {
  it("see each other's results, and take the single pair first", async () => {
    bench.write("f", "a\n");
    const result = await edit("a", "b", {
      edits: [
        { old_string: "b", new_string: "c" },
        { old_string: "c", new_string: "d\ne" },
      ],
    });
    expect(result.content).toMatch(/^Edited f: lines 1-2 \(\+2 −1\)\./);
    expect(bench.text("f")).toBe("d\ne\n");
  });

  it("do without the single pair where it is empty or repeated", async () => {
    bench.write("f", "a b\n");
    const edits = [
      { old_string: "a", new_string: "1" },
      { old_string: "b", new_string: "2" },
    ];
    expect((await edit("", "", { edits })).status).toBe("ok");
    bench.write("f", "a b\n");
    await bench.read("f");
    expect((await edit("a", "1", { edits })).status).toBe("ok");
    expect(bench.text("f")).toBe("1 2\n");
  });

  it("replace everywhere, keeping each line's own end", async () => {
    bench.write("f", "x\r\nx\nx");
    expect((await edit("x", "y", { replace_all: "true" })).status).toBe("ok");
    expect(bench.text("f")).toBe("y\r\ny\ny");
  });

  it("replace everywhere by a forgiving rung, re-indenting each place", async () => {
    bench.write("f", "\ta\n\t\ta\n");
    const result = await edit("  a", "  b\n  c", { replace_all: true });
    expect(result.content).toMatch(/at line 1, line 2/);
    expect(bench.text("f")).toBe("\tb\n\tc\n\t\tb\n\t\tc\n");
  });
});

describe("write_file", () => {
  it("makes folders and says what it made", async () => {
    const result = await bench.call("write_file", { path: "a/b/c", content: "1\n2" });
    expect(result.content).toBe("Created a/b/c (2 lines).");
    expect(bench.text("a/b/c")).toBe("1\n2");
  });

  it("replaces what the session has read, counting lines", async () => {
    bench.write("f", "1\n2\n3\n");
    await bench.read("f");
    const result = await bench.call("write_file", { path: "f", content: "1\nx\n3\n4\n" });
    expect(result.content).toBe("Replaced f (4 lines, +2 −1).");
    expect((result.display as DiffDisplay).files).toEqual([
      { path: "f", added: 2, removed: 1, diff: "@@ -1,3 +1,4 @@\n 1\n-2\n+x\n 3\n+4" },
    ]);
  });

  it("does nothing where the content is there already", async () => {
    bench.write("f", "1\r\n");
    const before = listing(bench.workspace);
    const result = await bench.call("write_file", { path: "f", content: "1\n" });
    expect(result).toMatchObject({ status: "ok", content: expect.stringMatching(/^No change: f/) });
    expect(listing(bench.workspace)).toEqual(before);
  });

  it.each([
    ["keeps a byte order mark", "\uFEFFa\n", "b\n", "\uFEFFb\n"],
    ["does not double one", "\uFEFFa\n", "\uFEFFb\n", "\uFEFFb\n"],
    ["adds none", "a\n", "b\n", "b\n"],
    ["keeps CRLF", "a\r\nb\r\n", "c\nd", "c\r\nd"],
    ["takes CR that the new text has", "a\r\n", "b\rc\n", "b\rc\n"],
    ["empties a file", "a\n", "", ""],
  ])("%s", async (_kind, old, content, after) => {
    bench.write("f", old);
    await bench.read("f");
    expect((await bench.call("write_file", { path: "f", content })).status).toBe("ok");
    expect(bench.text("f")).toBe(after);
  });

  it.each([
    ["// ... existing code ..."],
    ["# rest of the file remains unchanged …"],
    ["{/* ... other methods stay the same */}"],
    ["<!-- ... remaining content ... -->"],
    ["/* ...previous implementation... */"],
    ["// ……省略其余代码……"],
    ["# ... 原有代码不变"],
  ])("refuses the placeholder %s", async (line) => {
    const content = `a\n${line}\nb\n`;
    const result = await bench.call("write_file", { path: "n", content });
    expect(result).toMatchObject({ status: "error", content: expect.stringContaining("omission placeholder") });
    bench.write("f", content);
    await bench.read("f");
    const kept = await bench.call("write_file", { path: "f", content: `${content}c\n` });
    expect(kept.status, "the line is the file's own").toBe("ok");
  });

  it.each([
    ["# Loading existing users..."],
    ["..."],
    ["    ..."],
    ["f(...rest)"],
    ["say('the rest...')"],
    ["const { a, ...rest } = x;"],
    ["// see above ..."],
  ])("takes %s for what it is", async (line) => {
    expect((await bench.call("write_file", { path: "n", content: `${line}\n` })).status).toBe("ok");
  });
});

describe("the conflict guard", () => {
  it("refuses to write over what was never read, but not over an empty file or its own work", async () => {
    bench.write("f", "a\n");
    bench.write("empty", "");
    const write = (path: string, content: string) => bench.call("write_file", { path, content });
    expect(await write("f", "b\n")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/has not been read/),
    });
    expect((await write("empty", "b\n")).status).toBe("ok");
    expect((await write("empty", "c\n")).status).toBe("ok");
    expect((await write("new", "1\n")).status).toBe("ok");
    expect((await write("new", "2\n")).status).toBe("ok");
  });

  it("lets an exact edit through with a note, and refuses a forgiving one", async () => {
    bench.write("f", "a \nb\n");
    await bench.read("f");
    bench.write("f", "a \nb\nc\n");
    expect(await edit("a\nb", "x")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/changed on disk since you read it/),
    });
    expect(await edit("b", "x")).toMatchObject({
      status: "ok",
      content: expect.stringMatching(/^\[file had changed on disk/),
    });
    expect((await edit("c", "y")).content).not.toContain("had changed");
  });

  it("goes by content: a file that was only touched is unchanged", async () => {
    bench.write("f", "a\n");
    await bench.read("f");
    utimesSync(bench.path("f"), new Date(), new Date());
    const result = await bench.call("write_file", { path: "f", content: "b\n" });
    expect(result.status).toBe("ok");
  });

  it("tells a change of the same length in the same moment", async () => {
    for (let round = 0; round < 20; round++) {
      bench.write("f", "aa\n");
      await bench.read("f");
      bench.write("f", "bb\n");
      expect((await bench.call("write_file", { path: "f", content: "cc\n" })).status).toBe("error");
    }
  });
});

describe("files of a special kind", () => {
  it("follows a link inside the workspace and keeps it", async () => {
    bench.write("real/f", "a\n");
    symlinkSync("real/f", bench.path("l"));
    const result = await bench.call("replace_in_file", { path: "l", old_string: "a", new_string: "b" });
    expect(result.status).toBe("ok");
    expect(lstatSync(bench.path("l")).isSymbolicLink()).toBe(true);
    expect(bench.text("real/f")).toBe("b\n");
  });

  it("keeps mode bits, also odd ones", async () => {
    bench.write("f", "a\n");
    chmodSync(bench.path("f"), 0o4751);
    expect((await edit("a", "b")).status).toBe("ok");
    expect(statSync(bench.path("f")).mode & 0o7777).toBe(0o4751);
  });

  it("refuses folders, and paths through files", async () => {
    mkdirSync(bench.path("d"));
    bench.write("f", "a\n");
    const write = (path: string) => bench.call("write_file", { path, content: "x" });
    expect(await write("d")).toMatchObject({ status: "error", content: "d is a directory." });
    expect(await write("f/x")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/f\/x.*not a directory/),
    });
  });

  it("writes where a granted folder may be written, and not where it may only be read", async () => {
    for (const name of ["open", "closed"]) mkdirSync(join(bench.outer, name));
    bench.roots.grant(join(bench.outer, "open"), true);
    bench.roots.grant(join(bench.outer, "closed"), false);
    const write = (name: string) => bench.call("write_file", { path: join(bench.outer, name, "f"), content: "x" });
    expect((await write("open")).status).toBe("ok");
    expect(readFileSync(join(bench.outer, "open", "f"), "utf8")).toBe("x");
    expect(await write("closed")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/may be read but not changed/),
    });
  });
});

describe("a proposal", () => {
  it("shows what the call would do, writes nothing, and fails as the call would", async () => {
    bench.write("f", "a\r\nb\r\n");
    const before = listing(bench.workspace);
    const args = { path: "f", old_string: "b", new_string: "c\nd" };
    expect(bench.writes("replace_in_file", args)).toEqual(["f"]);
    expect(await bench.preview("replace_in_file", args)).toEqual([
      { path: "f", before: "a\r\nb\r\n", after: "a\r\nc\r\nd\r\n" },
    ]);
    expect(await bench.preview("write_file", { path: "n", content: "x" })).toEqual([
      { path: "n", before: null, after: "x" },
    ]);
    await expect(bench.preview("replace_in_file", { ...args, old_string: "zzz" })).rejects.toThrow(/not found/);
    await expect(bench.preview("write_file", { path: "f", content: "x" })).rejects.toThrow(/has not been read/);
    expect(listing(bench.workspace)).toEqual(before);
  });

  it("that the person changed is written as changed, and the model is told", async () => {
    bench.write("f", "a\nb\n");
    const args = { path: "f", old_string: "b", new_string: "c" };
    await bench.preview("replace_in_file", args);
    const result = await bench.call("replace_in_file", args, { edited: [{ path: "f", after: "a\nd\n" }] });
    expect(bench.text("f")).toBe("a\nd\n");
    expect(result.status).toBe("ok");
    expect(result.content).toMatch(/^\[the user changed the proposal before allowing it\]\n/);
    expect(result.content).toContain("-c\n+d");
    expect(result.content).toContain("Edited f: line 2 (+1 −1).");
  });

  it("that the person left as it was is told as any other", async () => {
    bench.write("f", "a\n");
    const result = await edit("a", "b");
    expect(result.content).not.toContain("the user");
    const same = await bench.call(
      "replace_in_file",
      { path: "f", old_string: "b", new_string: "c" },
      { edited: [{ path: "f", after: "c\n" }] },
    );
    expect(same.content).not.toContain("the user");
    expect(bench.text("f")).toBe("c\n");
  });

  it("that the person turned back to what was there changes nothing", async () => {
    bench.write("f", "a\n");
    const before = listing(bench.workspace);
    const result = await bench.call(
      "replace_in_file",
      { path: "f", old_string: "a", new_string: "b" },
      { edited: [{ path: "f", after: "a\n" }] },
    );
    expect(result.content).toMatch(/No change: nothing was written/);
    expect(listing(bench.workspace)).toEqual(before);
  });

  it("is not written when the file changed while the person edited it", async () => {
    bench.write("f", "a\n");
    const args = { path: "f", old_string: "a", new_string: "b" };
    await bench.preview("replace_in_file", args);
    bench.write("f", "a\nnew\n");
    const result = await bench.call("replace_in_file", args, { edited: [{ path: "f", after: "c\n" }] });
    expect(result).toMatchObject({ status: "error", content: expect.stringMatching(/changed on disk while/) });
    expect(bench.text("f")).toBe("a\nnew\n");
  });

  it("cannot be bent to another file", async () => {
    bench.write("f", "a\n");
    const args = { path: "f", old_string: "a", new_string: "b" };
    for (const path of ["g", "../out"]) {
      const result = await bench.call("replace_in_file", args, { edited: [{ path, after: "x" }] });
      expect(result.status).toBe("error");
    }
    expect(bench.text("f")).toBe("a\n");
  });
});

describe("calls at the same time", () => {
  it("on one file run one after the other: no edit is lost", async () => {
    bench.write("f", "start\n");
    const names = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const edits = names.map((name) => edit("start", `start\n${name}`));
    for (const result of await Promise.all(edits)) expect(result.status, result.content).toBe("ok");
    const lines = bench.text("f").trimEnd().split("\n");
    expect(lines.sort()).toEqual(["start", ...names].sort());
  });

  it("stop before anything is written once the turn is interrupted", async () => {
    bench.write("f", "a\n");
    const result = await bench.call(
      "replace_in_file",
      { path: "f", old_string: "a", new_string: "b" },
      { signal: AbortSignal.abort() },
    );
    expect(result.status).toBe("error");
    expect(bench.text("f")).toBe("a\n");
  });
});

describe("encodings", () => {
  it("refuses text that a legacy encoding cannot hold, or would only guess", async () => {
    bench.write("f", Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0x78, 0x0a]));
    expect((await edit("x", "y")).status).toBe("ok");
    expect(bench.bytes("f").toString("hex")).toBe("c4e3bac30a790a");
    expect(await edit("y", "你")).toMatchObject({
      status: "error",
      content: expect.stringMatching(/may be in .* or .*files\.encoding/),
    });
    expect(bench.bytes("f").toString("hex")).toBe("c4e3bac30a790a");
  });

  it("writes what the person named with the setting", async () => {
    const named = createBench({ encoding: "gb18030" });
    named.write("f", Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]));
    const result = await named.call("replace_in_file", { path: "f", old_string: "你好", new_string: "好你" });
    expect(result.status, result.content).toBe("ok");
    expect(named.bytes("f").toString("hex")).toBe("bac3c4e30a");
    named.remove();
  });
});

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { registerSearchTool } from "../../src/tools/search";
import { preparePattern } from "../../src/tools/search/prepare";
import { findRipgrep } from "../../src/tools/search/ripgrep";
import { temporaryFolder, toolBench, writeFiles } from "./toolBench";

const CODE = {
  "src/a.ts": "import x\nconst x = load()\nconst y = 1\n",
  "src/b.ts": 'a\nb\nc\nimport { load } from "./a"\nd\ne\nf\ng\nh\n',
  "src/c.ts": "nothing\n",
};

describe.each([["ripgrep"], ["walker"]])("grep by %s", (engine) => {
  const options = engine === "walker" ? { ripgrep: null } : {};
  const search = (files: Parameters<typeof toolBench>[0], args: Record<string, unknown>) =>
    toolBench(files, options).text("grep", args);

  test("groups by file and says how many", async () => {
    const files = { a: "x1\nq\nx2\n", "b/c": "x3\nx4\n" };
    expect(await search(files, { pattern: "x" })).toBe("a\n1:x1\n3:x2\nb/c\n1:x3\n2:x4\n[4 matches in 2 files]");
  });

  test("one to three matches come with three lines around", async () => {
    expect(await search(CODE, { pattern: "load" })).toBe(
      [
        ...["src/a.ts", "1-import x", "2:const x = load()", "3-const y = 1"],
        ...["src/b.ts", "1-a", "2-b", "3-c", '4:import { load } from "./a"', "5-d", "6-e", "7-f"],
        "[2 matches in 2 files]",
      ].join("\n"),
    );
    expect(await search(CODE, { pattern: "load", context: 0, path: "src/a.ts" })).toBe(
      "src/a.ts\n2:const x = load()\n[1 match in 1 file]",
    );
  });

  test("distant groups are parted where context is shown", async () => {
    const file = { f: "x\n1\n2\n3\n4\nx\n5\n" };
    expect(await search(file, { pattern: "x", context: 1 })).toBe(
      "f\n1:x\n2-1\n--\n5-4\n6:x\n7-5\n[2 matches in 1 file]",
    );
    expect(await search(file, { pattern: "x|5", context: 0 })).toBe("f\n1:x\n6:x\n7:5\n[3 matches in 1 file]");
  });

  test("a match over several lines shows them all", async () => {
    const file = { f: "a\nbegin\nmiddle\nend\nz\n" };
    expect(await search(file, { pattern: "begin.*end", multiline: true, context: 1 })).toBe(
      "f\n1-a\n2:begin\n3:middle\n4:end\n5-z\n[1 match in 1 file]",
    );
  });

  test("over the limit, page by page", async () => {
    const file = { f: Array.from({ length: 734 }, (_, at) => `x${at + 1}`).join("\n") };
    const first = await search(file, { pattern: "x" });
    expect(first.split("\n").at(-1)).toBe("[100 of 734 matches. Use limit, offset, or a narrower path or glob.]");
    const second = (await search(file, { pattern: "x", offset: 100, limit: 2 })).split("\n");
    expect(second).toEqual([
      "f",
      "101:x101",
      "102:x102",
      "[matches 101-102 of 734 matches. Use limit, offset, or a narrower path or glob.]",
    ]);
    expect((await search(file, { pattern: "x", offset: 733 })).split("\n").at(-1)).toBe(
      "[matches 734-734 of 734 matches]",
    );
    expect(await search(file, { pattern: "x", offset: 734 })).toBe("[offset 734 is past the last of 734 results]");
  });

  test("very many matches are not counted to the end, and pages still fit together", async () => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`d${at % 3}/f${at}`, "x\n".repeat(100)]));
    const bench = toolBench(files, options);
    const pages = [];
    for (const offset of [0, 1000, 2000]) pages.push(await bench.text("grep", { pattern: "x", offset, limit: 1000 }));
    expect(pages[0]).toMatch(/\[1,000 of more than 2,\d\d\d matches\. Use limit/);
    const shown = pages.flatMap((page) => page.split("\n").filter((line) => line.startsWith("d")));
    expect(shown).toEqual([...shown].sort());
    expect(new Set(shown).size).toBe(30);
  });

  test("no more than 50,000 characters", async () => {
    const file = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${100 + at}`, `x${"y".repeat(400)}\n`]));
    const content = await search(file, { pattern: "x", limit: 1000 });
    expect(content.length).toBeLessThan(51_000);
    expect(content).toMatch(/\[1\d\d of 300 matches\. Use limit/);
  });

  test("long lines are cut around the match", async () => {
    const file = { f: `${"a".repeat(5000)}needle${"b".repeat(5000)}\n` };
    const line = (await search(file, { pattern: "needle" })).split("\n")[1] ?? "";
    expect(line).toMatch(/^1:…a{100}needleb{194}…$/);
  });

  test("modes", async () => {
    const files = { old: "x\nx\n", "new/f": "x\n", other: "y\n" };
    expect(await search(files, { pattern: "x", mode: "files" })).toBe("new/f\nold");
    expect(await search(files, { pattern: "x", mode: "count" })).toBe("old:2\nnew/f:1");
    expect(await search(files, { pattern: "x", mode: "files", limit: 1 })).toBe(
      "new/f\n[1 of 2 files. Use limit, offset, or a narrower path or glob.]",
    );
  });

  test("nothing", async () => {
    const files = { ".gitignore": "*.log\n", "a.log": "secret\n", b: "x\n" };
    expect(await search(files, { pattern: "none" })).toBe("No matches for none in the workspace.");
    expect(await search(files, { pattern: "secret" })).toBe(
      "No matches for secret in the workspace. (matches exist in ignored files)",
    );
    expect(await search(files, { pattern: "secret", include_ignored: true, context: 0 })).toContain("a.log\n1:secret");
    expect(await search(files, { pattern: "x", path: "a.log" })).toBe("No matches for x in a.log.");
  });

  test("a glob never brings ignored files back", async () => {
    const files = { ".gitignore": "*.log\n", "a.log": "x\n", "b.ts": "x\n" };
    expect(await search(files, { pattern: "x", glob: "*.log" })).toContain("No matches");
    expect(await search(files, { pattern: "x", glob: "*.{log,ts}", context: 0 })).toBe(
      "b.ts\n1:x\n[1 match in 1 file]",
    );
  });

  test.each([
    ["interface{}", "interface{}", /^\[not a valid regular expression \(.*\); searched as plain text\]$/],
    ["foo(", "foo(bar)", /\(unclosed group\)/],
    ["*ptr", "int *ptr;", /\(repetition operator missing expression\)/],
  ])("%j is searched as plain text and says so", async (pattern, line, note) => {
    const content = await search({ f: `${line}\n` }, { pattern });
    expect(content).toContain(`1:${line}`);
    expect(content.split("\n").at(-1)).toMatch(note);
  });

  test("binary files are left out, also when named", async () => {
    const files = { b: Buffer.from("abc\0def\n"), t: "abc\n" };
    expect(await search(files, { pattern: "abc", context: 0 })).toBe("t\n1:abc\n[1 match in 1 file]");
    expect(await search(files, { pattern: "abc", path: "b" })).toBe("No matches for abc in b.");
  });

  test("odd file names", async () => {
    const files = { "a\nb": "x\n", "-e": "x\n", "c d": "x\n", é: "x\n" };
    expect(await search(files, { pattern: "x" })).toBe("-e\n1:x\na\\nb\n1:x\nc d\n1:x\né\n1:x\n[4 matches in 4 files]");
    expect(await search(files, { pattern: "x", path: "-e" })).toBe("-e\n1:x\n[1 match in 1 file]");
    expect(await search({ f: "--files\n" }, { pattern: "--files" })).toContain("1:--files");
  });

  test("rules of .gitignore between the workspace and the folder count without a repository", async () => {
    const files = { ".gitignore": "*.o\n", "in/a.o": "x\n", "in/a.c": "x\n" };
    expect(await search(files, { pattern: "x", path: "in", context: 0 })).toBe("in/a.c\n1:x\n[1 match in 1 file]");
  });

  test("a stranger's rules above do not count", async () => {
    const outer = temporaryFolder();
    writeFiles(outer, { ".gitignore": "*\n", "in/f": "x\n" });
    const bench = toolBench({}, options);
    bench.roots.grant(outer, false);
    expect(await bench.text("grep", { pattern: "x", path: join(outer, "in"), context: 0 })).toContain("1:x");
  });

  test("outside the workspace, nothing there, an interrupt", async () => {
    const bench = toolBench(CODE, options);
    expect(await bench.error("grep", { pattern: "x", path: "/etc" })).toContain("outside the workspace");
    expect(await bench.error("grep", { pattern: "x", path: "nowhere" })).toBe("File not found: nowhere.");
    const stop = new AbortController();
    stop.abort();
    expect((await bench.call("grep", { pattern: "x" }, { signal: stop.signal })).status).toBe("interrupted");
  });
});

describe("the walker alone", () => {
  test("is not held up by a pattern that backtracks without end", async () => {
    const bench = toolBench({ f: `${"a".repeat(60)}\n`, g: "ab\n" }, { ripgrep: null });
    expect(await bench.text("grep", { pattern: "(a+)+b" })).toContain("[stopped: the pattern takes too long on f]");
  });

  test("leaves out files over 5 MB and says so", async () => {
    const bench = toolBench({ big: "x".repeat(6_000_000), small: "x\n" }, { ripgrep: null });
    const content = await bench.text("grep", { pattern: "x$" });
    expect(content).toBe("small\n1:x\n[1 match in 1 file]\n[1 file over 5 MB not searched]");
  });
});

describe("which ripgrep", () => {
  const path = process.env.PATH;
  afterEach(() => {
    process.env.PATH = path;
  });

  test("never one that the project planted", async () => {
    const bench = toolBench({ f: "x\n", "bin/rg": "#!/bin/sh\necho planted > ran\n" });
    chmodSync(join(bench.folder, "bin/rg"), 0o755);
    process.env.PATH = [join(bench.folder, "bin"), ".", path].join(delimiter);
    expect(await findRipgrep(bench.folder)).not.toContain(bench.folder);
    expect(await bench.text("grep", { pattern: "x" })).toContain("1:x");
  });

  test.each([
    ["is not there", undefined],
    ["is too old", "#!/bin/sh\necho 'rg: unrecognized flag --crlf' >&2\nexit 2\n"],
    ["is killed", "#!/bin/sh\nkill -9 $$\n"],
    ["is no program", "#!/nowhere/sh\n"],
  ])("one that %s is done without", async (_name, script) => {
    const program = join(temporaryFolder(), "rg");
    if (script !== undefined) writeFileSync(program, script, { mode: 0o755 });
    const bench = toolBench({ f: "x\n" }, { ripgrep: program });
    expect(await bench.text("grep", { pattern: "x" })).toBe("f\n1:x\n[1 match in 1 file]");
  });

  test("what it says beside results is passed on", async () => {
    const folder = temporaryFolder();
    const program = join(folder, "rg");
    writeFileSync(program, "#!/bin/sh\necho 'rg: ./closed: Permission denied (os error 13)' >&2\nexit 2\n", {
      mode: 0o755,
    });
    const bench = toolBench({ f: "x\n" });
    mkdirSync(join(bench.folder, "closed"));
    registerSearchTool(bench.registry, bench.folder, { ripgrep: program });
    expect(await bench.text("grep", { pattern: "x" })).toBe(
      "No matches for x in the workspace.\n[./closed: Permission denied (os error 13)]",
    );
  });
});

test.each([
  ["a\\nb", "a(?:\\r?\\n)b", true],
  ["a\nb", "a(?:\\r?\\n)b", true],
  ["a\\r\\nb", "a\\r\\nb", true],
  ["a\\r?\\nb", "a\\r?\\nb", true],
  ["a\\\\nb", "a\\\\nb", false],
  ["[^\\n]", "[^\\n]", false],
  ["[]\\n]x\\n+", "[]\\n]x(?:\\r?\\n)+", true],
])("line ends in %j", (pattern, expected, multiline) => {
  expect(preparePattern(pattern, false, false)).toEqual({ pattern: expected, multiline });
});

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder, toolBench, writeFiles } from "./toolBench";

const PROJECT = {
  ".gitignore": "*.log\nbuild/\n",
  ".env": "",
  "README.md": "",
  "src/index.ts": "",
  "src/lib/a.ts": "",
  "src/lib/b.tsx": "",
  "src/lib/deep/c.ts": "",
  "test/a.test.ts": "",
  "app.log": "",
  "build/out.js": "",
  "node_modules/x/index.js": "",
  ".git/HEAD": "ref: refs/heads/main",
  ".agent/vcs/HEAD": "",
  ".agent/notes.md": "",
  "src/.zqagent-4242-0123456789abcdef01.tmp": "",
};

describe("a tree", () => {
  test("folders first, two levels, counts below them, nothing ignored", async () => {
    expect(await toolBench(PROJECT).text("list_files", {})).toBe(
      [
        ".agent/",
        "  notes.md",
        "src/",
        "  lib/ (3 files)",
        "  index.ts",
        "test/",
        "  a.test.ts",
        ".env",
        ".gitignore",
        "README.md",
      ].join("\n"),
    );
  });

  test("to another depth", async () => {
    const bench = toolBench(PROJECT);
    const shallow = await bench.text("list_files", { depth: 1 });
    expect(shallow.split("\n").slice(0, 3)).toEqual([".agent/ (1 file)", "src/ (4 files)", "test/ (1 file)"]);
    const deep = await bench.text("list_files", { path: "src", depth: 8 });
    expect(deep).toBe("lib/\n  deep/\n    c.ts\n  a.ts\n  b.tsx\nindex.ts");
  });

  test("with what is ignored, but never the repositories", async () => {
    const tree = await toolBench(PROJECT).text("list_files", { include_ignored: true, depth: 1 });
    expect(tree).toContain("build/ (1 file)\nnode_modules/ (1 file)\n");
    expect(tree).toContain("app.log");
    expect(tree).not.toContain(".git/");
    expect(tree).not.toContain("vcs");
  });

  test("with what git tracks though it is ignored, and only that", async () => {
    const bench = toolBench({
      ".gitignore": "build/\n*.log\n",
      "build/kept/a.js": "",
      "build/b.js": "",
      "a.log": "",
      "b.log": "",
      "c.ts": "",
    });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: bench.folder });
    git("init", "-q");
    git("add", "-f", "build/kept/a.js", "b.log");
    expect(await bench.text("list_files", { depth: 8 })).toBe("build/\n  kept/\n    a.js\n.gitignore\nb.log\nc.ts");
    expect(await bench.text("list_files", { pattern: "**/*.js" })).toBe("build/kept/a.js");
    expect(await bench.text("list_files", { path: "build" })).toBe("kept/\n  a.js\nb.js");
  });

  test("over the limit the top of the tree comes first", async () => {
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`a/${at}.ts`, ""]));
    const tree = await toolBench({ ...files, "b/x": "", z: "" }).text("list_files", { limit: 5 });
    expect(tree).toBe("a/\n  0.ts\n  1.ts\n  … 48 more\nb/ (1 file)\nz\n[5 of 54 entries. Narrow path or pattern.]");
  });

  test("an empty folder, and a folder with only folders", async () => {
    const bench = toolBench();
    mkdirSync(join(bench.folder, "e/f"), { recursive: true });
    expect(await bench.text("list_files", { path: "e/f" })).toBe("Nothing is in e/f.");
    expect(await bench.text("list_files", {})).toBe("e/\n  f/ (0 files)");
  });

  test("odd names are one entry each, links are not followed", async () => {
    const bench = toolBench({ "a\nb": "", "c\u001b[31m": "", "real/x": "" });
    symlinkSync(join(bench.folder, "real"), join(bench.folder, "link"));
    expect(await bench.text("list_files", {})).toBe("real/\n  x\na\\nb\nc\\u001b[31m\nlink");
  });
});

describe("a glob", () => {
  test.each<[Record<string, unknown>, string[]]>([
    [{ pattern: "*.ts" }, ["test/a.test.ts", "src/lib/deep/c.ts", "src/lib/a.ts", "src/index.ts"]],
    [{ pattern: "src/**/*.{ts,tsx}" }, ["src/lib/deep/c.ts", "src/lib/b.tsx", "src/lib/a.ts", "src/index.ts"]],
    [{ pattern: "lib/*", path: "src" }, ["src/lib/b.tsx", "src/lib/a.ts"]],
    [{ pattern: "src/lib/*", path: "src" }, ["src/lib/b.tsx", "src/lib/a.ts"]],
    [{ pattern: "./src/*" }, ["src/index.ts"]],
    [{ pattern: "src/lib/" }, ["src/lib/deep/c.ts", "src/lib/b.tsx", "src/lib/a.ts"]],
    [{ pattern: "!*.ts" }, [".agent/notes.md", "src/lib/b.tsx", "README.md", ".env", ".gitignore"]],
    [{ pattern: "!src/**" }, [".agent/notes.md", "test/a.test.ts", "README.md", ".env", ".gitignore"]],
    [{ pattern: "!lib" }, [".agent/notes.md", "test/a.test.ts", "src/index.ts", "README.md", ".env", ".gitignore"]],
    [{ pattern: ".env*" }, [".env"]],
    [{ pattern: "*.log", include_ignored: true }, ["app.log"]],
    [{ pattern: "*.js", include_ignored: true }, ["node_modules/x/index.js", "build/out.js"]],
  ])("%j, newest first", async (args, expected) => {
    expect((await toolBench(PROJECT).text("list_files", args)).split("\n")).toEqual(expected);
  });

  test("over the limit", async () => {
    const list = await toolBench(PROJECT).text("list_files", { pattern: "*.ts", limit: 2 });
    expect(list).toBe("test/a.test.ts\nsrc/lib/deep/c.ts\n[2 of 4 entries. Narrow path or pattern.]");
  });

  test("no hit tells of ignored ones", async () => {
    const bench = toolBench({ ...PROJECT, "more.log": "" });
    expect(await bench.text("list_files", { pattern: "*.py" })).toBe("No files match *.py under the workspace.");
    expect(await bench.text("list_files", { pattern: "*.log" })).toBe(
      "No files match *.log under the workspace. (2 ignored files match; use include_ignored)",
    );
    expect(await bench.text("list_files", { pattern: "*.md", path: "src" })).toBe("No files match *.md under src.");
  });
});

describe("what is refused", () => {
  test("a file, nothing, outside", async () => {
    const bench = toolBench(PROJECT);
    expect(await bench.error("list_files", { path: "README.md" })).toBe("README.md is a file. Use read_file.");
    expect(await bench.error("list_files", { path: "nowhere" })).toBe("File not found: nowhere.");
    expect(await bench.error("list_files", { path: ".." })).toContain("outside the workspace");
  });

  test("an interrupt ends it", async () => {
    const stop = new AbortController();
    stop.abort();
    expect((await toolBench(PROJECT).call("list_files", {}, { signal: stop.signal })).status).toBe("interrupted");
  });

  test.skipIf(process.getuid?.() === 0)("a folder that may not be read is passed over", async () => {
    const bench = toolBench({ "closed/x": "", y: "" });
    chmodSync(join(bench.folder, "closed"), 0);
    expect(await bench.text("list_files", {})).toBe("closed/ (0 files)\ny");
    chmodSync(join(bench.folder, "closed"), 0o700);
  });
});

describe("rules of .gitignore", () => {
  const RULES = {
    ".gitignore":
      "# comment\n\n*.o\n!keep.o\n/top\nfold/\na/**/z\n**/any\ndeep/**\nx?y\n[a-c]1\n[!a-c]2\n\\!bang\n\\#hash\n" +
      "trail  \nesc\\ \nsp ace\n*.tar.*\nq/*.txt\n/w*\nnot-*\n!not-this\nbad[\n/*.anch\nl-i_t+e(r)al.$\n.hid*\n",
    "sub/.gitignore": "*.md\n!*.o\nonly/\n/anch\n",
    "sub/more/.gitignore": "!read.md\n",
    ".git/info/exclude": "excluded\n*.ex\n",
  };
  const FILES = [
    ...[
      "a.o",
      "keep.o",
      "b/keep.o",
      "top",
      "b/top",
      "fold/x",
      "b/fold/y",
      "fold2/fold",
      "a/z",
      "a/b/z",
      "a/b/c/z",
      "z",
    ],
    ...["any/f", "b/any", "deep/f", "b/deep/f", "xay", "xy", "xaay", "a1", "d1", "b/c1", "a2", "d2", "!bang", "#hash"],
    ...["trail", "esc ", "sp ace", "f.tar.gz", "f.tar", "q/a.txt", "b/q/a.txt", "q/r/a.txt", "wide", "b/wide"],
    ...["not-that", "not-this", "bad[", "l-i_t+e(r)al.$", ".hidden", "b/.hide", "excluded", "b/excluded", "f.ex"],
    ...["sub/a.o", "sub/a.md", "sub/more/read.md", "sub/more/b.md", "sub/only/f", "sub/anch", "sub/more/anch", "日.o"],
    ...["x.anch", "sub/x.anch"],
  ];

  test("git says the same of every file", async () => {
    const bench = toolBench();
    execFileSync("git", ["init", "-q", bench.folder]);
    writeFiles(bench.folder, { ...Object.fromEntries(FILES.map((file) => [file, ""])), ...RULES });
    const byGit = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: bench.folder });
    const listed = (await bench.text("list_files", { pattern: "**", limit: 2000 })).split("\n");
    expect(listed.sort()).toEqual(byGit.toString().split("\0").filter(Boolean).sort());
  });

  test("above the folder that is listed, up to the repository and no further", async () => {
    const outer = temporaryFolder();
    writeFiles(outer, { ".gitignore": "*\n", "repo/.gitignore": "*.o\n", "repo/in/a.o": "", "repo/in/a.c": "" });
    const bench = toolBench();
    bench.roots.grant(outer, false);
    const path = join(outer, "repo/in");
    expect(await bench.text("list_files", { path })).toBe("a.c\na.o");
    writeFiles(outer, { "repo/.git/HEAD": "ref: refs/heads/main" });
    expect(await bench.text("list_files", { path })).toBe("a.c");
  });

  test("without a repository they count from the workspace down", async () => {
    const bench = toolBench({ ".gitignore": "*.o\n", "in/a.o": "", "in/a.c": "" });
    expect(await bench.text("list_files", { path: "in" })).toBe("a.c");
    expect(await bench.text("list_files", { path: "in", include_ignored: true })).toBe("a.c\na.o");
  });

  test("a rule file that is no file is passed over", async () => {
    const bench = toolBench({ "a.o": "" });
    execFileSync("mkfifo", [join(bench.folder, ".gitignore")]);
    expect(await bench.text("list_files", {})).toBe(".gitignore\na.o");
  });
});

test("a folder of 20,000 files is counted, not listed", async () => {
  const bench = toolBench();
  mkdirSync(join(bench.folder, "many"));
  for (let at = 0; at < 20_000; at++) writeFileSync(join(bench.folder, "many", `f${at}`), "");
  expect(await bench.text("list_files", { depth: 1 })).toBe("many/ (20,000 files)");
  rmSync(join(bench.folder, "many"), { recursive: true });
});

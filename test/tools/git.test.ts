import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ToolResult } from "../../src/shared/contracts";
import { registerGitTools } from "../../src/tools/git";
import { ToolRegistry } from "../../src/tools/ToolRegistry";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zqagent-git-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" });
}

function repository(): void {
  git("init", "-q", "-b", "main");
  write("a.txt", "one\n");
  git("add", "-A");
  git("commit", "-qm", "first");
}

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function call(name: string, args: Record<string, unknown> = {}, workspace = folder): Promise<ToolResult> {
  const registry = new ToolRegistry();
  registerGitTools(registry, workspace);
  return (await registry.get(name)?.func(args)) as ToolResult;
}

const content = async (name: string, args: Record<string, unknown> = {}, workspace = folder) =>
  (await call(name, args, workspace)).content;

describe("git_status", () => {
  test("names the branch and each kind of change", async () => {
    repository();
    write("gone.txt", "x\n");
    write("old.txt", "some text that is long enough\nto be found again\n");
    git("add", "-A");
    git("commit", "-qm", "second");
    write("a.txt", "two\n");
    git("add", "a.txt");
    write("a.txt", "three\n");
    git("mv", "old.txt", "new name.txt");
    rmSync(join(folder, "gone.txt"));
    write("odd\nname", "x");
    expect(await content("git_status")).toBe(
      [
        "branch main",
        "staged:",
        "  M a.txt",
        "  R old.txt -> new name.txt",
        "changed:",
        "  M a.txt",
        "  D gone.txt",
        "untracked:",
        '  "odd\\nname"',
      ].join("\n"),
    );
  });

  test("a clean tree, an unborn branch, a detached head, a conflict", async () => {
    git("init", "-q", "-b", "main");
    expect(await content("git_status")).toBe("branch main, no commits yet\nNo changes.");
    repository();
    expect(await content("git_status")).toBe("branch main\nNo changes.");
    git("checkout", "-qb", "other");
    write("a.txt", "other\n");
    git("commit", "-qam", "other");
    git("checkout", "-q", "main");
    write("a.txt", "main\n");
    git("commit", "-qam", "main");
    expect(() => git("merge", "other")).toThrow();
    expect(await content("git_status")).toBe("branch main\nconflicted:\n  UU a.txt");
    git("merge", "--abort");
    git("checkout", "-q", "--detach");
    expect(await content("git_status")).toMatch(/^HEAD detached at [0-9a-f]{8}\nNo changes\.$/);
  });

  test("how far the branch is from its upstream", async () => {
    repository();
    git("branch", "base");
    git("branch", "-q", "--set-upstream-to", "base");
    expect(await content("git_status")).toMatch(/^branch main, up to date with base\n/);
    write("a.txt", "two\n");
    git("commit", "-qam", "second");
    expect(await content("git_status")).toMatch(/^branch main, ahead 1 of base\n/);
  });

  test("stops at 200 paths", async () => {
    repository();
    for (let n = 0; n < 230; n++) write(`n${n}`, "");
    const lines = (await content("git_status")).split("\n");
    expect(lines).toHaveLength(203);
    expect(lines.at(-1)).toBe("  [30 more]");
  });

  test("a workspace inside a repository sees itself alone", async () => {
    repository();
    write("pkg/p.txt", "p\n");
    write("secret.txt", "s\n");
    write("a.txt", "changed\n");
    const pkg = join(folder, "pkg");
    expect(await content("git_status", {}, pkg)).toBe("branch main\nuntracked:\n  ./");
    git("add", "pkg");
    expect(await content("git_status", {}, pkg)).toBe("branch main\nstaged:\n  A p.txt");
    expect(await content("git_diff", {}, pkg)).toBe("No differences.");
  });
});

describe("git_diff", () => {
  test("the summary, then the diff; staged, a ref, a path, the summary alone", async () => {
    repository();
    write("b.txt", "b\n");
    git("add", "b.txt");
    write("a.txt", "two\n");
    const diff = await content("git_diff");
    expect(diff).toMatch(/^ a\.txt \| 2 \+-\n 1 file changed.*\n\ndiff --git a\/a\.txt b\/a\.txt\n/);
    expect(diff).toMatch(/-one\n\+two$/);
    expect(await content("git_diff", { staged: true })).toMatch(/\+b$/);
    expect(await content("git_diff", { ref: "HEAD", path: "b.txt" })).toMatch(/^ b\.txt \| 1 \+\n/);
    expect(await content("git_diff", { stat: true })).toMatch(/^ a\.txt \| 2 \+-\n 1 file changed, .*\)$/);
    git("commit", "-qam", "second");
    expect(await content("git_diff")).toBe("No differences.");
    expect(await content("git_diff", { ref: "HEAD~1 HEAD", stat: true })).toMatch(/2 files changed/);
  });

  test("a long diff is cut at a line end and says how many files are missing", async () => {
    repository();
    const body = Array.from({ length: 300 }, (_, n) => `line ${n} of a file that grows`).join("\n");
    for (let n = 10; n < 20; n++) write(`f${n}.txt`, body);
    git("add", "-A");
    const diff = await content("git_diff", { staged: true });
    expect(diff.length).toBeLessThanOrEqual(30_000);
    expect(diff).toMatch(/\n\n\[diff cut: 6 more files\. Ask per path\.\]$/);
  });

  test("names that look like patterns are taken as they are", async () => {
    repository();
    write("[x]*.txt", "1\n");
    git("add", "-A");
    expect(await content("git_diff", { staged: true, path: "[x]*.txt", stat: true })).toMatch(/^ \[x\]\*\.txt \| 1 /);
  });
});

describe("git_log", () => {
  test("a line a commit, newest first; with patches", async () => {
    git("init", "-q", "-b", "main");
    expect(await content("git_log")).toBe("No commits yet.");
    repository();
    write("a.txt", "two\n");
    git("commit", "-qam", "second");
    expect(await content("git_log")).toMatch(/^[0-9a-f]{7,} \d{4}-\d\d-\d\d t second\n[0-9a-f]{7,} .* first$/);
    expect(await content("git_log", { max_count: 1 })).not.toMatch(/first/);
    expect(await content("git_log", { patch: true, max_count: 1 })).toMatch(/second\n\ndiff --git .*-one\n\+two$/s);
    expect(await content("git_log", { path: "nope.txt" })).toBe("No commits.");
  });
});

describe("refusals", () => {
  const rows: [string, string, Record<string, unknown>, RegExp][] = [
    ["an option as ref", "git_diff", { ref: "--output=/tmp/x" }, /Not a commit/],
    ["a second one", "git_log", { ref: "HEAD --output=x" }, /Not a commit/],
    ["a control character", "git_log", { ref: "HEAD\n--all" }, /Not a commit/],
    ["a path outside", "git_diff", { path: "../x" }, /outside the workspace/],
    ["an unknown ref", "git_log", { ref: "nope" }, /git log failed: .*nope/s],
  ];
  test.each(rows)("%s", async (_name, tool, args, fault) => {
    repository();
    expect(await call(tool, args)).toMatchObject({ status: "error", content: expect.stringMatching(fault) });
  });

  test("no repository is no error; no git is one", async () => {
    expect(await call("git_status")).toEqual({ content: "Not a git repository.", status: "ok" });
    const path = process.env.PATH;
    process.env.PATH = folder;
    try {
      expect(await call("git_status")).toMatchObject({
        status: "error",
        content: expect.stringMatching(/git was not found/),
      });
    } finally {
      process.env.PATH = path;
    }
  });
});

describe("hostile repositories", () => {
  /** Everything by which a configuration can make status, diff or log start a program. */
  function trap(): string {
    repository();
    const mark = join(folder, "..", `${folder.split("/").at(-1)}-mark`);
    write(".git/trap", `#!/bin/sh\ntouch '${mark}'\ncat\n`);
    chmodSync(join(folder, ".git/trap"), 0o755);
    const program = join(folder, ".git/trap");
    const names = ["core.fsmonitor", "diff.external", "diff.d.textconv", "diff.d.command", "core.pager", "pager.log"];
    names.push(
      "pager.diff",
      "pager.status",
      "gpg.program",
      "filter.f.clean",
      "filter.f.smudge",
      "filter.weird name.clean",
    );
    for (const name of names) git("config", name, program);
    git("config", "filter.f.required", "true");
    git("config", "filter.p.process", program);
    git("config", "log.showSignature", "true");
    for (const hook of ["post-index-change", "fsmonitor-watchman", "pre-auto-gc"]) {
      write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${mark}'\n`);
      chmodSync(join(folder, ".git/hooks", hook), 0o755);
    }
    write(".gitattributes", "*.txt filter=f diff=d\n*.bin filter=p diff=d\n");
    write("a.txt", "two\n");
    write("b.bin", "x\n");
    rmSync(mark, { force: true });
    return mark;
  }

  test("nothing of it runs", async () => {
    const mark = trap();
    expect(await content("git_status")).toMatch(/changed:\n {2}M a.txt/);
    expect(await content("git_diff")).toMatch(/-one\n\+two$/);
    expect(await content("git_diff", { ref: "HEAD" })).toMatch(/\+two/);
    expect(await content("git_log", { patch: true })).toMatch(/\+one$/);
    expect(existsSync(mark)).toBe(false);
  });

  test("a filter in a submodule's own configuration does not run", async () => {
    repository();
    const mark = `${folder}-mark`;
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", folder, "sub");
    git("commit", "-qm", "sub");
    git("-C", "sub", "config", "filter.f.clean", `touch '${mark}'; cat`);
    git("-C", "sub", "config", "core.fsmonitor", `touch '${mark}'; true`);
    write("sub/.gitattributes", "* filter=f\n");
    write("sub/a.txt", "changed\n");
    await content("git_status");
    await content("git_diff", { ref: "HEAD" });
    expect(existsSync(mark)).toBe(false);
  });

  test("core.worktree does not show another folder", async () => {
    const outside = mkdtempSync(join(tmpdir(), "zqagent-out-"));
    writeFileSync(join(outside, "secret"), "s\n");
    repository();
    git("config", "core.worktree", outside);
    write("a.txt", "two\n");
    expect(await content("git_status")).toBe("branch main\nchanged:\n  M a.txt");
    rmSync(outside, { recursive: true });
  });

  test("a git in the workspace is never run", async () => {
    repository();
    const mark = `${folder}-mark`;
    write("git", `#!/bin/sh\ntouch '${mark}'\n`);
    chmodSync(join(folder, "git"), 0o755);
    const path = process.env.PATH;
    process.env.PATH = `.::${folder}:${path}`;
    try {
      expect(await content("git_status")).toMatch(/^branch main\nuntracked:\n {2}git$/);
    } finally {
      process.env.PATH = path;
    }
    expect(existsSync(mark)).toBe(false);
  });

  test("variables of our own process do not reach git", async () => {
    repository();
    Object.assign(process.env, { GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere/index", GIT_EXTERNAL_DIFF: "false" });
    try {
      write("a.txt", "two\n");
      expect(await content("git_diff")).toMatch(/\+two$/);
    } finally {
      for (const name of ["GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"]) delete process.env[name];
    }
  });
});

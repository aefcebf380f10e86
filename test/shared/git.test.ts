import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findGit, plumbGit, readGit, workTreeAround } from "../../src/shared/git";

let folder: string;
const own = { ...process.env };
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-git-")));
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "first");
});
afterEach(() => {
  process.env = { ...own };
  rmSync(folder, { recursive: true, force: true });
});

function git(...args: string[]): string {
  const who = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
  return execFileSync("git", [...who, ...args], { cwd: folder, encoding: "utf8" });
}

describe("plumbGit", () => {
  test("takes bytes and gives bytes", async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 0xc3, 0x28, 10]);
    const put = await plumbGit(["hash-object", "-w", "--stdin"], { cwd: folder, stdin: bytes });
    const oid = put.stdout.toString().trim();
    expect((await plumbGit(["cat-file", "blob", oid], { cwd: folder })).stdout).toEqual(bytes);
  });

  test("throws git's own words, or hands the failure back", async () => {
    await expect(plumbGit(["cat-file", "blob", "nope"], { cwd: folder })).rejects.toMatchObject({
      code: "git_failed",
      message: expect.stringMatching(/^git cat-file failed: .*nope/),
    });
    expect(await plumbGit(["cat-file", "-e", "nope"], { cwd: folder, mayFail: true })).toMatchObject({ code: 128 });
  });

  test("works on the index and the folder that are named, not on those of our environment", async () => {
    Object.assign(process.env, { GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere/i", GIT_WORK_TREE: "/nowhere" });
    const indexFile = join(folder, ".git", "own");
    const place = { cwd: folder, gitDir: join(folder, ".git"), workTree: folder, indexFile };
    await plumbGit(["read-tree", "--empty"], place);
    expect((await plumbGit(["ls-files"], place)).stdout.toString()).toBe("");
    expect((await plumbGit(["ls-files"], { cwd: folder })).stdout.toString()).toBe("a.txt\n");
    expect(existsSync(indexFile)).toBe(true);
  });

  test("ends at an abort, before and in the middle", async () => {
    const stop = new AbortController();
    const waiting = plumbGit(["cat-file", "--batch"], {
      cwd: folder,
      stdin: "HEAD\n".repeat(1e5),
      signal: stop.signal,
    });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect(plumbGit(["log"], { cwd: folder, signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
  });

  test("starts no hook", async () => {
    const mark = join(folder, "mark");
    for (const hook of ["reference-transaction", "post-index-change"]) {
      writeFileSync(join(folder, ".git/hooks", hook), `#!/bin/sh\ntouch '${mark}'\n`);
      chmodSync(join(folder, ".git/hooks", hook), 0o755);
    }
    await plumbGit(["update-ref", "refs/agent/x", "HEAD"], { cwd: folder });
    await plumbGit(["read-tree", "HEAD"], { cwd: folder });
    expect(existsSync(mark)).toBe(false);
  });
});

describe("readGit", () => {
  test("reads; names the root; is null outside a repository", async () => {
    mkdirSync(join(folder, "sub"));
    const reader = await readGit(join(folder, "sub"));
    expect(reader?.root).toBe(folder);
    expect(await reader?.run(["log", "--format=%s"])).toEqual({ text: "first\n", cut: false });
    const bare = mkdtempSync(join(tmpdir(), "zqagent-none-"));
    expect(await readGit(bare)).toBeNull();
    rmSync(bare, { recursive: true });
  });

  test("stops reading at the limit", async () => {
    writeFileSync(join(folder, "big.txt"), "0123456789\n".repeat(100_000));
    git("add", "-A");
    const reader = await readGit(folder);
    const read = await reader?.run(["diff", "--cached"], { maxBytes: 5000 });
    expect(read).toMatchObject({ cut: true });
    expect(read?.text).toHaveLength(5000);
  });

  test("ends at an abort and throws git's own words", async () => {
    const reader = await readGit(folder);
    const stop = new AbortController();
    const waiting = reader?.run(["log"], { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect(reader?.run(["log", "nope"])).rejects.toMatchObject({ code: "git_failed" });
    expect((await reader?.run(["log", "--format=%s"]))?.text).toBe("first\n");
  });

  test("refuses to work with a filter that cannot be switched off by name", async () => {
    git("config", "filter.a=b.clean", "cat");
    await expect(readGit(folder)).rejects.toMatchObject({ code: "git_failed" });
  });
});

describe("which git, which root", () => {
  test("a repository's own git is not taken, wherever in it we stand", () => {
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "pkg"));
    writeFileSync(join(folder, "bin/git"), "#!/bin/sh\n");
    chmodSync(join(folder, "bin/git"), 0o755);
    process.env.PATH = `${join(folder, "bin")}:${own.PATH}`;
    expect(findGit(join(folder, "pkg"))).not.toMatch(folder);
    process.env.PATH = join(folder, "bin");
    expect(findGit(join(folder, "pkg"))).toBeNull();
  });

  test("the nearest .git counts, whatever core.worktree says", () => {
    git("config", "core.worktree", "/");
    mkdirSync(join(folder, "a/b"), { recursive: true });
    mkdirSync(join(folder, "a/.git"));
    expect(workTreeAround(join(folder, "a/b"))).toBe(folder);
  });
});

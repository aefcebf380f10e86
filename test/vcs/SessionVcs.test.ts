import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resolveVcsPlan, sessionIndexPath, type VcsMode } from "../../src/vcs/plan";
import { SessionVcs, type SessionVcsOptions } from "../../src/vcs/SessionVcs";
import { type Bench, createBench, userState } from "./repository";

let bench: Bench;
let notices: string[];
const own = { ...process.env };
beforeEach(() => {
  bench = createBench();
  notices = [];
  process.env.HOME = bench.env.HOME;
});
afterEach(() => {
  process.env = { ...own };
  bench.dispose();
});

function repository(): void {
  bench.sh("git init -q -b main && echo one > a.txt && git add -A && git commit -qm init");
}

function session(id = "s1", mode: VcsMode = "auto", options: SessionVcsOptions = {}): SessionVcs {
  return new SessionVcs(resolveVcsPlan(bench.root, { mode }), id, {
    onNotice: (text) => notices.push(text),
    ...options,
  });
}

function write(path: string, text: string): void {
  mkdirSync(join(bench.root, path, ".."), { recursive: true });
  writeFileSync(join(bench.root, path), text);
}

const read = (path: string) => readFileSync(join(bench.root, path), "utf8");
const exists = (path: string) => existsSync(join(bench.root, path));

async function turn(vcs: SessionVcs, work: () => void, prompt = "do it", status = "completed") {
  await vcs.beginTurn(prompt);
  work();
  return vcs.commitTurn(status);
}

describe.each(["native", "shadow"] as const)("%s", (mode) => {
  beforeEach(() => {
    if (mode === "native") repository();
    else write("a.txt", "one\n");
  });

  test("lists the turns that changed files, with prompt, status and paths", async () => {
    const vcs = session("s1", mode);
    expect(await turn(vcs, () => write("a.txt", "two\n"), "first\nprompt")).toEqual({
      turn: 0,
      saved: true,
      files: ["a.txt"],
      uncovered: [],
    });
    expect(await turn(vcs, () => {})).toMatchObject({ turn: 0, saved: false, files: [] });
    await turn(vcs, () => write("sub/b.txt", "b\n"), "second", "interrupted");
    expect(await vcs.listTurns()).toEqual([
      {
        turn: 1,
        status: "completed",
        when: expect.stringMatching(/^\d{4}-.*Z$/),
        files: ["a.txt"],
        prompt: "first prompt",
      },
      { turn: 2, status: "interrupted", when: expect.any(String), files: ["sub/b.txt"], prompt: "second" },
    ]);
    expect(notices).toEqual([]);
  });

  test("shows what one turn changed, and nothing of what the user did in between", async () => {
    const vcs = session("s1", mode);
    await turn(vcs, () => write("a.txt", "two\n"));
    write("mine.txt", "mine\n");
    await turn(vcs, () => write("b.txt", "b\n"));
    const patch = await vcs.diffTurn(2);
    expect(patch).toMatch(/^commit [0-9a-f]{40}\n/);
    expect(patch).toMatch(/\+b$/m);
    expect(patch).not.toMatch(/mine|two/);
  });

  test("goes back to any turn, to before the first, and forward again", async () => {
    const vcs = session("s1", mode);
    await turn(vcs, () => write("a.txt", "two\n"));
    await turn(vcs, () => {
      write("a.txt", "three\n");
      write("deep/er/new.txt", "n\n");
    });
    expect(await vcs.restoreTurn(0)).toMatchObject({
      restored: ["a.txt"],
      deleted: ["deep/er/new.txt"],
      overwritten: [],
    });
    expect([read("a.txt"), exists("deep")]).toEqual(["one\n", false]);
    expect(await vcs.restoreTurn(2)).toMatchObject({ restored: ["a.txt", "deep/er/new.txt"], deleted: [], failed: [] });
    expect([read("a.txt"), read("deep/er/new.txt")]).toEqual(["three\n", "n\n"]);
    await vcs.restoreTurn(1);
    expect([read("a.txt"), exists("deep")]).toEqual(["two\n", false]);
    expect(await vcs.listTurns()).toHaveLength(2);
  });

  test("names what the user changed since, and can undo the restore", async () => {
    const vcs = session("s1", mode);
    await turn(vcs, () => write("a.txt", "two\n"));
    await turn(vcs, () => write("new.txt", "n\n"));
    write("a.txt", "the user's work\n");
    write("new.txt", "also the user's\n");
    write("mine.txt", "mine\n");
    const expected = { restored: ["a.txt"], deleted: ["new.txt"], overwritten: ["a.txt", "new.txt"] };
    expect(await vcs.previewRestore(1)).toMatchObject(expected);
    expect(read("a.txt")).toBe("the user's work\n");
    expect(await vcs.restoreTurn(1)).toMatchObject(expected);
    expect([read("a.txt"), exists("new.txt"), read("mine.txt")]).toEqual(["two\n", false, "mine\n"]);
    await vcs.undoRestore();
    expect([read("a.txt"), read("new.txt"), read("mine.txt")]).toEqual([
      "the user's work\n",
      "also the user's\n",
      "mine\n",
    ]);
  });

  test("another process goes on with the session", async () => {
    await turn(session("s1", mode), () => write("a.txt", "two\n"));
    const later = session("s1", mode);
    await turn(later, () => write("a.txt", "three\n"));
    expect(await later.listTurns()).toHaveLength(2);
    await session("s1", mode).restoreTurn(1);
    expect(read("a.txt")).toBe("two\n");
  });

  test("two sessions do not disturb each other", async () => {
    const [one, two] = [session("one", mode), session("two", mode)];
    await Promise.all([one.beginTurn("1"), two.beginTurn("2")]);
    write("a.txt", "two\n");
    await Promise.all([one.commitTurn("completed"), two.commitTurn("completed")]);
    await turn(two, () => write("b.txt", "b\n"));
    expect([await one.listTurns(), await two.listTurns()].map((turns) => turns.length)).toEqual([1, 2]);
    await one.forget();
    expect(await one.listTurns()).toEqual([]);
    await two.restoreTurn(0);
    expect([read("a.txt"), exists("b.txt")]).toEqual(["one\n", false]);
  });

  test("a session of one process in two instances stays right", async () => {
    const [one, other] = [session("s1", mode), session("s1", mode)];
    await one.beginTurn("1");
    write("a.txt", "two\n");
    await other.restoreTurn(0);
    write("b.txt", "b\n");
    await one.commitTurn("completed");
    await other.restoreTurn(1);
    expect([read("a.txt"), read("b.txt")]).toEqual(["one\n", "b\n"]);
    await one.restoreTurn(0);
    expect(exists("b.txt")).toBe(false);
  });

  test("calls that nobody awaits are carried out in order", async () => {
    const vcs = session("s1", mode);
    void vcs.beginTurn("1");
    await vcs.ready();
    void vcs.snapshot("noop");
    write("a.txt", "two\n");
    void vcs.commitTurn("completed");
    expect(await vcs.listTurns()).toHaveLength(1);
  });

  test("a snapshot in mid-turn can be gone back to", async () => {
    const vcs = session("s1", mode);
    await vcs.beginTurn("1");
    write("a.txt", "half\n");
    await vcs.snapshot("rm a.txt");
    rmSync(join(bench.root, "a.txt"));
    await vcs.commitTurn("completed");
    const before = (await vcs.listSnapshots()).find((one) => one.kind === "command");
    expect(before).toMatchObject({ about: "rm a.txt" });
    await vcs.restoreSnapshot(before?.id ?? "");
    expect(read("a.txt")).toBe("half\n");
    expect(await vcs.diffTurn(1)).toMatch(/-one/);
  });

  test("forgetting leaves the files and nothing else", async () => {
    const before = mode === "native" ? userState(bench, bench.root) : "";
    const vcs = session("s1", mode);
    await turn(vcs, () => write("b.txt", "b\n"));
    await vcs.forget();
    expect(read("b.txt")).toBe("b\n");
    if (mode === "shadow") expect(exists(".agent")).toBe(false);
    else {
      expect(userState(bench, bench.root)).toBe(before);
      expect(bench.sh("git for-each-ref refs/agent")).toBe("");
      expect(existsSync(sessionIndexPath(join(bench.root, ".git"), "s1"))).toBe(false);
    }
  });
});

test("a turn that a crash left open is listed when the session goes on", async () => {
  repository();
  await session().beginTurn("never ended");
  write("a.txt", "two\n");
  const vcs = session();
  await turn(vcs, () => write("a.txt", "three\n"), "next");
  expect(await vcs.listTurns()).toMatchObject([
    { turn: 1, status: "interrupted", prompt: "never ended", files: ["a.txt"] },
    { turn: 2, status: "completed", prompt: "next" },
  ]);
  await vcs.restoreTurn(0);
  expect(read("a.txt")).toBe("one\n");
});

describe("what is covered", () => {
  test("names that git refuses do not stop the others from being kept", async () => {
    repository();
    write(".GIT/x", "1\n");
    symlinkSync("a.txt", join(bench.root, ".gitmodules"));
    const vcs = session();
    const { uncovered, saved } = await turn(vcs, () => write("a.txt", "two\n"));
    expect(saved).toBe(true);
    expect(uncovered.map((one) => one.path).sort()).toEqual([".GIT/x", ".gitmodules"]);
  });

  test("disk use has a limit, and what the repository has already does not count", async () => {
    repository();
    write("big.txt", "x".repeat(50_000));
    bench.sh("git add -A");
    const vcs = session("s1", "auto", { maxDiskMb: 0.03 });
    expect(await turn(vcs, () => write("a.txt", "two\n"))).toMatchObject({ saved: true });
    expect(await turn(vcs, () => write("more.txt", "y".repeat(40_000)))).toMatchObject({ saved: false });
    expect(notices).toEqual([expect.stringMatching(/No snapshot was taken: Snapshots would take .* of disk/)]);
  });

  test("a file stays covered when a later ignore rule hides it", async () => {
    repository();
    const vcs = session();
    await turn(vcs, () => write("notes.log", "1\n"));
    await turn(vcs, () => {
      write(".gitignore", "*.log\n");
      write("notes.log", "2\n");
    });
    await vcs.restoreTurn(1);
    expect(read("notes.log")).toBe("1\n");
  });

  test("an ignored file that the turn wrote is named, and stays", async () => {
    repository();
    write(".gitignore", "*.log\ncache/\n");
    write("old.log", "1\n");
    bench.sh("touch -d '1 hour ago' old.log");
    write("cache/x", "1\n");
    const vcs = session();
    const { uncovered } = await turn(vcs, () => write("x.log", "1\n"));
    expect(uncovered).toEqual([{ path: "x.log", reason: "ignored" }]);
    expect(notices).toEqual(["Not in snapshots, so a rollback will not bring it back: x.log (ignored)."]);
  });

  test("with the setting, ignored files are covered too", async () => {
    repository();
    write(".gitignore", "*.log\n");
    const vcs = session("s1", "auto", { ignored: true });
    await turn(vcs, () => write("x.log", "1\n"));
    await turn(vcs, () => write("x.log", "2\n"));
    await vcs.restoreTurn(1);
    expect(read("x.log")).toBe("1\n");
  });

  test("a file that outgrew the limit is named, and saved before it is overwritten", async () => {
    repository();
    const vcs = session("s1", "auto", { maxFileMb: 0.01 });
    await turn(vcs, () => write("grows.txt", "small\n"));
    const big = "x".repeat(20_000);
    const { uncovered } = await turn(vcs, () => write("grows.txt", big));
    expect(uncovered).toEqual([{ path: "grows.txt", reason: "too_large" }]);
    await vcs.restoreTurn(1);
    expect(read("grows.txt")).toBe("small\n");
    await vcs.undoRestore();
    expect(read("grows.txt")).toBe(big);
  });

  test("a folder that the repository around it ignores gets a shadow", async () => {
    repository();
    bench.sh("echo inner/ > .gitignore && mkdir inner && echo 1 > inner/f");
    const inner = join(bench.root, "inner");
    const vcs = new SessionVcs(resolveVcsPlan(inner, { mode: "auto" }), "s1");
    expect(await vcs.ready()).toEqual({ mode: "shadow" });
    await turn(vcs, () => write("inner/f", "2\n"));
    await vcs.restoreTurn(0);
    expect(read("inner/f")).toBe("1\n");
  });

  test("a shadow inside a repository is not seen by it", async () => {
    repository();
    const vcs = session("s1", "shadow");
    await turn(vcs, () => write("a.txt", "two\n"));
    expect(bench.sh("git status --porcelain")).toBe(" M a.txt\n");
    await vcs.restoreTurn(0);
    expect(read("a.txt")).toBe("one\n");
  });
});

describe("what stands in the way of a restore", () => {
  test("a file where a folder was, a folder where a file was, links, modes", async () => {
    repository();
    write("folder/in.txt", "in\n");
    write("file", "f\n");
    symlinkSync("a.txt", join(bench.root, "link"));
    bench.sh("echo x > run && chmod 755 run");
    const vcs = session();
    await turn(vcs, () => {
      rmSync(join(bench.root, "folder"), { recursive: true });
      write("folder", "now a file\n");
      rmSync(join(bench.root, "file"));
      write("file/deep/in.txt", "now a folder\n");
      rmSync(join(bench.root, "link"));
      write("link/x", "now a folder\n");
      bench.sh("chmod 644 run");
    });
    expect(await vcs.restoreTurn(0)).toMatchObject({ failed: [], missing: [] });
    expect(bench.sh("cat folder/in.txt file; readlink link; stat -c %a run; ls")).toBe(
      "in\nf\na.txt\n755\na.txt\nfile\nfolder\nlink\nrun\n",
    );
    await vcs.restoreTurn(1);
    expect(bench.sh("cat folder file/deep/in.txt link/x; stat -c %a run")).toBe(
      "now a file\nnow a folder\nnow a folder\n644\n",
    );
  });

  test("a folder with files that no snapshot holds is left, and said", async () => {
    repository();
    write(".gitignore", "*.log\n");
    const vcs = session();
    await turn(vcs, () => write("place", "file\n"));
    await turn(vcs, () => rmSync(join(bench.root, "place")));
    write("place/precious.log", "p\n");
    const result = await vcs.restoreTurn(1);
    expect(result).toMatchObject({ restored: [], missing: ["place"], failed: [{ path: "place" }] });
    expect(read("place/precious.log")).toBe("p\n");
  });

  test("a path that nothing is known of is missing; a folder restricts", async () => {
    repository();
    const vcs = session();
    await turn(vcs, () => {
      write("x/1", "1\n");
      write("x2", "1\n");
    });
    await turn(vcs, () => {
      write("x/1", "2\n");
      write("x2", "2\n");
    });
    expect(await vcs.restoreTurn(1, { paths: ["./x/", "nope"] })).toMatchObject({
      restored: ["x/1"],
      missing: ["nope"],
    });
    expect([read("x/1"), read("x2")]).toEqual(["1\n", "2\n"]);
  });
});

describe("failures", () => {
  test.each([
    ["off", /switched off/],
    ["native", /not in a git repository/],
  ] as const)("mode %s without a repository says so and loses nothing", async (mode, words) => {
    const vcs = session("s1", mode);
    expect(await turn(vcs, () => write("a", "1"))).toMatchObject({ saved: false });
    expect(await vcs.listTurns()).toEqual([]);
    await expect(vcs.restoreTurn(1)).rejects.toThrow(words);
    expect(notices).toEqual(mode === "off" ? [] : [expect.stringMatching(words)]);
    await vcs.forget();
  });

  test("no git: off, with the reason", async () => {
    process.env.PATH = bench.out;
    expect(resolveVcsPlan(bench.root, { mode: "auto" })).toMatchObject({
      mode: "off",
      reason: expect.stringMatching(/git was not found/),
    });
  });

  test("a turn that does not exist names those that do", async () => {
    repository();
    const vcs = session();
    await expect(vcs.restoreTurn(1)).rejects.toThrow(/no turn 1 .* No turn has changed files yet/);
    await turn(vcs, () => write("a.txt", "two\n"));
    await expect(vcs.restoreTurn(7)).rejects.toThrow(/no turn 7 .* 1 to 1/);
    await expect(vcs.diffTurn(7)).rejects.toThrow(/no turn 7/);
    await expect(vcs.undoRestore()).rejects.toThrow(/no restore to undo/);
  });

  test("a repository that breaks in the middle: no snapshot, one notice, the turn goes on", async () => {
    repository();
    const vcs = session();
    await vcs.beginTurn("1");
    rmSync(join(bench.root, ".git"), { recursive: true });
    write("a.txt", "two\n");
    expect(await vcs.commitTurn("completed")).toMatchObject({ saved: false });
    expect(notices).toEqual([expect.stringMatching(/^No snapshot was taken: .*cannot be rolled back\.$/s)]);
  });

  test("a snapshot that takes too long is given up", async () => {
    repository();
    const vcs = session("s1", "auto", { timeBudgetMs: 1 });
    await vcs.beginTurn("1");
    expect(notices).toEqual([expect.stringMatching(/No snapshot was taken: A snapshot took longer than 0\.001 s/)]);
  });

  test("a read-only repository: native says so, auto takes a shadow", async (context) => {
    repository();
    const dir = join(bench.root, ".git");
    const runs = (line: string) => spawnSync("sh", ["-c", line], { stdio: "ignore" }).status === 0;
    if (!runs(`mount --bind ${dir} ${dir}`)) return context.skip("mount is not permitted here");
    try {
      runs(`mount -o remount,ro,bind ${dir}`);
      expect(await turn(session("s1", "native"), () => write("a.txt", "two\n"))).toMatchObject({ saved: false });
      expect(notices).toEqual([expect.stringMatching(/No snapshot was taken: .*(read-only|Read-only)/i)]);
      const vcs = session("s2", "auto");
      await turn(vcs, () => write("a.txt", "three\n"));
      await vcs.restoreTurn(0);
      expect(read("a.txt")).toBe("two\n");
    } finally {
      runs(`umount ${dir}`);
    }
  });

  test("locks and index files that a crash left behind do not stop the next session", async () => {
    repository();
    const index = sessionIndexPath(join(bench.root, ".git"), "s1");
    await turn(session(), () => write("a.txt", "two\n"));
    writeFileSync(`${index}.lock`, "");
    writeFileSync(`${index}.owner`, String(spawnSync("true").pid));
    writeFileSync(index, "garbage");
    const vcs = session();
    await turn(vcs, () => write("a.txt", "three\n"));
    expect(await vcs.listTurns()).toHaveLength(2);
    expect(notices).toEqual([]);
    expect(readdirSync(join(bench.root, ".git/agent"))).toEqual(["s1.index"]);
  });
});

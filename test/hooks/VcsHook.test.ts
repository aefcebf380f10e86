import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isDestructive } from "../../src/hooks/destructive";
import { VcsHook } from "../../src/hooks/VcsHook";
import { resolveVcsPlan } from "../../src/vcs/plan";
import { SessionVcs } from "../../src/vcs/SessionVcs";
import { type Bench, createBench } from "../vcs/repository";

let bench: Bench;
let vcs: SessionVcs;
const home = process.env.HOME;
beforeEach(() => {
  bench = createBench();
  process.env.HOME = bench.env.HOME;
  bench.sh("git init -q -b main && echo one > a.txt && git add -A && git commit -qm init");
  vcs = new SessionVcs(resolveVcsPlan(bench.root, { mode: "auto" }), "s1");
});
afterEach(() => {
  process.env.HOME = home;
  bench.dispose();
});

const file = () => join(bench.root, "a.txt");
const shell = (command: string) => ({ toolName: "run_shell", arguments: { command } });

test("waits for the state before a turn, and commits at its end", async () => {
  const hook = new VcsHook(vcs);
  hook.onTurnStart("change it");
  await hook.settle({ toolName: "write_file", arguments: { path: "a.txt" } });
  writeFileSync(file(), "two\n");
  await hook.settle("end");
  hook.onTurnEnd("completed");
  expect(await vcs.listTurns()).toMatchObject([
    { turn: 1, status: "completed", files: ["a.txt"], prompt: "change it" },
  ]);
  await vcs.restoreTurn(0);
  expect(readFileSync(file(), "utf8")).toBe("one\n");
});

const ends: [string, (hook: VcsHook) => void, string][] = [
  ["the engine tells the end first", (hook) => hook.onTurnEnd("max_iterations_exceeded"), "max_iterations_exceeded"],
  ["interrupted", (hook) => hook.onInterrupted(), "interrupted"],
  ["an error was the last word", (hook) => hook.onError(), "error"],
  ["the turn went on after an error", (hook) => [hook.onError(), hook.onIterationEnd()], "completed"],
];
test.each(ends)("notes how the turn ended: %s", async (_name, told, status) => {
  const hook = new VcsHook(vcs);
  hook.onTurnStart("x");
  await hook.settle(shell("ls"));
  writeFileSync(file(), "two\n");
  told(hook);
  await hook.settle("end");
  hook.onTurnEnd(status);
  expect((await vcs.listTurns()).map((turn) => turn.status)).toEqual([status]);
});

test("saved waits for the commit where a call may have changed something, and for nothing else", async () => {
  const refs = () => bench.sh("git for-each-ref --format='%(contents:subject)' refs/agent").toString();
  for (const runs of [false, true]) {
    const hook = new VcsHook(vcs);
    hook.onTurnStart(`runs ${runs}`);
    await hook.settle(shell("make"));
    const before = refs();
    if (runs) hook.onToolStarted();
    writeFileSync(file(), `${runs}\n`);
    hook.onInterrupted();
    await hook.settle("end");
    await hook.saved();
    expect(refs() !== before, `runs ${runs}`).toBe(runs);
    await vcs.listTurns();
  }
  expect((await vcs.listTurns()).map(({ status }) => status)).toEqual(["interrupted", "interrupted"]);
});

test("an engine that awaits nothing is served in order all the same", async () => {
  const hook = new VcsHook(vcs);
  hook.onTurnStart("x");
  await vcs.ready();
  writeFileSync(file(), "two\n");
  hook.onTurnEnd("completed");
  expect(await vcs.listTurns()).toHaveLength(1);
});

test("a command that destroys gets a snapshot of its own before it runs", async () => {
  const hook = new VcsHook(vcs);
  hook.onTurnStart("x");
  await hook.settle(shell("echo half > a.txt"));
  writeFileSync(file(), "half\n");
  await hook.settle(shell("rm -rf a.txt"));
  rmSync(file());
  await hook.settle("end");
  const [kept] = (await vcs.listSnapshots()).filter((one) => one.kind === "command");
  expect(kept).toMatchObject({ about: "rm -rf a.txt" });
  await vcs.restoreSnapshot(kept?.id ?? "");
  expect(readFileSync(file(), "utf8")).toBe("half\n");
});

test("what cannot be saved is told, and nothing throws", async () => {
  const notices: string[] = [];
  const hook = new VcsHook(vcs, { onNotice: (notice) => notices.push(notice) });
  rmSync(join(bench.root, ".git"), { recursive: true });
  writeFileSync(join(bench.root, ".git"), "gitdir: /nowhere\n");
  writeFileSync(join(bench.root, ".agent"), "in the way of a shadow\n");
  hook.onTurnStart("x");
  await hook.settle(shell("rm a.txt"));
  hook.onTurnEnd("completed");
  await hook.settle("end");
  expect(existsSync(file())).toBe(true);
  expect(notices).toEqual([expect.stringMatching(/No snapshot was taken/)]);
});

describe("isDestructive", () => {
  test.each([
    ["rm -r build", true],
    ["cd x && rm -f y", true],
    ["/bin/rm x", true],
    ["sudo mv a b", true],
    ["cp new old", true],
    ["find . -name '*.o' -delete", true],
    ["sed -i s/a/b/ f", true],
    ["sed --in-place=.bak s/a/b/ f", true],
    ["perl -pi -e s/a/b/ f", true],
    ["git reset --hard", true],
    ["git -C sub checkout -- .", true],
    ["git stash drop", true],
    ["git clean -fdx", true],
    ["echo x > f", true],
    ["cmd >| f", true],
    ["xargs -0 rm < list", true],
    ["bash -c 'rm x'", true],
    ["ls -la", false],
    ["npm test", false],
    ["git status && git log --oneline", false],
    ["grep -rn rm_all src", false],
    ["echo x >> f", false],
    ["make 2>&1 | head", false],
    ["make > /dev/null 2>&1", false],
    ["cat farm mvn", false],
  ])("%s: %s", (command, expected) => expect(isDestructive(command)).toBe(expected));
});

describe("from the first change on", () => {
  const hookOf = () => new VcsHook(vcs, { startsAtFirstChange: true });

  test("a turn that only reads takes no snapshot", async () => {
    const hook = hookOf();
    hook.onTurnStart("look around");
    await hook.settle("end");
    hook.onTurnEnd("completed");
    expect(await vcs.listSnapshots()).toEqual([]);
  });

  test.each([
    ["a call that is about to run", (hook: VcsHook) => hook.settle({ toolName: "write_file", arguments: {} })],
    ["a question to the person", (hook: VcsHook) => hook.onPermissionRequired()],
  ])("%s begins it", async (_name, begin) => {
    const hook = hookOf();
    hook.onTurnStart("change it");
    await begin(hook);
    await vcs.listSnapshots();
    writeFileSync(file(), "two\n");
    await hook.settle("end");
    await vcs.restoreTurn(0);
    expect(readFileSync(file(), "utf8")).toBe("one\n");
  });
});

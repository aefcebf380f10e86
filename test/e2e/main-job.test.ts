/** The main job, as a person does it: on a real terminal, with the built command. */

import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { longCommand, processesWith, untilHolds } from "../support/waiting";
import { APPROVAL, answer, ask, CTRL_C, CTRL_D, ESCAPE } from "./keys";
import { openWorkshop } from "./workshop";

const READ = { name: "read_file", args: { path: "a.txt" } };
const edit = (from: string, to: string) => ({
  name: "replace_in_file",
  args: { path: "a.txt", old_string: from, new_string: to },
});
const run = (command: string) => ({ name: "run_shell", args: { command } });

test("prompt, reads, edit approved by keypress, command approved, answer", async () => {
  const place = await openWorkshop({ "a.txt": "alpha one omega\n" }, [
    { text: "I'll look first.", calls: [READ] },
    { text: "Now the edit.", calls: [edit("one", "two")] },
    { text: "And the check.", calls: [run("cat a.txt; echo checked > proof.txt")] },
    { text: "Done: it says **two** now." },
  ]);
  const pty = place.open();
  await ask(pty, "change one to two");
  await pty.waitFor(APPROVAL);
  await pty.waitFor("alpha two omega");
  expect(place.read("a.txt")).toBe("alpha one omega\n");
  await answer(pty, "y");
  await pty.waitFor("cat a.txt; echo checked");
  expect(place.has("proof.txt")).toBe(false);
  await answer(pty, "y");
  await pty.waitForBuffer(/Done: it says two now\./);
  expect(place.read("a.txt")).toBe("alpha two omega\n");
  expect(place.has("proof.txt")).toBe(true);
  const whole = pty.buffer().join("\n");
  for (const shown of ["I'll look first.", "Now the edit.", "And the check.", "read_file", "replace_in_file"]) {
    expect(whole.split(shown).length - 1, shown).toBe(1);
  }
  pty.send(CTRL_D);
  expect(await pty.exited).toBe(0);
});

test("a denied edit changes nothing, and the model is told", async () => {
  const place = await openWorkshop({ "a.txt": "one\n" }, [
    { calls: [READ] },
    { calls: [edit("one", "two")] },
    { text: "Left as it was." },
  ]);
  const pty = place.open();
  await ask(pty, "edit it");
  await answer(pty, "n");
  await pty.waitForBuffer("Left as it was.");
  await pty.waitForBuffer(/denied/);
  expect(place.read("a.txt")).toBe("one\n");
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain("Denied by the user.");
});

test("interrupted in mid-command: no process is left, and the draft still works", async () => {
  const sleeper = longCommand();
  const place = await openWorkshop({}, [{ calls: [run(sleeper.command)] }, { text: "Going on." }]);
  const pty = place.open();
  await ask(pty, "wait long");
  await answer(pty, "y");
  await untilHolds(() => processesWith(sleeper.mark).length > 0);
  pty.send(ESCAPE);
  await pty.waitFor(/nterrupted/);
  await untilHolds(() => processesWith(sleeper.mark).length === 0);
  await ask(pty, "go on then");
  await pty.waitForBuffer("Going on.");
});

test("leave, resume, and both the screen and the model have the conversation", async () => {
  const place = await openWorkshop({}, [{ text: "The number is 4711." }, { text: "Still 4711." }]);
  const first = place.open();
  await ask(first, "give me a number");
  await first.waitForBuffer("The number is 4711.");
  first.send(CTRL_C);
  first.send(CTRL_C);
  expect(await first.exited).toBe(0);
  const [id = ""] = place.sessions();
  const second = place.open(["resume", id]);
  await second.waitForBuffer("The number is 4711.");
  await second.waitForBuffer("give me a number");
  await ask(second, "which was it?");
  await second.waitForBuffer("Still 4711.");
  const sent = JSON.stringify(place.server.requests.filter((request) => request.mayCall).at(-1)?.messages);
  expect(sent).toContain("give me a number");
  expect(sent).toContain("The number is 4711.");
});

test("a session that is open is not opened twice", async () => {
  const place = await openWorkshop({}, [{ text: "hello" }]);
  const pty = place.open();
  await ask(pty, "hi");
  await pty.waitForBuffer("hello");
  const { code, stderr } = await place.run(["resume", place.sessions()[0] ?? "", "-p", "me too"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/open in another process \(pid \d+/);
});

describe("rollback", () => {
  const repository = (cwd: string) => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
    git("init", "-q", "-b", "main");
    git("config", "user.email", "a@example.org");
    git("config", "user.name", "A");
    git("add", "-A");
    git("commit", "-qm", "begin");
    return git;
  };

  test.each(["git repository", "no repository"])("brings the files back, in a folder with %s", async (kind) => {
    const place = await openWorkshop({ "a.txt": "zero\n" }, [
      { calls: [READ] },
      { calls: [edit("zero", "one")] },
      { text: "First done." },
      { calls: [edit("one", "two"), run("echo new > b.txt")] },
      { text: "Second done." },
    ]);
    const git = kind === "git repository" ? repository(place.cwd) : undefined;
    const before = git
      ? [git("rev-parse", "HEAD"), git("status", "--porcelain"), git("stash", "list"), git("symbolic-ref", "HEAD")]
      : [];
    await place.run(["-p", "first", "--mode", "auto"]);
    await place.run(["-c", "-p", "second", "--mode", "auto"]);
    expect([place.read("a.txt"), place.has("b.txt")]).toEqual(["two\n", true]);

    const look = await place.run(["rollback", "--turn", "1", "--dry-run"]);
    expect(look.stdout).toMatch(/write +a\.txt[\s\S]*delete +b\.txt/);
    expect(place.read("a.txt")).toBe("two\n");
    expect((await place.run(["rollback", "--turn", "1"])).code).toBe(2);
    expect(place.read("a.txt")).toBe("two\n");

    expect((await place.run(["rollback", "--turn", "1", "--yes"])).code).toBe(0);
    expect([place.read("a.txt"), place.has("b.txt")]).toEqual(["one\n", false]);
    expect((await place.run(["rollback", "--turn", "0", "--yes"])).code).toBe(0);
    expect(place.read("a.txt")).toBe("zero\n");
    if (git) {
      expect([
        git("rev-parse", "HEAD"),
        git("status", "--porcelain"),
        git("stash", "list"),
        git("symbolic-ref", "HEAD"),
      ]).toEqual(before);
    }
    expect((await place.run(["rollback", "--undo", "--yes"])).code).toBe(0);
    expect(place.read("a.txt")).toBe("one\n");
    const which = await place.run(["rollback", "--yes"]);
    expect([which.code, which.stderr]).toEqual([2, expect.stringContaining("Which turn?")]);
    const missing = await place.run(["rollback", "--turn", "9", "--yes"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("no turn 9")]);
  });

  test("diff shows what a turn changed, by commands too", async () => {
    const place = await openWorkshop({ "a.txt": "zero\n" }, [{ calls: [run("echo more >> a.txt")] }, { text: "ok" }]);
    await place.run(["-p", "append", "--mode", "auto"]);
    const { stdout } = await place.run(["diff"]);
    expect(stdout).toMatch(/a\.txt[\s\S]*\+more/);
  });
});

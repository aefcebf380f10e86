/** What happens to people: processes killed, disks full, terminals gone, pipes closed. */

import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { longCommand, processesWith, untilHolds } from "../support/waiting";
import { ask, CTRL_D, PROMPT } from "./keys";
import { BIN, openWorkshop } from "./workshop";

const run = (command: string) => ({ name: "run_shell", args: { command } });
/** More than a pipe holds, and no repetition: that would end the turn. */
const longText = Array.from({ length: 20_000 }, (_, i) => `Line ${i} of many.`).join("\n");

describe("without a screen", () => {
  test("SIGINT ends the turn, kills what runs, saves, and leaves with 130", async () => {
    const sleeper = longCommand();
    const place = await openWorkshop({}, [
      { text: "Working on it.", calls: [run(sleeper.command)] },
      { text: "Where were we?" },
    ]);
    let zqagent = 0;
    const done = place.run(["-p", "wait", "--mode", "auto", "--output-format", "json"], {
      started: (pid) => (zqagent = pid),
    });
    await untilHolds(() => processesWith(sleeper.mark).length > 0);
    process.kill(zqagent, "SIGINT");
    const { code, stdout } = await done;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: "interrupted" });
    expect(processesWith(sleeper.mark)).toEqual([]);
    expect((await place.run(["-c", "-p", "go on"])).stdout).toBe("Where were we?\n");
    const sent = JSON.stringify(place.server.requests.at(-1)?.messages);
    expect(sent).toContain("interrupted");
  });

  test("SIGTERM the same, with 143", async () => {
    const sleeper = longCommand();
    const place = await openWorkshop({}, [{ calls: [run(sleeper.command)] }]);
    let zqagent = 0;
    const done = place.run(["-p", "wait", "--mode", "auto"], { started: (pid) => (zqagent = pid) });
    await untilHolds(() => processesWith(sleeper.mark).length > 0);
    process.kill(zqagent, "SIGTERM");
    expect((await done).code).toBe(143);
    expect(processesWith(sleeper.mark)).toEqual([]);
  });

  test("SIGINT while the model is silent", async () => {
    const place = await openWorkshop({}, [{ fault: "hang-before-headers" }]);
    let zqagent = 0;
    const done = place.run(["-p", "hello?"], { started: (pid) => (zqagent = pid) });
    await place.server.waitForRequest(1);
    process.kill(zqagent, "SIGINT");
    expect((await done).code).toBe(130);
  });

  test("killed at once in mid-turn: the session goes on, with nothing lost that was finished", async () => {
    const sleeper = longCommand();
    const place = await openWorkshop({ "a.txt": "one\n" }, [
      { text: "First I read.", calls: [{ name: "read_file", args: { path: "a.txt" } }] },
      { text: "Now I wait.", calls: [run(sleeper.command)] },
      { text: "Taken up again." },
    ]);
    let zqagent = 0;
    const done = place.run(["-p", "begin", "--mode", "auto"], { started: (pid) => (zqagent = pid) });
    await untilHolds(() => processesWith(sleeper.mark).length > 0);
    process.kill(zqagent, "SIGKILL");
    await done;
    for (const pid of processesWith(sleeper.mark)) process.kill(pid, "SIGKILL");
    expect(await place.run(["-c", "-p", "go on"])).toMatchObject({ code: 0, stdout: "Taken up again.\n" });
    const sent = JSON.stringify(place.server.requests.at(-1)?.messages);
    for (const kept of ["begin", "First I read.", "1|one", "Now I wait.", "did not finish"])
      expect(sent).toContain(kept);
  });

  test("a torn and damaged log: what can be read is kept, and said", async () => {
    const place = await openWorkshop({}, [{ text: "The answer is 4711." }, { text: "Yes." }]);
    await place.run(["-p", "question"]);
    const [id = ""] = place.sessions();
    const folder = join(place.home, ".zqagent", "sessions", id);
    writeFileSync(join(folder, `${id}_state.json`), "{ torn");
    appendFileSync(join(folder, `${id}.jsonl`), '{"t":"2026-12-01T00:00:00Z","type":"mess');
    const { code, stdout, stderr } = await place.run(["-c", "-p", "was it 4711?"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Yes.\n" });
    expect(stderr).toMatch(/checkpoint could not be read/i);
    expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain("The answer is 4711.");
  });

  test("a reader that goes away (| head) is no error", async () => {
    const place = await openWorkshop({}, [{ text: longText }]);
    const script = `node ${JSON.stringify(BIN)} -p hi | head -c 10; echo " \${PIPESTATUS[0]}"`;
    const out = await bash(script, place.env, place.cwd);
    expect(out.stdout).toBe("Line 0 of  0\n");
    expect(out.stderr).not.toMatch(/EPIPE|at /);
  });

  test("an inherited stdin that says nothing does not hang a prompt", async () => {
    const place = await openWorkshop({}, [{ text: "ok" }]);
    const child = spawn(process.execPath, [BIN, "-p", "hi"], {
      cwd: place.cwd,
      env: place.env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    const code = await new Promise((resolve) => child.on("close", resolve));
    child.stdin.destroy();
    expect([code, stdout]).toEqual([0, "ok\n"]);
  });

  test("escape sequences of the model do not reach stdout", async () => {
    const place = await openWorkshop({}, [{ text: "a\u001b]52;c;cm0gLXJm\u0007b\u001b[31mred\u009b2Jc" }]);
    expect((await place.run(["-p", "hi"])).stdout).not.toMatch(/[\u001b\u0007\u009b]/);
  });

  test("Chinese names of folders and files", async () => {
    const place = await openWorkshop({ "文档/说明 书.md": "旧\n" }, [
      { calls: [{ name: "read_file", args: { path: "文档/说明 书.md" } }] },
      { calls: [{ name: "replace_in_file", args: { path: "文档/说明 书.md", old_string: "旧", new_string: "新" } }] },
      { text: "改好了。" },
    ]);
    expect(await place.run(["-p", "改一下", "--mode", "auto"])).toMatchObject({ code: 0, stdout: "改好了。\n" });
    expect(place.read("文档/说明 书.md")).toBe("新\n");
    expect((await place.run(["diff"])).stdout).toContain("+新");
    await place.run(["rollback", "--turn", "0", "--yes"]);
    expect(place.read("文档/说明 书.md")).toBe("旧\n");
  });

  test("two runs at once in one folder are two sessions", async () => {
    const place = await openWorkshop({}, () => ({ text: "hello", delayMs: 50 }));
    const both = await Promise.all([place.run(["-p", "a"]), place.run(["-p", "b"])]);
    expect(both.map((one) => one.code)).toEqual([0, 0]);
    expect(place.sessions()).toHaveLength(2);
  });

  test("a session folder that cannot be written: the answer still comes", async () => {
    const place = await openWorkshop({}, [{ text: "still here" }]);
    mkdirSync(join(place.home, ".zqagent"));
    writeFileSync(join(place.home, ".zqagent", "sessions"), "a file where a folder should be");
    const { code, stderr } = await place.run(["-p", "hi"]);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(3);
    expect(stderr).toContain("sessions");
  });

  test.runIf(canMount())("a full disk under the session: told once, and the work goes on", async () => {
    const place = await openWorkshop({}, () => ({ text: longText }));
    const home = join(place.home, ".zqagent");
    mkdirSync(home);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=128k", "tmpfs", home]);
    try {
      const { code, stdout, stderr } = await place.run(["-p", "hi"]);
      expect(code).toBe(0);
      expect(stdout.trimEnd()).toBe(longText);
      expect(stderr).toMatch(/cannot be saved/);
    } finally {
      execFileSync("umount", ["-l", home]);
    }
  });
});

describe("on a terminal", () => {
  test("CI in the environment still gives the screen", async () => {
    const place = await openWorkshop({}, [{ text: "hello" }]);
    const pty = place.open([], { env: { CI: "1", CONTINUOUS_INTEGRATION: "1" } });
    await ask(pty, "hi");
    await pty.waitForBuffer("hello");
  });

  test("the terminal's modes are given back, whichever way it ends", async () => {
    for (const leave of ["ctrl-d", "SIGTERM"] as const) {
      const place = await openWorkshop({}, []);
      const pty = place.open();
      await pty.waitFor(PROMPT);
      if (leave === "ctrl-d") pty.send(CTRL_D);
      else pty.signal("SIGTERM");
      expect(await pty.exited).toBe(leave === "ctrl-d" ? 0 : 143);
      expect(pty.raw.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(pty.raw.lastIndexOf("\u001b[?2004h"));
      expect(pty.raw.lastIndexOf("\u001b[?25h")).toBeGreaterThan(pty.raw.lastIndexOf("\u001b[?25l"));
    }
  });

  test("a window that is closed ends the command that ran in it", async () => {
    const sleeper = longCommand();
    const place = await openWorkshop({}, [{ calls: [run(sleeper.command)] }]);
    const pty = place.open(["--mode", "auto"]);
    await ask(pty, "wait");
    await untilHolds(() => processesWith(sleeper.mark).length > 0);
    pty.close();
    await untilHolds(() => processesWith(sleeper.mark).length === 0);
    await untilHolds(() => !existsSync(`/proc/${pty.pid}`));
  });

  test("TERM=dumb: plain lines, no escape sequence, approval by a typed word", async () => {
    const place = await openWorkshop({}, [{ calls: [run("echo made > made.txt")] }, { text: "**done**" }]);
    const pty = place.open([], { env: { TERM: "dumb" } });
    await pty.waitFor(/Plain line mode/);
    pty.send("do it\r");
    await pty.waitFor(/yes/);
    expect(place.has("made.txt")).toBe(false);
    pty.send("yes\r");
    await pty.waitFor(/\*\*done\*\*/);
    expect(place.has("made.txt")).toBe(true);
    pty.send("\r");
    expect(await pty.exited).toBe(0);
    expect(pty.raw).not.toContain("\u001b");
  });

  test.each([
    ["the flag", { args: ["--screen-reader"], env: {} }],
    ["Ink's own variable", { args: [], env: { INK_SCREEN_READER: "true" } }],
  ])("read aloud, by %s: lines that only grow, and a last one that says so", async (_, { args, env }) => {
    const place = await openWorkshop({}, [{ text: "short answer", chunk: 3, everyMs: 30 }]);
    const pty = place.open([...args, "tell me"], { env });
    await pty.waitFor(/short answer\nDone\./);
    expect(JSON.stringify(place.server.requests[0]?.messages.at(-1))).toContain("tell me");
    pty.send("\r");
    expect(await pty.exited).toBe(0);
    expect(pty.raw).not.toContain("\u001b");
  });

  test("no colour when none is wanted", async () => {
    const place = await openWorkshop({}, [{ text: "# Head\n\n**b** `c`\n\n```js\nconst a = 1\n```" }]);
    const pty = place.open([], { env: { NO_COLOR: "1" } });
    await ask(pty, "hi");
    await pty.waitForBuffer("const a = 1");
    expect(pty.raw).not.toMatch(/\u001b\[(3|4|9|10)[0-7]/);
  });

  test.each([
    [20, 6],
    [200, 50],
  ])("%d columns, %d rows", async (cols, rows) => {
    const place = await openWorkshop({}, [
      { text: Array.from({ length: 30 }, (_, i) => `Paragraph ${i}.`).join("\n\n") },
    ]);
    const pty = place.open([], { cols, rows });
    await ask(pty, "go");
    await pty.waitForBuffer("Paragraph 29.");
    const shown = pty.buffer().join("\n");
    for (let i = 0; i < 30; i++) expect(shown.split(`Paragraph ${i}.`).length - 1, `paragraph ${i}`).toBe(1);
    expect(pty.raw).not.toMatch(/\u001b\[[23]J/);
  });
});

function bash(script: string, env: NodeJS.ProcessEnv, cwd: string): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", script], { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (out.stdout += chunk));
    child.stderr.on("data", (chunk) => (out.stderr += chunk));
    child.on("close", () => resolve(out));
  });
}

/** A small tmpfs needs root and the right to mount. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    const probe = join(process.env.HOME ?? "/tmp", "mount-probe");
    mkdirSync(probe, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", probe], { stdio: "ignore" });
    execFileSync("umount", ["-l", probe], { stdio: "ignore" });
    return readdirSync(probe).length === 0;
  } catch {
    return false;
  }
}

/** Every way out, suspension, and what the environment says about the terminal (tui rules 28-32, 14). */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ask, IDLE, type OpenScreen, PROMPT, pause, prepareScreen, WORKING } from "./support/screenBench";

const open = prepareScreen();
const ready = /interactive/;
/** Runs the program, then lets the shell say how it left the terminal. */
const shell = '"$0" "$1"; echo "left $?"; stty -a; read -r line';

async function leaves(screen: OpenScreen, code: number): Promise<void> {
  await screen.waitForBuffer(new RegExp(`left ${code}`));
  // The shell goes on until it has been read: what a program writes last may be lost when its terminal closes.
  await screen.waitForBuffer(/ icanon[\s\S]* echo /);
  screen.send("\r");
  await screen.exited;
  for (const [on, off] of [
    ["\u001b[?2004h", "\u001b[?2004l"],
    ["\u001b[?1004h", "\u001b[?1004l"],
    ["\u001b[?25l", "\u001b[?25h"],
  ] as const) {
    expect(screen.raw.lastIndexOf(off), off).toBeGreaterThan(screen.raw.lastIndexOf(on));
  }
}

describe("ways out", () => {
  test.each([
    ["/exit", ["/", "e", "x", "i", "t", "\r"]],
    ["/quit", ["/", "q", "u", "i", "t", "\r"]],
    ["Ctrl-D", ["\u0004"]],
    ["Ctrl-C twice", ["\u0003", "\u0003"]],
  ])("%s gives the terminal back and closes the session", async (_, keys) => {
    const screen = open({ shell });
    await screen.waitFor(ready);
    await screen.type(...keys);
    await leaves(screen, 0);
    expect(screen.log()).toContain("close session-1");
    expect(screen.buffer().filter((row) => row.startsWith("❯"))).toEqual([]);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("%s too, in mid-turn", async (signal, code) => {
    const screen = open({ shell, turns: [[{ hang: true }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    signalChild(screen.pid, signal);
    await leaves(screen, code);
    expect(screen.log()).toEqual(expect.arrayContaining(["interrupt", "close session-1"]));
  });

  test.each([
    ["throw", 1],
    ["reject", 1],
    ["exit", 3],
  ] as const)("a %s in the middle of a turn leaves no mode behind", async (crash, code) => {
    const screen = open({ shell, turns: [[{ wait: 300 }, { crash }, { hang: true }]] });
    await ask(screen, "go");
    await leaves(screen, code);
  });

  test("Ctrl-C while a turn runs stops it first", async () => {
    const screen = open({ turns: [[{ hang: true }]] });
    await ask(screen, "go");
    await screen.waitFor(WORKING);
    await screen.type("\u0003");
    await screen.waitForBuffer(/Interrupted/);
    await screen.waitFor(IDLE);
    await pause(2_100);
    await screen.type("\u0003");
    await screen.waitFor(/Press Ctrl-C again/);
    await screen.type("\u0003");
    expect(await screen.exited).toBe(0);
  });

  test("a session that cannot be opened says why, with the terminal given back", async () => {
    const screen = open({ shell, env: { SCREEN_FAIL: "the key is missing" } });
    await screen.waitForBuffer(/the key is missing/);
    await leaves(screen, 1);
  });
});

/** The program is the shell's only child. */
function signalChild(shellPid: number, signal: NodeJS.Signals): void {
  const [child = ""] = readFileSync(`/proc/${shellPid}/task/${shellPid}/children`, "utf8").trim().split(" ");
  process.kill(Number(child), signal);
}

test("Ctrl-Z to the shell and fg bring the draft and raw mode back", async () => {
  const screen = open({
    shell:
      'exec bash --norc -i -c \'set -m; "$0" "$1"; echo "stopped $?"; read -r line; echo "S$((40+2)) $line"; fg\' "$0" "$1"',
  });
  await screen.waitFor(ready);
  screen.send("draft");
  await screen.waitFor(/^❯ draft$/m);
  await screen.type("\u001a");
  await screen.waitFor(/stopped/);
  screen.send("from the shell\r");
  await screen.waitFor(/S42 from the shell/);
  await screen.waitFor(
    (rows) =>
      rows.filter((row) => /^❯ draft$/.test(row)).length >= 1 &&
      rows.findLastIndex((row) => /^❯ draft$/.test(row)) > rows.findIndex((row) => /S42/.test(row)),
  );
  await screen.type("X");
  await screen.waitFor(/^❯ draftX$/m);
  expect(screen.screen().join("\n")).not.toMatch(/\^C|\^\[/);
});

describe("environment", () => {
  test.each([["CI"], ["CONTINUOUS_INTEGRATION"]])("%s=1 on a terminal still gives the screen", async (name) => {
    const screen = open({ env: { [name]: "1" } });
    await screen.waitFor(PROMPT);
  });

  test("NO_COLOR gives no colour", async () => {
    const text = "# Hi\n**b** `c`\n\n```js\nconst a=1\n```";
    const diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    const screen = open({
      env: { NO_COLOR: "1" },
      turns: [
        [
          { tool: "run_shell", args: {}, output: ["\u001b[31mred\u001b[0m"] },
          { tool: "edit", args: {}, diff },
          { text },
          { error: "no", type: "auth" },
        ],
      ],
    });
    await ask(screen, "go");
    await screen.waitForBuffer(/const a=1/);
    await screen.waitFor(IDLE);
    expect(screen.raw).not.toMatch(/\u001b\[(?:\d+;)*(?:3|4|9|10)[0-7]m/);
  });

  test("idle it writes nothing and costs nothing", async () => {
    const screen = open();
    await screen.waitFor(ready);
    await pause(500);
    const written = screen.raw.length;
    const before = cpuTicks(screen.pid);
    await pause(3_000);
    expect(screen.raw.length).toBe(written);
    expect(cpuTicks(screen.pid) - before).toBeLessThanOrEqual(2);
  });

  test("while an approval waits nothing moves either", async () => {
    const screen = open({ turns: [[{ tool: "run_shell", args: { command: "ls" }, ask: "Why not." }]] });
    await ask(screen, "go");
    await screen.waitFor(/y allow once/);
    await pause(500);
    const written = screen.raw.length;
    await pause(1_500);
    expect(screen.raw.length).toBe(written);
  });
});

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

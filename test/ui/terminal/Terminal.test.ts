import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Pty, type PtyOptions, startPty } from "../../support/pty";
import { bundleFixture } from "./bundledFixture";

const fixture = bundleFixture(join(import.meta.dirname, "fixtures/owner.ts"));

const running: Pty[] = [];
afterEach(() => {
  for (const pty of running.splice(0)) pty.kill();
});

function start(command: string, args: string[], options: PtyOptions = {}): Pty {
  const pty = startPty(command, args, { cols: 100, rows: 30, ...options });
  running.push(pty);
  return pty;
}

const startFixture = (options: PtyOptions = {}) => start(process.execPath, [fixture()], options);

/** Under a shell that says how the terminal was left. */
const startUnderShell = (options: PtyOptions = {}) =>
  start(
    "sh",
    ["-c", `"${process.execPath}" "${fixture()}"; echo "left with $?"; stty -a; echo measured; read hold`],
    options,
  );

const restored = ["\u001b[<u", "\u001b[?2004l", "\u001b[?1004l", "\u001b[?25h"];

function expectRestored(pty: Pty): void {
  const lastOn = Math.max(
    ...["\u001b[?2004h", "\u001b[?1004h", "\u001b[>1u", "\u001b[>4;1m"].map((bytes) => pty.raw.lastIndexOf(bytes)),
  );
  for (const bytes of restored) expect(pty.raw.lastIndexOf(bytes), JSON.stringify(bytes)).toBeGreaterThan(lastOn);
  if (pty.raw.includes("\u001b[>4;1m")) expect(pty.raw.lastIndexOf("\u001b[>4;0m")).toBeGreaterThan(lastOn);
  const shown = pty.buffer().join("\n");
  expect(shown).toMatch(/(?<!-)\bicanon\b/);
  expect(shown).toMatch(/(?<!-)\becho\b/);
}

describe("taking the terminal", () => {
  it("sets raw mode and bracketed paste before anything else is written", async () => {
    const pty = startFixture();
    await pty.waitFor("ready raw");
    expect(pty.raw.startsWith("\u001b[?2004h")).toBe(true);
  });

  it("keeps what is typed before anybody listens, and echoes none of it", async () => {
    const pty = startFixture({ env: { FIXTURE_DELAY_MS: "400" } });
    await pty.waitForRaw("\u001b[?2004h");
    pty.send("hel");
    await pty.waitFor(/ready raw.*\n[\s\S]*"text":"hel"/);
    expect(pty.screen().filter((row) => row.startsWith("hel"))).toEqual([]);
  });

  it("keeps what is typed before the program runs, and takes its echo away", async () => {
    const pty = startFixture();
    pty.send("hel");
    await pty.waitFor(/"text":"hel"/);
    expect(pty.buffer().filter((row) => row.startsWith("hel"))).toEqual([]);
  });

  it("uses the kitty protocol where the terminal knows it", async () => {
    const pty = startFixture({ kitty: true });
    await pty.waitFor("protocol kitty");
    expect(pty.raw).toContain("\u001b[>1u");
    expect(pty.raw).not.toContain("\u001b[>4;1m");
  });

  it("uses modifyOtherKeys elsewhere", async () => {
    const pty = startFixture();
    await pty.waitFor("protocol modifyOtherKeys");
    expect(pty.raw).toContain("\u001b[>4;1m");
    expect(pty.raw).not.toContain("\u001b[>1u");
  });

  it("stays with the old keys on a terminal that answers nothing", async () => {
    const pty = startFixture({ answers: false });
    await pty.waitFor("ready raw");
    pty.send("a");
    await pty.waitFor('"text":"a"');
    expect(pty.raw).not.toMatch(/\u001b\[>[14]/);
  });
});

describe("leaving", () => {
  const ways: [string, (pty: Pty) => void, number][] = [
    ["asked to", (pty) => pty.send("q"), 0],
    ["an exception", (pty) => pty.send("t"), 1],
    ["a rejection nobody handles", (pty) => pty.send("r"), 1],
    ["process.exit", (pty) => pty.send("x"), 3],
  ];
  it.each(ways)("restores the terminal after %s", async (_, end, code) => {
    const pty = startUnderShell();
    await pty.waitFor("protocol");
    end(pty);
    await pty.waitForBuffer(new RegExp(`left with ${code}[^]*measured`));
    expectRestored(pty);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const)("restores the terminal after %s", async (signal, code) => {
    const pty = startUnderShell();
    await pty.waitFor("protocol");
    const pid = Number(/process (\d+)/.exec(pty.buffer().join("\n"))?.[1]);
    process.kill(pid, signal);
    await pty.waitForBuffer(new RegExp(`left with ${code}[^]*measured`));
    expectRestored(pty);
  });

  it("lets the program save before it ends", async () => {
    const pty = startFixture({ env: { FIXTURE_SAVES: "1" } });
    await pty.waitFor("ready raw");
    pty.signal("SIGTERM");
    await pty.waitForBuffer("saved after SIGTERM");
    expect(await pty.exited).toBe(7);
  });

  it("drops late answers instead of leaving them to the shell", async () => {
    const pty = start("sh", [
      "-c",
      `"${process.execPath}" "${fixture()}"; read -t 1 line 2>/dev/null; echo "typed:[$line]"`,
    ]);
    await pty.waitFor("protocol");
    pty.send("q");
    pty.send("\u001b[?62;22c\u001b[12;40R\r");
    await pty.waitForBuffer("typed:[]");
  });
});

describe("job control", () => {
  /** An interactive bash in which the fixture runs. */
  async function startUnderBash(): Promise<Pty> {
    const pty = start("bash", ["--norc", "--noprofile", "-i"], {
      env: { PS1: "shell> ", BASH_SILENCE_DEPRECATION_WARNING: "1" },
    });
    await pty.waitFor("shell> ");
    pty.send(`"${process.execPath}" "${fixture()}"\r`);
    await pty.waitFor("protocol");
    return pty;
  }

  it("stops on Ctrl-Z, leaves the shell a clean terminal, and takes everything back on fg", async () => {
    const pty = await startUnderBash();
    pty.send("\u001a");
    await pty.waitFor(/Stopped[\s\S]*\nshell>/);
    pty.send("stty -a | grep -ow -- '-*icanon'; echo S$((40+2))\r");
    await pty.waitFor(/^icanon\nS42$/m);
    const before = pty.raw.length;
    pty.send("fg\r");
    await pty.waitFor("drawn again");
    expect(pty.raw.slice(before)).toContain("\u001b[?2004h");
    pty.send("a");
    await pty.waitFor('"text":"a"');
    expect(pty.screen().filter((row) => row.trim() === "a")).toEqual([]);
  });

  it("comes back after a stop that nobody can catch", async () => {
    const pty = await startUnderBash();
    const pid = Number(/process (\d+)/.exec(pty.buffer().join("\n"))?.[1]);
    process.kill(pid, "SIGSTOP");
    await pty.waitFor(/Stopped[\s\S]*\nshell>/);
    pty.send("fg\r");
    await pty.waitFor("drawn again");
    pty.send("b");
    await pty.waitFor('"text":"b"');
    expect(pty.screen().filter((row) => row.trim() === "b")).toEqual([]);
  });

  it("waits for fg when somebody else wakes it in the background", async () => {
    const pty = await startUnderBash();
    const pid = Number(/process (\d+)/.exec(pty.buffer().join("\n"))?.[1]);
    process.kill(pid, "SIGSTOP");
    await pty.waitFor(/Stopped[\s\S]*\nshell>/);
    process.kill(pid, "SIGCONT");
    pty.send("fg\r");
    await pty.waitFor("drawn again");
    pty.send("abc");
    await pty.waitFor('"text":"abc"');
  });

  it("goes on when there is no shell to wake it", async () => {
    const pty = startFixture();
    await pty.waitFor("protocol");
    pty.send("\u001a");
    await pty.waitFor("drawn again");
    pty.send("c");
    await pty.waitFor('"text":"c"');
  });
});

describe("lending", () => {
  it("leaves the terminal and its interrupts to another program, and takes it back", async () => {
    const pty = startFixture();
    await pty.waitFor("protocol");
    pty.send("l");
    await pty.waitFor("child asks");
    pty.send("\u0003");
    await pty.waitFor("interrupted");
    pty.send("abc\r");
    await pty.waitFor(/child got abc\n[\s\S]*drawn again/);
    pty.send("d");
    await pty.waitFor('"text":"d"');
  });
});

describe("size", () => {
  it("tells one new size after a drag", async () => {
    const pty = startFixture();
    await pty.waitFor("protocol");
    for (const columns of [96, 92, 88, 84, 80]) pty.resize(columns, 30);
    await pty.waitFor("size 80x30");
    await pty.quiet(200);
    expect(pty.screen().filter((row) => row.startsWith("size"))).toEqual(["size 80x30"]);
  });
});

describe("a terminal that goes away", () => {
  it("ends the program", async () => {
    const pty = startFixture();
    await pty.waitFor("ready raw");
    pty.close();
    expect(await pty.exited).toBeGreaterThan(0);
  });
});

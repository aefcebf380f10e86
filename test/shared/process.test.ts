import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildChildEnvironment, isSecret, rememberEnvironment } from "../../src/shared/childEnvironment";
import { type RunningProcess, startProcess } from "../../src/shared/process";
import { findProgram } from "../../src/shared/programs";

let folder: string;
const started: RunningProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zqagent-process-"));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a line of bash; `until` resolves when the text was printed. */
async function start(command: string) {
  let out = "";
  const waits: [string, () => void][] = [];
  const running = await startProcess(["bash", "-c", command], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    onData: (_pipe, chunk) => {
      out += chunk;
      for (const [text, resolve] of waits) if (out.includes(text)) resolve();
    },
  });
  started.push(running);
  const until = (text: string) =>
    new Promise<void>((resolve) => (out.includes(text) ? resolve() : waits.push([text, resolve])));
  return { running, until, out: () => out };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe("startProcess", () => {
  test.each([
    ["exit 3", { code: 3, signal: null }],
    ["kill -KILL $$", { code: null, signal: "SIGKILL" }],
    ["true", { code: 0, signal: null }],
  ])("tells how it ended: %s", async (command, end) => {
    const { running } = await start(command);
    expect(await running.ended).toEqual(end);
    expect(running.isAlive()).toBe(false);
  });

  test.each([
    ["an unknown program", ["/nope/x"], tmpdir()],
    ["a folder that is gone", ["true"], "/nope"],
    ["an empty list", [], tmpdir()],
  ])("tells why it could not start: %s", async (_name, argv, cwd) => {
    const running = await startProcess(argv, { cwd, env: { PATH: process.env.PATH }, onData: () => {} });
    expect(await running.ended).toMatchObject({ code: null, signal: null, error: expect.any(Error) });
    await running.stop();
  });

  test("gives all the output before it ends", async () => {
    const { running, out } = await start("head -c 3000000 /dev/zero | tr '\\0' x; echo end >&2");
    await running.ended;
    expect(out()).toHaveLength(3_000_004);
  });

  test("does not wait for a child that keeps the pipe", async () => {
    const { running, until } = await start("sleep 1000 & echo $!; echo done");
    await until("done");
    expect(await running.ended).toEqual({ code: 0, signal: null, leftBehind: true });
    expect(running.isAlive()).toBe(true);
    await running.stop();
    expect(running.isAlive()).toBe(false);
    await running.closed;
  });

  test.each([
    ["children", "sleep 1001 & echo pid $!; echo up; sleep 1002"],
    [
      "a child in a session of its own",
      "setsid sleep 1003 & sleep 0.1; echo pid $(pgrep -n -f 'sleep 100[3]'); echo up; sleep 1004",
    ],
    ["one that ignores TERM", "bash -c 'trap \"\" TERM; echo pid $$; echo up; while :; do sleep 0.1; done'"],
  ])("stop leaves nothing: %s", async (_name, command) => {
    const { running, until, out } = await start(command);
    await until("up");
    const pid = Number(/pid (\d+)/.exec(out())?.[1]);
    expect(isRunning(pid)).toBe(true);
    await running.stop();
    expect(isRunning(pid)).toBe(false);
    expect(await running.ended).toMatchObject({ code: null });
  });

  test("stop does not wait for a stranger that holds the pipe", async () => {
    const orphan = "env -i setsid bash -c 'echo pid $$; exec sleep 1008' & wait";
    const { running, until, out } = await start(`printf rest; ${orphan}`);
    await until("pid ");
    const pid = Number(/pid (\d+)/.exec(out())?.[1]);
    try {
      await running.stop();
      let end: unknown;
      void running.ended.then((ended) => {
        end = ended;
      });
      // Turns of the event loop, no time: what ended is told as soon as it is known.
      for (let turn = 0; turn < 500 && !end; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(end).toEqual({ code: null, signal: "SIGTERM" });
      expect(isRunning(pid)).toBe(true);
      expect(out()).toMatch(/^rest/);
    } finally {
      process.kill(pid, "SIGKILL");
    }
  });

  test("output that a stopped command had printed is there when it has ended", async () => {
    const { running, until, out } = await start(
      "trap 'head -c 150000 /dev/zero | tr \"\\0\" y; exit 0' TERM; echo up; sleep 1009 & wait",
    );
    await until("up");
    await running.stop();
    await running.ended;
    expect(out().replaceAll("y", "")).toBe("up\n");
    expect(out()).toHaveLength(150_003);
  });

  test("the exit of our own process ends what it started", async () => {
    // A host of its own: our source, built for it.
    const source = join(folder, "host.ts");
    writeFileSync(
      source,
      `import { startProcess } from ${JSON.stringify(join(import.meta.dirname, "../../src/shared/process"))};
       const argv = ["bash", "-c", "setsid sleep 1005 & echo $!; sleep 1006"];
       const env = { PATH: process.env.PATH };
       const onData = (_pipe: string, chunk: Buffer) => { console.log(String(chunk)); process.exit(5); };
       void startProcess(argv, { cwd: "/", env, onData });`,
    );
    await build({
      ...{ entry: { host: source }, outDir: folder, format: ["cjs"], noExternal: [/.*/] },
      ...{ silent: true, config: false, platform: "node", target: "node20" },
    });
    const host = join(folder, "host.cjs");
    const child = spawn(process.execPath, [host], { stdio: ["ignore", "pipe", "inherit"] });
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(5);
    expect(Number(printed)).toBeGreaterThan(0);
    expect(isRunning(Number(printed))).toBe(false);
  });
});

describe("the environment of a child", () => {
  const secrets = ["OPENAI_API_KEY", "GH_TOKEN", "my_secret", "DB_PASSWORD", "X_AUTH", "AWS_SECRET_ACCESS_KEY", "KEY"];
  const others = ["PWD", "OLDPWD", "SSH_AUTH_SOCK", "KEYBOARD", "AUTHOR", "TOKENIZERS_PARALLELISM", "HOME", "MONKEY"];
  test.each(secrets)("%s is secret", (name) => expect(isSecret(name, "v")).toBe(true));
  test.each(others)("%s is not", (name) => expect(isSecret(name, "v")).toBe(false));
  test.each([
    ["postgres://user:pass@host/db", true],
    ["redis://:pass@host", true],
    ["https://host/path@x", false],
    ["http://localhost:8080/@scope/p", false],
    ["git@github.com:a/b.git", false],
    ["https://user@host/", false],
  ])("the address %s: %s", (value, expected) => expect(isSecret("SOME_URL", value)).toBe(expected));

  test("keeps the rest, adds what keeps programs quiet, and lets named ones through", () => {
    const parent = { PATH: "/bin", CI: "1", A_TOKEN: "t", B_TOKEN: "t", PAGER: "less" };
    expect(buildChildEnvironment({ parent, allow: ["B_TOKEN"], extra: { X: "1" } })).toEqual({
      ...{ PATH: "/bin", CI: "1", B_TOKEN: "t", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" },
      ...{ GIT_EDITOR: "true", TERM: "dumb", NO_COLOR: "1", ZQAGENT: "1", X: "1" },
      ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.fsmonitor", GIT_CONFIG_VALUE_0: "false" },
    });
  });

  test("keeps git settings that came by the environment, but not a login among them", () => {
    const parent = {
      ...{ GIT_CONFIG_COUNT: "2", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" },
      ...{ GIT_CONFIG_KEY_1: "http.https://h/.extraheader", GIT_CONFIG_VALUE_1: "AUTHORIZATION: basic x" },
    };
    expect(buildChildEnvironment({ parent })).toMatchObject({
      ...{ GIT_CONFIG_COUNT: "2", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" },
      ...{ GIT_CONFIG_KEY_1: "core.fsmonitor", GIT_CONFIG_VALUE_1: "false" },
    });
  });

  test("is the one of our start, once that was remembered", () => {
    const own = { ...process.env };
    try {
      delete process.env.FORCE_COLOR;
      rememberEnvironment();
      process.env.FORCE_COLOR = "1";
      expect(buildChildEnvironment()).not.toHaveProperty("FORCE_COLOR");
    } finally {
      process.env = own;
      rememberEnvironment(own);
    }
  });
});

describe("findProgram", () => {
  test.each(["", ".", "..", "bin"])("passes over the PATH entry %j", (entry) => {
    expect(findProgram("sh", { env: { PATH: entry } })).toBeNull();
  });

  test("finds a program, but not one inside the folder that is named", () => {
    expect(findProgram("sh", { env: { PATH: "/nope:/bin" } })).toBe("/bin/sh");
    expect(findProgram("sh", { env: { PATH: "/bin" }, outside: "/usr" })).toBeNull();
    expect(findProgram("no-such-program", { env: { PATH: "/bin" } })).toBeNull();
  });
});

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ToolContext, ToolResult } from "../../src/shared/contracts";
import { EventType } from "../../src/shared/events";
import { registerShellTool, type ShellToolHandle, type ShellToolOptions } from "../../src/tools/shell";
import { ToolRegistry } from "../../src/tools/ToolRegistry";

let folder: string;
let registry: ToolRegistry;
let handle: ShellToolHandle;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zqagent-shell-"));
  register();
});
afterEach(async () => {
  await handle.tasks.killAll();
  rmSync(folder, { recursive: true, force: true });
});

function register(options: ShellToolOptions = {}): void {
  registry = new ToolRegistry();
  handle = registerShellTool(registry, folder, options);
}

function call(name: string, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult> {
  return registry.get(name)?.func(args, ctx) as Promise<ToolResult>;
}

const shell = (command: string, more: Record<string, unknown> = {}, ctx?: ToolContext) =>
  call("run_shell", { command, ...more }, ctx);

/** A context whose live output can be waited for. */
function watched() {
  const stop = new AbortController();
  let live = "";
  const waits: { text: string; resolve: () => void }[] = [];
  const ctx: ToolContext = {
    signal: stop.signal,
    reqId: "r1",
    taskId: "t1",
    emit: (type, data) => {
      if (type !== EventType.TOOL_OUTPUT || !("chunk" in data)) return;
      live += data.chunk;
      for (const wait of waits) if (live.includes(wait.text)) wait.resolve();
    },
  };
  const appears = (text: string) =>
    new Promise<void>((resolve) => (live.includes(text) ? resolve() : waits.push({ text, resolve })));
  return { ctx, stop, appears, live: () => live };
}

/** Processes that were started with a folder in their arguments. Each test has a folder of its own. */
function processesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    })
    .filter((line) => line.includes(text) && !line.includes("vitest"));
}

describe("a command", () => {
  const rows: [string, string, string | RegExp, "ok" | "error"][] = [
    ["prints, then says how it ended", "echo hi", /^hi\n\[exit 0, \d+\.\d s\]$/, "ok"],
    ["prints nothing", "true", /^\(no output\)\n\[exit 0, /, "ok"],
    ["fails", "echo no >&2; exit 3", /^no\n\[exit 3, /, "error"],
    ["is killed", "kill -SEGV $$", /\[killed by SIGSEGV, /, "error"],
    ["both pipes in order", "echo a; sleep 0.05; echo b >&2; sleep 0.05; echo c", /^a\nb\nc\n\[/, "ok"],
    ["waits for input", "cat; echo end", /^end\n\[exit 0/, "ok"],
    ["reads the terminal", "cat /dev/tty", /No such device or address|not configured|ENXIO/, "error"],
    ["colours", "printf '\\033[31mred\\033[0m\\n'", /^red\n\[/, "ok"],
    ["progress", "for i in $(seq 1 2000); do printf '\\r%d%%' $i; done; echo", /^2000%\n\[/, "ok"],
    ["dos line ends", "printf 'a\\r\\nb\\r\\n'", /^a\nb\n\[/, "ok"],
    ["character in two writes", "printf '\\xe4\\xb8'; sleep 0.05; printf '\\xad\\n'", /^中\n\[/, "ok"],
    ["escape in two writes", "printf 'a\\033['; sleep 0.05; printf '31mb\\n'", /^ab\n\[/, "ok"],
    ["binary", "head -c 5000 /dev/zero", /^\[binary output, 5 KB, not shown\]\n\[exit 0/, "ok"],
    ["only cd", "cd /", /\[cd does not persist; pass cwd\]\n\[exit 0/, "ok"],
    [
      "pager and editor",
      "echo $PAGER $GIT_PAGER $GIT_EDITOR $TERM $NO_COLOR $ZQAGENT",
      /^cat cat true dumb 1 1\n/,
      "ok",
    ],
  ];
  test.each(rows)("%s", async (_name, command, content, status) => {
    const result = await shell(command);
    expect(result.content).toMatch(content);
    expect(result.status).toBe(status);
  });

  test("runs in cwd, which does not last", async () => {
    mkdirSync(join(folder, "sub"));
    expect((await shell("basename $PWD", { cwd: "sub" })).content).toMatch(/^sub\n/);
    expect((await shell("basename $PWD")).content).not.toMatch(/^sub\n/);
  });

  const faults: [string, Record<string, unknown>, RegExp][] = [
    ["no command", { command: "  " }, /command is empty/],
    ["a NUL", { command: "echo \0" }, /NUL/],
    ["cwd outside", { command: "ls", cwd: "../.." }, /outside the workspace/],
    ["cwd missing", { command: "ls", cwd: "nope" }, /Folder not found: nope/],
  ];
  test.each(faults)("is not run: %s", async (_name, args, fault) => {
    const result = await call("run_shell", args);
    expect(result).toMatchObject({ status: "error", content: expect.stringMatching(fault) });
  });

  test("a workspace that is gone is an error result", async () => {
    rmSync(folder, { recursive: true });
    expect(await shell("ls")).toMatchObject({ status: "error", content: expect.stringMatching(/Folder not found/) });
  });

  test("gets no secrets, but what the setting allows", async () => {
    const env = {
      PATH: process.env.PATH,
      OPENAI_API_KEY: "sk-canary",
      MY_TOKEN: "tok-canary",
      DB: "pg://u:pw-canary@h/d",
    };
    register({ env });
    const { content } = await shell("env");
    expect(content).not.toMatch(/canary/);
    expect(content).toMatch(/GIT_CONFIG_KEY_0=core.fsmonitor/);
    register({ env, allowEnv: ["MY_TOKEN"] });
    expect((await shell("echo $MY_TOKEN")).content).toMatch(/^tok-canary/);
  });

  test("never uses a shell that lies in the workspace", async () => {
    writeFileSync(join(folder, "bash"), "#!/bin/sh\necho planted\n");
    chmodSync(join(folder, "bash"), 0o755);
    register({ env: { PATH: `.:${folder}:${process.env.PATH}` } });
    expect((await shell("echo real")).content).toMatch(/^real\n/);
  });

  test("a wrapper gets the argument list, and a refusal is explained", async () => {
    const wrap = async (argv: string[]) => ({
      argv: [...argv.slice(0, -1), `echo "Read-only file system"; exit 1; ${argv.at(-1)}`],
      confined: true,
      endsWithCommand: false,
      finish: () => [],
    });
    register({ wrap });
    expect((await shell("touch x")).content).toMatch(/Read-only file system\n\[the sandbox may have blocked this/);
  });
});

describe("ending", () => {
  test("a time limit ends the whole tree and keeps the output", async () => {
    const result = await shell(`echo before; sh -c 'sleep 63; : ${folder}' & sh -c 'sleep 64; : ${folder}'`, {
      timeout_ms: 1000,
    });
    expect(result.content).toMatch(/^before\n\[timed out after 1 s; use background for long commands\]$/);
    expect(result.status).toBe("error");
    expect(processesWith(folder)).toEqual([]);
  });

  const trees: [string, string][] = [
    ["a background child", "sh -c 'sleep 1000; : DIR' & echo up; sleep 1001"],
    ["a child that left the group", "setsid nohup sh -c 'sleep 1002; : DIR' & echo up; sleep 1003"],
    ["one that ignores TERM", "trap '' TERM; sh -c 'trap \"\" TERM; sleep 1004; : DIR' & echo up; sleep 1005"],
  ];
  test.each(trees)("an interrupt leaves nothing behind: %s", async (_name, command) => {
    const { ctx, stop, appears } = watched();
    const result = shell(command.replace("DIR", folder), {}, ctx);
    await appears("up");
    stop.abort();
    expect(await result).toMatchObject({
      status: "interrupted",
      content: expect.stringMatching(/^up\n.*\[interrupted/s),
    });
    expect(processesWith(folder)).toEqual([]);
  });

  test("an interrupt before the start runs nothing", async () => {
    const stop = new AbortController();
    stop.abort();
    const result = await shell(`touch ${folder}/ran`, {}, { signal: stop.signal });
    expect(result.status).toBe("interrupted");
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("a child left behind becomes a task that can be stopped", async () => {
    const result = await shell(`sh -c 'sleep 1006; : ${folder}' & echo done`);
    expect(result).toMatchObject({ status: "ok" });
    expect(result.content).toMatch(/^done\n\[still running in the background: sh_1\]\n\[exit 0/);
    expect((await call("shell_task_kill", { task_id: "sh_1" })).content).toMatch(/^Stopped sh_1/);
    expect(processesWith(folder)).toEqual([]);
  });
});

describe("live output", () => {
  test("comes while the command runs, with the ids of the call", async () => {
    const { ctx, appears, stop } = watched();
    const seen: unknown[] = [];
    const emit = ctx.emit;
    ctx.emit = (type, data) => {
      seen.push([type, data]);
      emit?.(type, data);
    };
    const result = shell("echo one; sleep 600", {}, ctx);
    await appears("one");
    stop.abort();
    await result;
    expect(seen[0]).toEqual([EventType.TOOL_OUTPUT, { reqId: "r1", name: "run_shell", chunk: "one\n", taskId: "t1" }]);
  });

  test("is bounded in number and size, and ends with the newest text", async () => {
    const { ctx } = watched();
    const chunks: string[] = [];
    ctx.emit = (_type, data) => void ("chunk" in data && chunks.push(data.chunk));
    await shell("seq 1 200000", {}, ctx);
    expect(chunks.every((chunk) => chunk.length <= 8192)).toBe(true);
    expect(chunks.length).toBeLessThan(100);
    expect(chunks.at(-1)).toMatch(/200000\n$/);
  });
});

describe("long output", () => {
  test("stays bounded: head, tail, and the whole in a file", async () => {
    const taskDir = join(folder, "results");
    register({ taskDir });
    const { content } = await shell("seq 1 400000");
    const file = /all of it is in (\S+): read_file/.exec(content)?.[1] ?? "";
    expect(content.length).toBeLessThan(30_000);
    expect(content).toMatch(/^\[2,688,895 characters, middle left out/);
    expect(content).toMatch(/\n1\n2\n/);
    expect(content).toMatch(/\n400000\n\[exit 0/);
    expect(readFileSync(file, "utf8")).toBe(`${Array.from({ length: 400_000 }, (_, n) => n + 1).join("\n")}\n`);
  });

  test("without a folder says that the middle is gone", async () => {
    expect((await shell("seq 1 400000")).content).toMatch(/middle left out; it was too long to keep/);
  });

  test("a flood ends at the limit", async () => {
    const result = await shell("yes", { timeout_ms: 1000 });
    expect(result.content.length).toBeLessThan(30_000);
    expect(result.content).toMatch(/middle left out.*\n\[timed out/s);
  });
});

describe("background tasks", () => {
  test("start, are read piece by piece, and end with one notice", async () => {
    const started = await shell(`echo first; until [ -e go ]; do sleep 0.02; done; echo second; exit 4`, {
      background: true,
    });
    expect(started.content).toMatch(/^Started sh_1 \(pid \d+\)\.\nfirst$/);
    expect((await call("shell_task_output", { task_id: "sh_1" })).content).toMatch(
      /^sh_1 running \d+ s: echo first.*\n\(no new output\)/,
    );
    expect(handle.tasks.takeNotices()).toEqual([]);
    writeFileSync(join(folder, "go"), "");
    await handle.tasks.get("sh_1")?.run.ended;
    expect(handle.tasks.takeNotices()).toEqual([
      expect.stringMatching(/^Background task sh_1 \(echo first.*\) exited with code 4 after \d+ s\.$/),
    ]);
    expect(handle.tasks.takeNotices()).toEqual([]);
    const read = await call("shell_task_output", { task_id: "sh_1" });
    expect(read.content).toMatch(/^sh_1 exited 4 after \d+ s: .*\nsecond$/);
    expect((await call("shell_task_output", { task_id: "sh_1", from_start: true })).content).toMatch(
      /\nfirst\nsecond$/,
    );
  });

  test("one that ends at once is an ordinary result", async () => {
    expect((await shell("echo quick; exit 2", { background: true })).content).toMatch(/^quick\n\[exit 2/);
    expect(handle.tasks.list()).toEqual([]);
  });

  test("a wait ends when the text appears, and when the task ends", async () => {
    await shell("sleep 0.7; printf 're'; sleep 0.1; echo ady; sleep 600", { background: true });
    expect((await call("shell_task_output", { task_id: "sh_1", wait_ms: 60_000, wait_for: "ready" })).content).toMatch(
      /running.*\nready$/,
    );
    await shell("sleep 0.8; echo over", { background: true });
    expect((await call("shell_task_output", { task_id: "sh_2", wait_ms: 60_000 })).content).toMatch(
      /exited 0.*\nover$/,
    );
    expect(handle.tasks.takeNotices()).toEqual([]);
  });

  test("a wait ends at an interrupt", async () => {
    await shell("sleep 600", { background: true });
    const stop = new AbortController();
    const read = call("shell_task_output", { task_id: "sh_1", wait_ms: 100_000 }, { signal: stop.signal });
    stop.abort();
    expect((await read).content).toMatch(/^sh_1 running/);
  });

  test("killing takes the whole tree, and says so when there is nothing to kill", async () => {
    await shell(`echo here; setsid sh -c 'sleep 1007; : ${folder}' & sh -c 'sleep 1008; : ${folder}'`, {
      background: true,
    });
    expect((await call("shell_task_kill", { task_id: "sh_1" })).content).toMatch(/^Stopped sh_1 \(SIGTERM\)\.\nhere$/);
    expect(processesWith(folder)).toEqual([]);
    expect((await call("shell_task_kill", { task_id: "sh_1" })).content).toMatch(
      /^sh_1 had ended already: killed by SIGTERM/,
    );
    expect(handle.tasks.takeNotices()).toEqual([]);
  });

  test("are listed, and an unknown id names those that exist", async () => {
    expect((await call("shell_task_output", {})).content).toBe("No background tasks.");
    expect((await call("shell_task_kill", { task_id: "sh_9" })).content).toMatch(
      /no task "sh_9"\. No task was started/,
    );
    await shell("sleep 600", { background: true });
    await shell("sleep 601", { background: true });
    expect((await call("shell_task_output", {})).content).toMatch(
      /^sh_1 running \d+ s: sleep 600\nsh_2 running \d+ s: sleep 601$/,
    );
    const unknown = await call("shell_task_output", { task_id: "sh_9" });
    expect(unknown).toMatchObject({ status: "error", content: 'There is no task "sh_9". Tasks: sh_1, sh_2.' });
  });

  test("the session's end ends them all, foreground too", async () => {
    const { ctx, appears } = watched();
    await shell(`sh -c 'sleep 1009; : ${folder}'`, { background: true });
    const foreground = shell(`echo up; sh -c 'sleep 1010; : ${folder}'`, {}, ctx);
    await appears("up");
    await handle.tasks.killAll();
    await foreground;
    expect(processesWith(folder)).toEqual([]);
  });
});

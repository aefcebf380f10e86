/** What a confined command can and cannot do, tried with the real bwrap; skipped with the reason where there is none. */

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { buildBwrapArgs } from "../../src/sandbox/bwrapArgs";
import { obstacle, openBench, processesWith, runNow, type SandboxBench, tempParent } from "./sandboxBench";

const missing = obstacle();
beforeEach((ctx) => ctx.skip(missing !== undefined, missing));

const git = (folder: string, ...args: string[]) => execFileSync("git", ["-C", folder, ...args]).toString();

function openRepository(): SandboxBench {
  const bench = openBench();
  git(bench.workspace, "init", "-q");
  return bench;
}

describe("the outside is not written", () => {
  const attempts: [string, (outside: string) => string][] = [
    ["directly", (out) => `echo PWN > ${out}/x`],
    ["through a link", (out) => `ln -s ${out} l; echo PWN > l/x`],
    ["through a hard link", (out) => `ln ${out}/old hard && echo PWN > hard`],
    ["through process 1", (out) => `echo PWN > /proc/1/root${out}/x`],
    ["through process 1's folder", (out) => `cd /proc/1/cwd && echo PWN > ${out}/x`],
    ["after a remount", (out) => `mount -o remount,rw,bind /; echo PWN > ${out}/x`],
    [
      "after a remount of the folder",
      (out) => `mount --bind ${out} ${out}; mount -o remount,rw ${out}; echo PWN > ${out}/x`,
    ],
    ["from a namespace inside", (out) => `unshare -Urm sh -c 'mount -o remount,rw,bind /; echo PWN > ${out}/x'`],
    ["by umount", (out) => `umount -l / ; umount -l ${out}; echo PWN > ${out}/x`],
    ["by chmod and rename", (out) => `chmod 777 ${out}/old; mv ${out}/old ${out}/x`],
    ["through a device", (out) => `mknod d b 8 0; dd if=/dev/zero of=/dev/sda count=1; rm ${out}/old`],
  ];
  test.each(attempts)("%s", async (_name, command) => {
    const { workspace, outside, shell } = openBench();
    writeFileSync(join(outside, "old"), "old");
    const before = runNow(["ls", "-laR", "--time-style=full-iso", outside], "/").text;
    writeFileSync(join(workspace, "f"), "");
    const { status } = await shell(command(outside));
    expect(status).toBe("error");
    expect(runNow(["ls", "-laR", "--time-style=full-iso", outside], "/").text).toBe(before);
    expect(readFileSync(join(outside, "old"), "utf8")).toBe("old");
  });

  test("a refusal is explained to the model", async () => {
    const { outside, shell } = openBench();
    expect((await shell(`touch ${outside}/x`)).content).toMatch(
      /Read-only file system\n\[the sandbox may have blocked/,
    );
  });

  test("a link that leads out, made by somebody else", async () => {
    const { workspace, outside, shell } = openBench();
    symlinkSync(outside, join(workspace, "l"));
    expect((await shell("echo PWN > l/x")).content).toMatch(/Read-only file system/);
    expect(readdirSync(outside)).toEqual([]);
  });

  test("processes of the machine are not seen, still less ended", async () => {
    const { shell } = openBench();
    const host = spawn("sleep", ["90"]);
    onTestFinished(() => void host.kill("SIGKILL"));
    const { content } = await shell(`kill -9 ${host.pid}; kill -9 ${process.pid}; echo /proc/[0-9]*`);
    expect(content).toMatch(/No such process[\s\S]*No such process/);
    expect(content).not.toContain(`/proc/${process.pid} `);
    expect(host.exitCode ?? host.signalCode).toBe(null);
  });

  test("there is no terminal to write to, and no socket that runs programs for whoever asks", async () => {
    const bench = openBench();
    expect((await bench.shell("echo x > /dev/tty")).content).toMatch(/No such device or address/);
    const path = join(bench.outside, "broker.sock");
    const server = await listen(path);
    process.env.DOCKER_HOST = `unix://${path}`;
    onTestFinished(() => void delete process.env.DOCKER_HOST);
    const connect = `node -e 'require("net").connect("${path}").on("connect",()=>console.log("in")).on("error",e=>console.log(e.code))'`;
    expect((await bench.shell(connect)).content).toMatch(/^ECONNREFUSED/);
    bench.plan.extraWritable.push(path);
    expect(
      (await bench.shell(`${connect.replace('console.log("in")', '{console.log("in");process.exit()}')}`)).content,
    ).toMatch(/^in/);
    server.close();
  });

  test("a folder given as cwd does not become writable", async () => {
    const { outside, roots, shell } = openBench();
    roots.grant(outside, false);
    expect((await shell("pwd; touch x", { cwd: outside })).content).toMatch(/out\n.*Read-only file system/);
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("what may be written", () => {
  test("the workspace, as the user that we are", async () => {
    const { workspace, shell } = openBench();
    await shell("mkdir -p a/b && echo hi > a/b/c && mv a z");
    expect(readFileSync(join(workspace, "z/b/c"), "utf8")).toBe("hi\n");
  });

  test("the temporary folder, whose files last from call to call and are gone at the end", async () => {
    const { sandbox, shell } = openBench();
    const name = `lasting-${process.pid}`;
    await shell(`echo hi > /tmp/${name}; mktemp`);
    expect((await shell(`cat /tmp/${name}; stat -c %a /tmp`)).content).toMatch(/^hi\n700\n/);
    expect(existsSync(join(tmpdir(), name))).toBe(false);
    const folders = () => readdirSync(tmpdir()).filter((entry) => existsSync(join(tmpdir(), entry, "tmp", name)));
    expect(folders()).toHaveLength(1);
    sandbox.dispose();
    expect(folders()).toHaveLength(0);
    expect((await shell(`ls /tmp/${name}`)).content).toMatch(/No such file/);
  });

  test("a folder that a killed process left is removed a day later, a younger or a living one's is not", async () => {
    const dead = 99_999_999;
    const [old, young, living] = [dead, dead, process.pid].map((pid) =>
      mkdtempSync(join(tmpdir(), `zqagent-commands-${pid}-`)),
    );
    onTestFinished(() => {
      for (const folder of [young, living]) rmSync(folder ?? "", { recursive: true });
    });
    const longAgo = new Date(Date.now() - 48 * 3600 * 1000);
    for (const folder of [old, living]) utimesSync(folder ?? "", longAgo, longAgo);
    await openBench().shell("true");
    expect([old, young, living].map((folder) => existsSync(folder ?? ""))).toEqual([false, true, true]);
  });

  test("caches that lie in the home folder move to the temporary one, unless they may be written", async () => {
    const cache = join(openBench().outside, "cache");
    const before = process.env.npm_config_cache;
    process.env.npm_config_cache = cache;
    onTestFinished(() => {
      process.env.npm_config_cache = before;
      if (before === undefined) delete process.env.npm_config_cache;
    });
    const line = "npm config get cache";
    expect((await openBench().shell(line)).content).toMatch(/^\/tmp\/\.cache\/npm_config_cache\n/);
    const { content } = await openBench({ extraWritable: [cache] }).shell(line);
    expect(content.startsWith(cache)).toBe(true);
  });

  test("a workspace below the temporary folder", async () => {
    const { workspace, outside, shell } = openBench({}, tempParent());
    expect((await shell(`pwd; touch x; ls ${outside}`)).content).toMatch(/^\/tmp\/.*\/ws\nls: cannot access/);
    expect(readdirSync(workspace)).toEqual(["x"]);
  });

  test("extra folders, those granted later, and none that is missing", async () => {
    const bench = openBench({ extraWritable: ["../out", "../missing"] });
    await bench.shell(`touch ${bench.outside}/x`);
    expect(readdirSync(bench.outside)).toEqual(["x"]);
    const late = join(bench.outside, "../late");
    mkdirSync(late);
    expect((await bench.shell(`touch ${late}/x`)).status).toBe("error");
    bench.roots.grant(late, true);
    expect((await bench.shell(`touch ${late}/x`)).status).toBe("ok");
  });

  test("a granted folder below the temporary folder is seen; read-only when granted so", async () => {
    const { roots, shell } = openBench();
    const folder = tempParent();
    writeFileSync(join(folder, "f"), "seen");
    expect((await shell(`cat ${folder}/f`)).status).toBe("error");
    roots.grant(folder, false);
    expect((await shell(`cat ${folder}/f; touch ${folder}/g`)).content).toMatch(/^seen.*Read-only file system/s);
  });
});

describe("files that make programs run code", () => {
  test("a commit is made; hooks and settings stay", async () => {
    const { workspace, shell } = openRepository();
    const config = readFileSync(join(workspace, ".git/config"), "utf8");
    const commit =
      "touch f && git add f && git -c user.name=n -c user.email=e@x commit -qm made && git log --format=%s";
    expect((await shell(commit)).content).toMatch(/^made\n\[exit 0/);
    const attempts = [
      "git config core.fsmonitor ./x",
      "mv .git .git2",
      "rm -rf .git/hooks",
      "echo x > .git/hooks/pre-commit",
      "mv .git/config .git/c",
      "ln -sf /tmp/c .git/config",
    ];
    for (const attempt of attempts) expect.soft(await shell(attempt), attempt).toMatchObject({ status: "error" });
    expect(readFileSync(join(workspace, ".git/config"), "utf8")).toBe(config);
    expect(existsSync(join(workspace, ".git2"))).toBe(false);
    await shell("echo /tmp > .git/commondir");
    expect(existsSync(join(workspace, ".git/commondir"))).toBe(false);
    expect(git(workspace, "log", "--format=%s")).toBe("made\n");
  });

  test.each([".vscode/tasks.json", ".idea/x.xml", ".agent/mcp.json", ".agent/config.json"])(
    "%s is neither changed nor made, and nothing is left behind",
    async (path) => {
      const { workspace, shell } = openBench();
      const folder = path.split("/")[0] ?? "";
      writeFileSync(join(workspace, "f"), "");
      expect((await shell(`mkdir -p ${folder}; echo PWN > ${path}`)).content).toMatch(/Read-only file system/);
      expect((await shell(`rmdir ${folder}; mv ${folder} x`)).status).toBe("error");
      expect(readdirSync(workspace)).toEqual(["f"]);
      mkdirSync(join(workspace, folder));
      writeFileSync(join(workspace, path), "mine");
      expect((await shell(`echo PWN > ${path}; mv ${folder} x; rm -rf ${folder}`)).status).toBe("error");
      expect(readFileSync(join(workspace, path), "utf8")).toBe("mine");
    },
  );

  test("what our own mount left is taken away only after the last command, and never a folder in use", async () => {
    const { workspace, shell, call } = openBench();
    writeFileSync(join(workspace, "f"), "");
    await shell("sleep 60", { background: true });
    expect((await shell("touch .vscode/x")).status).toBe("error");
    expect(readdirSync(workspace)).toContain(".vscode");
    writeFileSync(join(workspace, ".idea", "mine"), "");
    await call("shell_task_kill", { task_id: "sh_1" });
    expect(readdirSync(workspace)).toEqual([".idea", "f"]);
  });

  test("our own settings, where the workspace holds them", async () => {
    const bench = openBench();
    const settings = join(bench.workspace, ".zqagent");
    mkdirSync(settings);
    bench.plan.readOnly.push(settings);
    expect((await bench.shell("touch .zqagent/config.json")).content).toMatch(/Read-only file system/);
    expect((await bench.shell("mv .zqagent z")).content).toMatch(/busy/);
  });

  test("commits in a linked work tree; a planted one opens nothing", async () => {
    const { workspace, outside, shell } = openBench();
    const main = join(outside, "main");
    mkdirSync(main);
    git(main, "init", "-q");
    git(main, "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", "first");
    git(main, "worktree", "add", "-q", "--force", join(workspace, "linked"));
    const linked = openLinked(join(workspace, "linked"));
    const commit = "git -c user.name=n -c user.email=e@x commit -q --allow-empty -m second; git config a.b c";
    expect((await linked(commit)).text).toMatch(/could not (lock|write) config/);
    expect(git(join(workspace, "linked"), "log", "--format=%s")).toBe("second\nfirst\n");
    mkdirSync(join(outside, "worktrees/x"), { recursive: true });
    await shell(`echo "gitdir: ${outside}/worktrees/x" > .git`);
    expect((await shell(`touch ${outside}/PWN`)).status).toBe("error");
  });
});

/** Runs a line as a command of another workspace. */
function openLinked(workspace: string) {
  const { plan } = openBench();
  return async (line: string) => {
    const of = { ...plan, workspace };
    return runNow([plan.program, ...buildBwrapArgs(of), "--", "sh", "-c", line], workspace);
  };
}

describe("the network", () => {
  const connect = (port: number) =>
    `node -e 'require("net").connect(${port},"127.0.0.1").on("connect",()=>{console.log("in");process.exit()}).on("error",e=>console.log(e.code))'`;

  test("is on by default and off where the setting says so", async () => {
    const server = await listen(0);
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    expect((await openBench().shell(connect(port))).content).toMatch(/^in/);
    expect((await openBench({ network: false }).shell(connect(port))).content).toMatch(/^(ECONNREFUSED|ENETUNREACH)/);
    server.close();
  });
});

describe("processes", () => {
  test("what a command left running ends with it, and the model is told", async () => {
    const { workspace, shell } = openBench();
    const line = `setsid nohup sh -c 'sleep 71; : ${workspace}' > /dev/null 2>&1 & sleep 72 & echo started`;
    expect((await shell(line)).content).toMatch(
      /^started\n\[a background process was ended with the command; use background\]\n\[exit 0/,
    );
    expect(processesWith(workspace)).toEqual([]);
  });

  test.each(["yes | head -1", "cat <(echo y)", "sleep 0.05 & echo y"])(
    "nothing is said of one that just ends: %s",
    async (line) => {
      expect((await openBench().shell(line)).content).toMatch(/^y\n\[exit 0/);
    },
  );

  test("a background task keeps its sandbox until it is stopped", async () => {
    const { workspace, outside, shell, call } = openBench();
    const line = `touch ${outside}/x; sh -c 'sleep 73; : ${workspace}' & echo up; sleep 74`;
    expect((await shell(line, { background: true })).content).toMatch(/Started sh_1/);
    await shell("true");
    expect(processesWith(workspace)).not.toEqual([]);
    expect((await call("shell_task_output", { task_id: "sh_1", from_start: true })).content).toMatch(/Read-only/);
    await call("shell_task_kill", { task_id: "sh_1" });
    expect(processesWith(workspace)).toEqual([]);
  });

  const trees: [string, string][] = [
    ["a child in the background", "sh -c 'sleep 75; : DIR' & touch up; sleep 76"],
    ["one that left the group", "setsid nohup sh -c 'sleep 77; : DIR' & touch up; sleep 78"],
    ["one that ignores TERM", "trap '' TERM; sh -c 'trap \"\" TERM; sleep 79; : DIR' & touch up; sleep 80"],
    ["one without our marker", "env -i setsid sh -c 'sleep 81; : DIR' & touch up; sleep 82"],
  ];
  test.each(trees)("an interrupt ends all: %s", async (_name, line) => {
    const { workspace, shell } = openBench();
    const stop = new AbortController();
    const result = shell(line.replace("DIR", workspace), {}, stop.signal);
    await appears(join(workspace, "up"));
    stop.abort();
    expect(await result).toMatchObject({ status: "interrupted" });
    expect(processesWith(workspace)).toEqual([]);
  });

  test("an interrupted command may tidy up first", async () => {
    const { workspace, shell } = openBench();
    const stop = new AbortController();
    const result = shell("trap 'touch tidied; exit' TERM; touch up; while :; do sleep 0.05; done", {}, stop.signal);
    await appears(join(workspace, "up"));
    stop.abort();
    await result;
    expect(readdirSync(workspace)).toContain("tidied");
  });

  test("codes and signals are told as they are", async () => {
    const { shell } = openBench();
    expect((await shell("exit 7")).content).toMatch(/\[exit 7/);
    expect((await shell("kill -SEGV $$")).content).toMatch(/\[exit 139/);
    expect((await shell("nonsense-program")).content).toMatch(/not found\n\[exit 127/);
  });
});

describe("as another user than root", () => {
  beforeEach((ctx) => ctx.skip(process.getuid?.() !== 0, "skipped: only root can become another user"));

  test("the same holds", () => {
    const { plan, workspace, outside } = openBench({}, tempParent("/var/tmp"));
    for (const folder of [workspace, outside, join(workspace, "../.."), join(workspace, "..")])
      chmodSync(folder, 0o777);
    const as = (line: string) => {
      const who = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
      return runNow([...who, plan.program, ...buildBwrapArgs(plan), "--", "sh", "-c", line], workspace);
    };
    expect(as("id -u; echo hi > f; cat f").text).toBe("65534\nhi\n");
    expect(as(`echo PWN > ${outside}/x`).text).toMatch(/Read-only file system/);
    expect(as(`mount -o remount,rw,bind /; unshare -Urm mount -o remount,rw /; touch ${outside}/x`).status).not.toBe(0);
    expect(as(`kill -9 ${process.pid}`).text).toMatch(/No such process/);
    expect(readdirSync(outside)).toEqual([]);
  });
});

async function listen(where: string | number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) =>
    typeof where === "string" ? server.listen(where, resolve) : server.listen(where, "127.0.0.1", resolve),
  );
  onTestFinished(() => void server.close());
  return server;
}

async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 10));
}

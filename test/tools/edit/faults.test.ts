/** What goes wrong on the disk: the call fails with a reason, and every file is as it was. */

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { afterEach, describe, expect, it } from "vitest";
import { createBench, type EditBench, listing } from "./support";

const isRoot = process.getuid?.() === 0;
const undo: (() => void)[] = [];
const run = (command: string) => execFileSync("bash", ["-c", command], { stdio: "ignore" });

afterEach(() => {
  for (const step of undo.splice(0).reverse()) step();
});

function newBench(parent?: string): EditBench {
  const bench = createBench(parent === undefined ? {} : { parent });
  undo.push(() => bench.remove());
  return bench;
}

/** Mounts a small file system; undefined where that is not allowed. */
function mountTmpfs(options: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-mount-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  try {
    run(`mount -t tmpfs -o ${options} tmpfs ${folder}`);
  } catch {
    return undefined;
  }
  undo.push(() => run(`umount -l ${folder}`));
  return folder;
}

/** Runs `work` without root's privileges. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  process.setegid?.(65534);
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

const twoFiles =
  "*** Begin Patch\n*** Update File: a\n@@\n-one\n+ONE\n*** Update File: d/b\n@@\n-two\n+TWO\n*** End Patch";

describe("disk full", () => {
  it("keeps the old content and leaves no temporary file", async (context) => {
    const disk = mountTmpfs("size=128k");
    if (!disk) return context.skip("needs the right to mount a tmpfs");
    const bench = newBench(disk);
    bench.write("f", "start\n");
    await bench.read("f");
    bench.write("g", "g\n");
    const before = listing(bench.outer);
    const write = await bench.call("write_file", { path: "f", content: `${"x".repeat(200_000)}\n` });
    expect(write).toMatchObject({ status: "error", content: expect.stringMatching(/disk is full.*ENOSPC/) });
    const patch = `*** Begin Patch\n*** Update File: g\n@@\n-g\n+G\n*** Add File: n/h\n+${"y".repeat(200_000)}\n*** End Patch`;
    const several = await bench.call("apply_patch", { patch });
    expect(several).toMatchObject({ status: "error", content: expect.stringMatching(/n\/h.*disk is full/) });
    expect(listing(bench.outer)).toEqual(before);
  });
});

describe("read-only", () => {
  it("says that the file system is read-only", async (context) => {
    const disk = mountTmpfs("size=1m");
    if (!disk) return context.skip("needs the right to mount a tmpfs");
    const bench = newBench(disk);
    bench.write("f", "one\n");
    run(`mount -o remount,ro ${disk}`);
    undo.push(() => run(`mount -o remount,rw ${disk}`));
    const edit = await bench.call("replace_in_file", { path: "f", old_string: "one", new_string: "two" });
    expect(edit).toMatchObject({ status: "error", content: expect.stringMatching(/f: the file system is read-only/) });
    const fresh = await bench.call("write_file", { path: "a/b/c", content: "x" });
    expect(fresh).toMatchObject({ status: "error", content: expect.stringMatching(/read-only/) });
    expect(bench.text("f")).toBe("one\n");
  });

  it("respects a folder and a file without write permission", async (context) => {
    if (!isRoot) return context.skip("needs root, to become another user");
    const bench = newBench();
    bench.write("d/f", "one\n");
    bench.write("locked", "one\n");
    chmodSync(bench.outer, 0o755);
    chownSync(bench.workspace, 65534, 65534);
    chownSync(bench.path("locked"), 65534, 65534);
    chmodSync(bench.path("locked"), 0o444);
    chmodSync(bench.path("d"), 0o555);
    const before = listing(bench.outer);
    const calls = [
      ["replace_in_file", { path: "d/f", old_string: "one", new_string: "two" }],
      ["write_file", { path: "d/new", content: "x" }],
      ["apply_patch", { patch: "*** Begin Patch\n*** Delete File: d/f\n*** End Patch" }],
      ["replace_in_file", { path: "locked", old_string: "one", new_string: "two" }],
    ] as const;
    for (const [tool, args] of calls) {
      const result = await asNobody(() => bench.call(tool, args));
      expect(result).toMatchObject({ status: "error", content: expect.stringMatching(/permission denied|read-only/) });
    }
    expect(listing(bench.outer)).toEqual(before);
  });
});

describe("too many open files", () => {
  it("fails with the reason and works again afterwards", async (context) => {
    const limit = (value: string) => run(`prlimit --pid ${process.pid} --nofile=${value}`);
    const old = /(\d+) +(\d+)/.exec(readFileSync("/proc/self/limits", "utf8").split("Max open files")[1] ?? "");
    try {
      limit(`300:${old?.[2]}`);
    } catch {
      return context.skip("needs prlimit");
    }
    undo.push(() => limit(`${old?.[1]}:${old?.[2]}`));
    const bench = newBench();
    bench.write("f", "one\n");
    const before = listing(bench.outer);
    const held: number[] = [];
    try {
      for (;;) held.push(openSync("/dev/null", "r"));
    } catch {}
    const edit = () => bench.call("replace_in_file", { path: "f", old_string: "one", new_string: "two" });
    const failed = await edit();
    for (const descriptor of held) closeSync(descriptor);
    expect(failed).toMatchObject({ status: "error", content: expect.stringMatching(/too many open files/) });
    expect(listing(bench.outer)).toEqual(before);
    expect(await edit()).toMatchObject({ status: "ok" });
  });
});

describe("permission lost in the middle of a patch", () => {
  it("puts the files back that were written before", async (context) => {
    if (!isRoot) return context.skip("needs root, to become another user");
    const bench = newBench();
    bench.write("a", "one\n", 0o640);
    bench.write("d/b", "two\n", 0o666);
    chmodSync(bench.outer, 0o755);
    for (const name of ["", "a"]) chownSync(join(bench.workspace, name), 65534, 65534);
    // In a sticky folder anybody may make files, but not replace those of others: staging works, the rename does not.
    chmodSync(bench.path("d"), 0o1777);
    const before = listing(bench.workspace, false);
    const result = await asNobody(() => bench.call("apply_patch", { patch: twoFiles }));
    expect(result).toMatchObject({ status: "error", content: expect.stringMatching(/d\/b.*not permitted/) });
    expect(listing(bench.workspace, false)).toEqual(before);
  });

  it("takes new files and folders away, and brings moved and deleted ones back", async (context) => {
    if (!isRoot) return context.skip("needs root, to become another user");
    const bench = newBench();
    for (const name of ["gone", "moved", "edited"]) bench.write(name, `${name}\n`);
    bench.write("d/b", "two\n", 0o666);
    chmodSync(bench.outer, 0o755);
    for (const name of ["", "gone", "moved", "edited"]) chownSync(join(bench.workspace, name), 65534, 65534);
    chmodSync(bench.path("d"), 0o1777);
    const before = listing(bench.workspace, false);
    const patch = [
      "*** Begin Patch",
      "*** Add File: x/y/new",
      "+new",
      "*** Update File: moved",
      "*** Move to: z/moved",
      "*** Update File: edited",
      "*** Move to: z/edited",
      "@@",
      "-edited",
      "+EDITED",
      "*** Delete File: gone",
      "*** Delete File: d/b",
      "*** End Patch",
    ].join("\n");
    const result = await asNobody(() => bench.call("apply_patch", { patch }));
    expect(result).toMatchObject({ status: "error", content: expect.stringMatching(/Cannot delete d\/b/) });
    expect(listing(bench.workspace, false)).toEqual(before);
  });
});

/** A context whose look at the signal, the last step before the writing, lets another program act. */
function meanwhile(act: () => void): { signal: AbortSignal } {
  const signal = new AbortController().signal;
  return {
    signal: new Proxy(signal, {
      get: (target, key) => {
        if (key === "aborted") act();
        return Reflect.get(target, key, target);
      },
    }),
  };
}

describe("another program, between read and write", () => {
  const edit = { path: "f", old_string: "one", new_string: "two" };

  it("changes the file: its change stays and the call fails", async () => {
    const bench = newBench();
    bench.write("f", "one\n");
    const result = await bench.call(
      "replace_in_file",
      edit,
      meanwhile(() => bench.write("f", "theirs\n")),
    );
    expect(result).toMatchObject({ status: "error", content: expect.stringMatching(/changed on disk/) });
    expect(bench.text("f")).toBe("theirs\n");
    expect(readdirSync(bench.workspace)).toEqual(["f"]);
  });

  it("deletes the file: it is not made again", async () => {
    const bench = newBench();
    bench.write("f", "one\n");
    const result = await bench.call(
      "replace_in_file",
      edit,
      meanwhile(() => rmSync(bench.path("f"))),
    );
    expect(result.status).toBe("error");
    expect(readdirSync(bench.workspace)).toEqual([]);
  });

  it("makes a file where a new one should come: it is not written over", async () => {
    const bench = newBench();
    const theirs = meanwhile(() => bench.write("n", "theirs\n"));
    const result = await bench.call("write_file", { path: "n", content: "ours\n" }, theirs);
    expect(result.status).toBe("error");
    expect(bench.text("n")).toBe("theirs\n");
  });

  it("changes the second file of a patch: the first is put back", async () => {
    const bench = newBench();
    bench.write("a", "one\n");
    bench.write("d/b", "two\n");
    const result = await bench.call(
      "apply_patch",
      { patch: twoFiles },
      meanwhile(() => bench.write("d/b", "theirs\n")),
    );
    expect(result.status).toBe("error");
    expect(bench.text("a")).toBe("one\n");
    expect(bench.text("d/b")).toBe("theirs\n");
  });

  it("swaps the folder for a link: nothing is written through it", async () => {
    const bench = newBench();
    const out = join(bench.outer, "out");
    mkdirSync(out);
    bench.write("d/f", "one\n");
    const swap = meanwhile(() =>
      execFileSync("bash", ["-c", `mv d d2; ln -s ${JSON.stringify(out)} d`], { cwd: bench.workspace }),
    );
    const result = await bench.call("replace_in_file", { ...edit, path: "d/f" }, swap);
    expect(result).toMatchObject({ status: "error", content: expect.stringMatching(/moved or replaced/) });
    expect(readdirSync(out)).toEqual([]);
    expect(bench.text("d2/f")).toBe("one\n");
  });
});

describe("killed", () => {
  const setup = async (): Promise<string> => {
    const folder = mkdtempSync(join(tmpdir(), "zqagent-kill-"));
    undo.push(() => rmSync(folder, { recursive: true, force: true }));
    const entry = join(import.meta.dirname, "../../../src/shared/stagedFile.ts");
    await build({
      configFile: false,
      logLevel: "silent",
      build: { ssr: entry, outDir: join(folder, "js"), target: "node20" },
    });
    writeFileSync(join(folder, "f"), "old ".repeat(50_000));
    return folder;
  };
  const child = async (folder: string, script: string, onReady?: (kill: () => void) => void) => {
    const module = pathToFileURL(join(folder, "js", readdirSync(join(folder, "js"))[0] ?? "")).href;
    const head = `import { stageFile } from ${JSON.stringify(module)};\nconst path = ${JSON.stringify(join(folder, "f"))};\n`;
    writeFileSync(join(folder, "run.mjs"), head + script);
    const running = spawn(process.execPath, [join(folder, "run.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
    running.stdout.once("data", () => onReady?.(() => running.kill("SIGKILL")));
    await once(running, "exit");
  };

  it("between temporary file and rename leaves the old file whole, and the next edit works", async () => {
    const folder = await setup();
    await child(
      folder,
      'await stageFile({ path, chunks: [Buffer.from("new")] });\nprocess.kill(process.pid, "SIGKILL");\n',
    );
    expect(readFileSync(join(folder, "f"), "utf8")).toBe("old ".repeat(50_000));
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toHaveLength(1);
    await child(
      folder,
      'const staged = await stageFile({ path, chunks: [Buffer.from("new")] });\nawait staged.commit();\nawait staged.discard();\n',
    );
    expect(readFileSync(join(folder, "f"), "utf8")).toBe("new");
  });

  it("at any moment leaves the old or the new content whole", async () => {
    const folder = await setup();
    const loop = `process.stdout.write("ready");
for (let n = 0; ; n++) {
  const staged = await stageFile({ path, chunks: [Buffer.from((n % 2 ? "one " : "two ").repeat(50_000))] });
  await staged.commit();
  await staged.discard();
}
`;
    for (let round = 0; round < 12; round++) {
      await child(folder, loop, (kill) => setTimeout(kill, 1 + round * 3));
      expect(readFileSync(join(folder, "f"), "utf8")).toMatch(/^(?:(?:old ){50000}|(?:one ){50000}|(?:two ){50000})$/);
    }
  });
});

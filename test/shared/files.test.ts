/** Reading regular files only, and writing them whole or not at all. */

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileErrorReason } from "../../src/shared/fileStamps";
import { readRegularFile, writeFileAtomic, writeFileAtomicSync } from "../../src/shared/files";
import { makeFolders, pinFolder, removeFolders } from "../../src/shared/pinnedFolder";
import { stageFile } from "../../src/shared/stagedFile";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zqagent-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const run = (command: string) => execFileSync("bash", ["-c", command], { cwd: folder });

describe("readRegularFile", () => {
  it("reads bytes of any kind, and empty files", async () => {
    writeFileSync(at("f"), Buffer.from([0, 255, 10]));
    writeFileSync(at("empty"), "");
    expect((await readRegularFile(at("f"))).bytes.toString("hex")).toBe("00ff0a");
    expect((await readRegularFile(at("empty"))).bytes).toHaveLength(0);
  });

  it("reads files whose size the system does not tell", async () => {
    expect((await readRegularFile("/proc/self/status")).bytes.toString()).toMatch(/^Name:/);
  });

  it("refuses a pipe, a device, a socket and a folder at once", async () => {
    run("mkfifo pipe");
    symlinkSync("/dev/zero", at("zero"));
    const server = createServer().listen(at("socket"));
    for (const name of ["pipe", "zero", "socket"]) {
      await expect(readRegularFile(at(name)), name).rejects.toMatchObject({ code: "NotRegularFile" });
    }
    await expect(readRegularFile(folder)).rejects.toMatchObject({ code: "IsDirectory" });
    await expect(readRegularFile(at("none"))).rejects.toMatchObject({ code: "ENOENT" });
    server.close();
  });

  it("refuses what is over the limit without reading it", async () => {
    run("truncate -s 3G big");
    await expect(readRegularFile(at("big"), 1000)).rejects.toMatchObject({ code: "FileTooLarge" });
  });
});

describe("writeFileAtomic", () => {
  it("makes folders, gives a new file its mode, and keeps an old one's", async () => {
    await writeFileAtomic(at("a/b/f"), "one", { mode: 0o600 });
    expect(statSync(at("a/b/f")).mode & 0o777).toBe(0o600);
    chmodSync(at("a/b/f"), 0o751);
    await writeFileAtomic(at("a/b/f"), "two", { mode: 0o600 });
    expect(statSync(at("a/b/f")).mode & 0o777).toBe(0o751);
    expect(readFileSync(at("a/b/f"), "utf8")).toBe("two");
    expect(readdirSync(at("a/b"))).toEqual(["f"]);
  });

  it("follows a link, and makes the target of a dangling one", async () => {
    writeFileSync(at("real"), "one");
    symlinkSync("real", at("link"));
    symlinkSync("later", at("dangling"));
    await writeFileAtomic(at("link"), "two");
    await writeFileAtomic(at("dangling"), "new");
    expect([readFileSync(at("real"), "utf8"), readFileSync(at("later"), "utf8")]).toEqual(["two", "new"]);
    expect(lstatSync(at("link")).isSymbolicLink() && lstatSync(at("dangling")).isSymbolicLink()).toBe(true);
  });

  it("breaks a hard link instead of writing through it", async () => {
    writeFileSync(at("one"), "old");
    linkSync(at("one"), at("two"));
    await writeFileAtomic(at("one"), "new");
    expect(readFileSync(at("two"), "utf8")).toBe("old");
  });

  it("keeps the owner where it may", async (context) => {
    if (process.getuid?.() !== 0) return context.skip("needs root");
    writeFileSync(at("f"), "old");
    run("chown 65534:65534 f");
    await writeFileAtomic(at("f"), "new");
    expect(statSync(at("f"))).toMatchObject({ uid: 65534, gid: 65534 });
  });

  it("refuses a folder in the file's place and a file in a folder's", async () => {
    mkdirSync(at("d"));
    writeFileSync(at("f"), "");
    await expect(writeFileAtomic(at("d"), "x")).rejects.toThrow(/not a regular file/);
    await expect(writeFileAtomic(at("f/x"), "x")).rejects.toMatchObject({ code: "ENOTDIR" });
    expect(readdirSync(folder).sort()).toEqual(["d", "f"]);
  });

  it("has a synchronous form for small files of our own", () => {
    writeFileSync(at("f"), "old", { mode: 0o644 });
    writeFileAtomicSync(at("f"), "new");
    expect(readFileSync(at("f"), "utf8")).toBe("new");
    expect(statSync(at("f")).mode & 0o777).toBe(0o600);
    expect(() => writeFileAtomicSync(at("none/f"), "x")).toThrow(/ENOENT/);
  });
});

describe("stageFile", () => {
  it("changes nothing until it is committed, and nothing when it is discarded", async () => {
    writeFileSync(at("f"), "old");
    const staged = await stageFile({ path: at("f"), chunks: [Buffer.from("n"), Buffer.from("ew")] });
    const second = await stageFile({ path: at("x/y/f"), chunks: [] });
    expect(readFileSync(at("f"), "utf8")).toBe("old");
    expect(second.madeFolders).toEqual([at("x"), at("x/y")]);
    await second.discard();
    await staged.commit();
    await staged.discard();
    expect(readFileSync(at("f"), "utf8")).toBe("new");
    expect(readdirSync(folder)).toEqual(["f"]);
  });

  it("never uses a temporary file that is there", async () => {
    mkdirSync(at("out"));
    for (const name of [".zqagent-.tmp", ".f.tmp", "f.tmp"]) symlinkSync(at("out/t"), at(name));
    await writeFileAtomic(at("f"), "x");
    expect(readdirSync(at("out"))).toEqual([]);
  });
});

describe("pinFolder", () => {
  it("stays in the folder though its name leads elsewhere meanwhile", async () => {
    mkdirSync(at("d"));
    mkdirSync(at("out"));
    const pinned = await pinFolder(at("d"));
    run("mv d d2 && ln -s out d");
    if (process.platform === "linux") writeFileSync(pinned.entry("f"), "x");
    await pinned.close();
    expect(readdirSync(at("out"))).toEqual([]);
    await expect(pinFolder(at("d"))).rejects.toMatchObject({ code: "PathMoved" });
  });

  it("refuses a path that leads through a link", async () => {
    mkdirSync(at("real/sub"), { recursive: true });
    symlinkSync("real", at("link"));
    await expect(pinFolder(at("link/sub"))).rejects.toMatchObject({ code: "PathMoved" });
  });

  it("takes back only folders that are empty", async () => {
    const made = await makeFolders(at("a/b/c"));
    writeFileSync(at("a/f"), "");
    await removeFolders(made);
    expect(readdirSync(at("a"))).toEqual(["f"]);
  });
});

describe("fileErrorReason", () => {
  it.each([
    ["ENOSPC", "the disk is full (ENOSPC)"],
    ["EROFS", "the file system is read-only (EROFS)"],
    ["EWHATEVER", "boom"],
  ])("says %s in words", (code, words) => {
    expect(fileErrorReason(Object.assign(new Error("boom"), { code }))).toBe(words);
  });
});

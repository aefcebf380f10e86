/** What a killed process leaves beside a file: swept by the next write in the folder, never a stranger's file. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { writeFileAtomic } from "../../src/shared/files";
import { isTemporaryName, TEMPORARY_GLOB, temporaryName } from "../../src/shared/temporaryFiles";
import { buildGlobFilter } from "../../src/tools/glob";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-sweep-"));
  made.push(folder);
  return folder;
}

/** A process that is over. */
function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

const tail = "0123456789abcdef01";
const anHourAgo = new Date(Date.now() - 3_600_000);

function put(folder: string, name: string, isOld = true): void {
  writeFileSync(join(folder, name), "left");
  if (isOld) utimesSync(join(folder, name), anHourAgo, anHourAgo);
}

it("goes with the next write when its process is dead and it is old", async () => {
  const folder = newFolder();
  put(folder, `.zqagent-${deadPid()}-${tail}.tmp`);
  await writeFileAtomic(join(folder, "f"), "x");
  expect(readdirSync(folder)).toEqual(["f"]);
});

it("stays while it is young, and goes later", async () => {
  const folder = newFolder();
  const name = `.zqagent-${deadPid()}-${tail}.tmp`;
  put(folder, name, false);
  await writeFileAtomic(join(folder, "f"), "x");
  expect(readdirSync(folder)).toEqual([name, "f"]);
  utimesSync(join(folder, name), anHourAgo, anHourAgo);
  await writeFileAtomic(join(folder, "f"), "y");
  expect(readdirSync(folder)).toEqual(["f"]);
});

it("stays where it may be another's", async () => {
  const folder = newFolder();
  const dead = deadPid();
  const kept = [
    `.zqagent-${process.pid}-${tail}.tmp`,
    `.zqagent-${process.ppid}-${tail}.tmp`,
    `.zqagent-${tail}.tmp`,
    `.zqagent-${dead}-notes.tmp`,
    `.zqagent-${dead}-${tail}.tmp.bak`,
    `zqagent-${dead}-${tail}.tmp`,
    ".zqagent.tmp",
  ];
  for (const name of kept) put(folder, name);
  mkdirSync(join(folder, `.zqagent-${dead}-${tail.replace("0", "1")}.tmp`));
  symlinkSync("f", join(folder, `.zqagent-${dead}-${tail.replace("0", "2")}.tmp`));
  await writeFileAtomic(join(folder, "f"), "x");
  expect(readdirSync(folder)).toHaveLength(kept.length + 3);
});

it("is known by its name, in the same way as a glob, to git and to us", async () => {
  const filter = await buildGlobFilter(TEMPORARY_GLOB);
  const names = [temporaryName(), ".zqagent-1-a-b.tmp", ".zqagent-x-1.tmp", ".zqagent-1.tmp", "zqagent-1-a.tmp"];
  const folder = newFolder();
  for (const name of names) writeFileSync(join(folder, name), "");
  execFileSync("git", ["init", "-q"], { cwd: folder });
  const listed = execFileSync("git", ["ls-files", "-o", `--exclude=${TEMPORARY_GLOB}`], {
    cwd: folder,
    encoding: "utf8",
  });
  for (const name of names) {
    expect(filter(name, name), name).toBe(isTemporaryName(name));
    expect(!listed.split("\n").includes(name), name).toBe(isTemporaryName(name));
  }
  expect(names.filter(isTemporaryName)).toHaveLength(2);
});

/** A file that only grows, on disks that fill up, vanish and come back. */
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppendLog } from "../../src/hooks/AppendLog";

function place(): { dir: string; path: string; outcomes: unknown[]; log: AppendLog } {
  const dir = mkdtempSync(join(tmpdir(), "zqagent-append-"));
  const path = join(dir, "a", "b", "log");
  const outcomes: unknown[] = [];
  return { dir, path, outcomes, log: new AppendLog(path, (error) => outcomes.push(error)) };
}

test("each line is there when append returns, and its length is known", () => {
  const { path, log, outcomes } = place();
  expect(log.length).toBe(0);
  log.append("one");
  expect(readFileSync(path, "utf8")).toBe("one\n");
  log.append("zwei ü");
  expect(readFileSync(path, "utf8")).toBe("one\nzwei ü\n");
  expect(log.length).toBe(statSync(path).size);
  expect(outcomes).toEqual([undefined, undefined]);
});

test("a torn last line is finished first; closing and opening again changes nothing else", () => {
  const { path, log } = place();
  log.append("one");
  log.close();
  appendFileSync(path, "torn");
  log.append("two");
  log.close();
  log.close();
  log.append("three");
  expect(readFileSync(path, "utf8")).toBe("one\ntorn\ntwo\nthree\n");
  expect(log.length).toBe(statSync(path).size);
});

test("lines wait in order while there is no place for them", () => {
  const { dir, path, log, outcomes } = place();
  writeFileSync(join(dir, "a"), "in the way");
  log.append("one");
  log.append("two");
  expect(outcomes.map(Boolean)).toEqual([true, true]);
  renameSync(join(dir, "a"), join(dir, "moved"));
  log.append("three");
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
});

test("what waits is bounded: the oldest lines are given up, the newest stay", () => {
  const { dir, path, log } = place();
  writeFileSync(join(dir, "a"), "in the way");
  for (let n = 0; n < 40; n++) log.append(String(n % 10).repeat(1 << 20));
  rmSync(join(dir, "a"));
  log.append("last");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.at(-1)).toBe("last");
  expect(lines.at(-2)).toBe("9".repeat(1 << 20));
  expect(lines.length).toBeLessThan(20);
});

test.skipIf(process.platform === "win32")("a file that others could read is closed to them", () => {
  const { path, log } = place();
  log.append("one");
  log.close();
  chmodSync(path, 0o644);
  log.append("two");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("closing while a sync is under way is safe", async () => {
  const { path, log, outcomes } = place();
  for (let round = 0; round < 20; round++) {
    log.append(`line ${round}`);
    log.sync();
    log.sync();
    log.close();
  }
  log.append("end");
  log.syncNow();
  // The syncs that still run report their failures, if there are any, before a later task of the same pool.
  await new Promise<void>((resolve) => import("node:fs").then((fs) => fs.stat(path, () => resolve())));
  expect(outcomes.filter(Boolean)).toEqual([]);
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(22);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionHeldError, takeSessionLock } from "../../src/sessions/sessionLock";

const folder = () => mkdtempSync(join(tmpdir(), "zqagent-lock-"));
const ID = "20261201-120000-abcd";

test("a second taker is told who holds it", () => {
  const place = folder();
  takeSessionLock(place, ID);
  try {
    takeSessionLock(place, ID);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(SessionHeldError);
    expect((error as SessionHeldError).holder.pid).toBe(process.pid);
  }
});

test("released, it can be taken again, and nothing is left behind", () => {
  const place = folder();
  takeSessionLock(place, ID).release();
  takeSessionLock(place, ID).release();
  expect(readdirSync(place)).toEqual([]);
});

test("a dead holder is succeeded", async () => {
  const place = folder();
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  writeFileSync(
    join(place, "lock"),
    JSON.stringify({ pid: child.pid, host: hostname(), since: "2026-01-01T00:00:00Z" }),
  );
  const lock = takeSessionLock(place, ID);
  expect(JSON.parse(readFileSync(join(place, "lock"), "utf8")).pid).toBe(process.pid);
  lock.release();
});

test.runIf(process.platform === "linux")("a later process with the same pid is not the holder", () => {
  const place = folder();
  const holder = { pid: process.ppid, host: hostname(), since: "2026-01-01T00:00:00Z", began: "1" };
  writeFileSync(join(place, "lock"), JSON.stringify(holder));
  takeSessionLock(place, ID).release();
});

test("half a lock file, left by a crash, does not lock the session for ever", () => {
  const place = folder();
  writeFileSync(join(place, "lock"), '{"pid": 1');
  takeSessionLock(place, ID).release();
});

test("a holder on another machine counts as alive", () => {
  const place = folder();
  writeFileSync(join(place, "lock"), JSON.stringify({ pid: 1, host: "elsewhere", since: "2026-01-01T00:00:00Z" }));
  expect(() => takeSessionLock(place, ID)).toThrow(SessionHeldError);
});

test("releasing twice does not take the lock from a successor", () => {
  const place = folder();
  const first = takeSessionLock(place, ID);
  first.release();
  const later = { pid: process.pid, host: hostname(), since: "2099-01-01T00:00:00Z" };
  writeFileSync(join(place, "lock"), JSON.stringify(later));
  first.release();
  expect(readdirSync(place)).toEqual(["lock"]);
});

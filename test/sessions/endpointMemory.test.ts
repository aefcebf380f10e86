import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { EndpointKeeper, keepEndpoints, readEndpoints } from "../../src/sessions/endpointMemory";

const DAY = 24 * 3_600_000;

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-endpoints-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
const file = (folder: string) => join(folder, "endpoints.json");

describe("what endpoints taught", () => {
  test("comes back, from a file that only its owner reads", async () => {
    const place = home();
    const at = Date.now();
    await keepEndpoints(place, { "http://h m": { at, api: "chat", drop: ["temperature"] } });
    expect(readEndpoints(place)).toEqual({ "http://h m": { at, api: "chat", drop: ["temperature"] } });
    expect(statSync(file(place)).mode & 0o777).toBe(0o600);
    expect(readdirSync(place)).toEqual(["endpoints.json"]);
  });

  test("is forgotten after a week, on the next writing from the file too", async () => {
    const place = home();
    const now = Date.now();
    await keepEndpoints(place, { "http://h old": { at: now - 6 * DAY, api: "chat" } }, now);
    expect(Object.keys(readEndpoints(place, now))).toEqual(["http://h old"]);
    expect(readEndpoints(place, now + 2 * DAY)).toEqual({});
    await keepEndpoints(place, { "http://h new": { at: now + 2 * DAY, api: "chat" } }, now + 2 * DAY);
    expect(Object.keys(JSON.parse(readFileSync(file(place), "utf8")))).toEqual(["http://h new"]);
  });

  test("of two that know the same the newer one counts", async () => {
    const place = home();
    const at = Date.now();
    await keepEndpoints(place, { k: { at, api: "chat" } });
    await keepEndpoints(place, { k: { at: at - 1_000, ids: "nine" }, other: { at, images: false } });
    expect(readEndpoints(place)).toEqual({ k: { at, api: "chat" }, other: { at, images: false } });
  });

  test("is kept of all that write at the same time, in one process and in several", async () => {
    const place = home();
    const at = Date.now();
    await Promise.all(Array.from({ length: 20 }, (_, n) => keepEndpoints(place, { [`here ${n}`]: { at } })));
    const module = join(import.meta.dirname, "..", "..", "src", "sessions", "endpointMemory.ts");
    await Promise.all([0, 1, 2].map((n) => writer(module, place, n)));
    expect(Object.keys(readEndpoints(place))).toHaveLength(20 + 3 * 5);
    expect(readdirSync(place)).toEqual(["endpoints.json"]);
  });

  test.each([
    ["nothing", ""],
    ["half a file", '{"k": {"at": 1'],
    ["a list", "[1]"],
    ["null", "null"],
    ["binary", "\u0000\u0001"],
  ])("a file with %s counts as empty and is written anew", async (_, text) => {
    const place = home();
    writeFileSync(file(place), text);
    expect(readEndpoints(place)).toEqual({});
    await keepEndpoints(place, { k: { at: Date.now() } });
    expect(Object.keys(readEndpoints(place))).toEqual(["k"]);
  });

  test("entries that are not ours are left out", () => {
    const place = home();
    const at = Date.now();
    const table = {
      good: { at, drop: ["x"] },
      a: { at, drop: "x" },
      b: { at, api: "responses" },
      c: { api: "chat" },
      d: 5,
      e: { at, unknown: 1 },
    };
    writeFileSync(file(place), JSON.stringify(table));
    expect(Object.keys(readEndpoints(place))).toEqual(["good"]);
  });

  test("a lock that a dead process left does not last", async () => {
    const place = home();
    writeFileSync(`${file(place)}.lock`, "1");
    const { utimesSync } = await import("node:fs");
    utimesSync(`${file(place)}.lock`, new Date(0), new Date(0));
    await keepEndpoints(place, { k: { at: Date.now() } });
    expect(Object.keys(readEndpoints(place))).toEqual(["k"]);
  });

  test("a keeper writes only what is new, and never rejects", async () => {
    const place = home();
    const learned: Record<string, { at: number }> = {};
    const keeper = new EndpointKeeper(place, {
      get learned() {
        return { ...learned };
      },
    });
    await keeper.keep();
    expect(readdirSync(place)).toEqual([]);
    learned["k"] = { at: Date.now() };
    await keeper.keep();
    expect(Object.keys(readEndpoints(place))).toEqual(["k"]);
    rmSync(place, { recursive: true });
    learned["l"] = { at: Date.now() };
    await expect(keeper.keep()).resolves.toBeUndefined();
  });
});

/** Another process that keeps five lessons, one after the other. */
function writer(module: string, place: string, n: number): Promise<void> {
  const code = `
    const { runnerImport } = await import("vite");
    const { module } = await runnerImport(${JSON.stringify(module)}, { configFile: false, logLevel: "error" });
    for (let i = 0; i < 5; i++) await module.keepEndpoints(${JSON.stringify(place)}, { ["there ${n} " + i]: { at: Date.now() } });
    process.exit(0);`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd: join(import.meta.dirname, "..", ".."),
      stdio: "inherit",
    });
    child.on("close", (status) => (status === 0 ? resolve() : reject(new Error(`writer ended with ${status}`))));
  });
}

import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeUserConfig } from "../../src/cli/writeUserConfig";
import { textsFor } from "../../src/shared/locales";

const texts = textsFor("en");
const home = () => join(mkdtempSync(join(tmpdir(), "zqagent-config-")), "home");
const read = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as Record<string, unknown>;

test("the file is made for its owner alone, and other keys stay", async () => {
  const folder = home();
  await writeUserConfig(folder, { model: "one" }, texts);
  writeFileSync(join(folder, "config.json"), JSON.stringify({ ...read(folder), "a.newer.key": 1 }));
  await writeUserConfig(folder, { apiMode: "chat" }, texts);
  expect(read(folder)).toEqual({ model: "one", apiMode: "chat", "a.newer.key": 1 });
  expect([statSync(folder).mode & 0o777, statSync(join(folder, "config.json")).mode & 0o777]).toEqual([0o700, 0o600]);
});

test("writers at the same time lose nothing of each other's", async () => {
  const folder = home();
  const changes = [{ model: "m" }, { baseUrl: "http://h" }, { lang: "ja" }, { logDir: "l" }, { vcs: "off" as const }];
  await Promise.all(changes.map((change) => writeUserConfig(folder, change, texts)));
  expect(read(folder)).toEqual(Object.assign({}, ...changes));
});

test("a file that cannot be read is not overwritten", async () => {
  const folder = home();
  await writeUserConfig(folder, { model: "one" }, texts);
  writeFileSync(join(folder, "config.json"), "{ broken");
  await expect(writeUserConfig(folder, { model: "two" }, texts)).rejects.toThrow(/cannot be used/);
  expect(readFileSync(join(folder, "config.json"), "utf8")).toBe("{ broken");
});

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunOptions } from "../../src/cli/program";
import { resolveSettings } from "../../src/cli/settings";
import { UsageError } from "../../src/cli/usageError";

const folder = () => mkdtempSync(join(tmpdir(), "zqagent-settings-"));
const given = (options: Partial<RunOptions> = {}): RunOptions => ({
  prompt: "",
  print: false,
  continue: false,
  allow: [],
  outputFormat: "text",
  color: "auto",
  verbose: false,
  ...options,
});

function homeWith(config: string): NodeJS.ProcessEnv {
  const home = join(folder(), "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.json"), config);
  return { ZQAGENT_HOME: home };
}

describe("precedence", () => {
  const env = { ...homeWith('{"model": "from-file", "baseUrl": "http://file", "mode": "plan", "allow": ["ls"]}') };

  test("the file is used where nothing else is said", () => {
    expect(resolveSettings(given(), env)).toMatchObject({ model: "from-file", baseUrl: "http://file", mode: "plan" });
  });

  test("the environment wins over the file, a flag over both", () => {
    const both = { ...env, OPENAI_MODEL: "from-env", OPENAI_BASE_URL: "http://env" };
    expect(resolveSettings(given(), both)).toMatchObject({ model: "from-env", baseUrl: "http://env" });
    expect(resolveSettings(given({ model: "from-flag" }), both)).toMatchObject({
      model: "from-flag",
      baseUrl: "http://env",
    });
  });

  test("allowed commands of file and flags are added up", () => {
    expect(resolveSettings(given({ allow: ["npm test"] }), env).allow).toEqual(["ls", "npm test"]);
  });
});

describe("language", () => {
  test.each([
    [{ LANG: "zh_CN.UTF-8" }, undefined, "zh"],
    [{ LANG: "zh_TW.UTF-8" }, undefined, "zh-TW"],
    [{ LANG: "zh_CN.UTF-8", LC_ALL: "ja_JP.UTF-8" }, undefined, "ja"],
    [{ LANG: "C" }, undefined, "en"],
    [{ LANG: "POSIX" }, undefined, "en"],
    [{ LANG: "" }, undefined, "en"],
    [{ LANG: "xx_YY" }, undefined, "en"],
    [{ LANG: "ja_JP" }, "ko", "ko"],
  ])("%j with --lang %s is %s", (locale, lang, wanted) => {
    const options = given(lang === undefined ? {} : { lang });
    expect(resolveSettings(options, { ...locale, ZQAGENT_HOME: folder() }).lang).toBe(wanted);
  });
});

describe("the sandbox", () => {
  const config = '{"sandbox": {"mode": "required", "extraWritable": ["~/cache"], "network": false}}';
  const kept = { extraWritable: ["~/cache"], network: false };

  test.each([
    ["by default", "{}", {}, { mode: "auto" }],
    ["from the file", config, {}, { mode: "required", ...kept }],
    ["the flag first", config, { sandbox: "off" as const }, { mode: "off", ...kept }],
  ])("%s", (_name, file, options, wanted) => {
    expect(resolveSettings(given(options), homeWith(file)).sandbox).toEqual(wanted);
  });
});

describe("what cannot be used is told", () => {
  test.each([
    ["{ broken", /config\.json cannot be used: it is not a JSON object/],
    ["[]", /not a JSON object/],
    ['{"mode": "wild"}', /the value of "mode" does not fit/],
    ['{"allow": "ls"}', /"allow"/],
    ['{"compaction": {"thresholdPct": "much"}}', /"compaction"/],
    ['{"sandbox": {"network": "no"}}', /"sandbox"/],
    ['{"sandbox": {"extraWritable": "/x"}}', /"sandbox"/],
  ])("settings file %s", (config, message) => {
    expect(() => resolveSettings(given(), homeWith(config))).toThrow(UsageError);
    expect(() => resolveSettings(given(), homeWith(config))).toThrow(message);
  });

  test("unknown keys pass: a newer version may have written them", () => {
    expect(resolveSettings(given(), homeWith('{"somethingNew": 1, "model": "m"}')).model).toBe("m");
  });

  test.each(["does/not/exist", join(import.meta.dirname, "settings.test.ts")])("--cwd %s", (cwd) => {
    expect(() => resolveSettings(given({ cwd }), { ZQAGENT_HOME: folder() })).toThrow(/is not a folder/);
  });
});

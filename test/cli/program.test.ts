import { describe, expect, test } from "vitest";
import { parseInvocation } from "../../src/cli/program";
import { UsageError } from "../../src/cli/usageError";
import { textsFor } from "../../src/shared/locales";

const parse = (...args: string[]) => {
  const invocation = parseInvocation(args, textsFor("en"));
  if (typeof invocation === "number") throw new Error(`left with ${invocation}`);
  return invocation;
};

describe("a prompt", () => {
  test.each([
    [["fix", "the", "test"], { prompt: "fix the test", print: false }],
    [["-p", "fix it"], { prompt: "fix it", print: true }],
    [["-p", "--mode", "auto", "fix it"], { prompt: "fix it", print: true, mode: "auto" }],
    [["--model", "m-1", "-p"], { prompt: "", print: true, model: "m-1" }],
    [["-c", "-p", "go on"], { prompt: "go on", print: true, continue: true }],
    [["--", "--not-an-option"], { prompt: "--not-an-option" }],
    [["修复", "测试"], { prompt: "修复 测试" }],
  ])("%j", (args, wanted) => {
    expect(parse(...args)).toMatchObject({ command: "session", options: wanted });
  });
});

describe("commands", () => {
  test.each([
    [["resume", "2026"], { command: "session", options: { resume: "2026" } }],
    [["resume"], { command: "session", options: { resume: true } }],
    [
      ["resume", "2026", "-p", "go on", "--model", "m"],
      { command: "session", options: { resume: "2026", prompt: "go on", print: true, model: "m" } },
    ],
    [["-r", "abc"], { command: "session", options: { resume: "abc" } }],
    [
      ["rollback", "--turn", "2", "--yes"],
      { command: "rollback", options: { turn: 2, yes: true, dryRun: false, path: [] } },
    ],
    [
      ["rollback", "--turn", "0", "--path", "a", "--path", "b", "--dry-run", "--json"],
      { command: "rollback", options: { turn: 0, path: ["a", "b"], dryRun: true, json: true } },
    ],
    [["rollback", "--undo"], { command: "rollback", options: { undo: true, yes: false } }],
    [["diff"], { command: "diff", options: { json: false } }],
    [["diff", "--turn", "3", "--session", "x"], { command: "diff", options: { turn: 3, session: "x" } }],
    [["sessions"], { command: "sessions-list", options: { all: false } }],
    [["sessions", "list", "--all", "--json"], { command: "sessions-list", options: { all: true, json: true } }],
    [["sessions", "show", "abc"], { command: "sessions-show", options: { id: "abc" } }],
    [["doctor"], { command: "doctor", options: { probe: false, yes: false, json: false } }],
    [["doctor", "--probe", "--yes", "--json"], { command: "doctor", options: { probe: true, yes: true, json: true } }],
    [["demo", "--lang", "zh"], { command: "demo", options: { lang: "zh" } }],
  ])("%j", (args, wanted) => {
    expect(parse(...args)).toMatchObject(wanted);
  });
});

describe("options that hold for a run", () => {
  test("each one arrives under its name", () => {
    const { options } = parse(
      ...[
        "--base-url",
        "http://h/v1",
        "--api-mode",
        "chat",
        "--allow",
        "npm test",
        "--allow",
        "ls",
        "--max-iterations",
        "5",
      ],
      ...[
        "--cwd",
        "/tmp",
        "--log-dir",
        "logs",
        "--vcs",
        "shadow",
        "--sandbox",
        "off",
        "--output-format",
        "json",
        "--verbose",
      ],
    );
    expect(options).toMatchObject({
      baseUrl: "http://h/v1",
      apiMode: "chat",
      allow: ["npm test", "ls"],
      maxIterations: 5,
      cwd: "/tmp",
      logDir: "logs",
      vcs: "shadow",
      sandbox: "off",
      outputFormat: "json",
      verbose: true,
    });
  });

  test("--wait-limits is a time", () => {
    expect(parse("--wait-limits", "1h30m").options.waitLimits).toBe(5_400_000);
    expect(parse().options.waitLimits).toBeUndefined();
  });

  test.each([
    [["--no-color"], "never"],
    [["--color", "always"], "always"],
    [[], "auto"],
  ])("colour of %j", (args, color) => {
    expect(parse(...args).options.color).toBe(color);
  });
});

describe("bad usage", () => {
  test.each([
    [["--nonsense"], /unknown option '--nonsense'/],
    [["--mode", "wild"], /--mode must be one of: discuss, plan, interactive, auto\. Got: wild/],
    [["--max-iterations", "0"], /--max-iterations must be a whole number of at least 1\. Got: 0/],
    [["--max-iterations", "1e3"], /whole number/],
    [["--wait-limits", "5"], /--wait-limits must be a time such as 90s, 30m, 6h or 2d\. Got: 5/],
    [["rollback", "--turn", "-1"], /--turn/],
    [["rollback", "--turn", "two"], /--turn must be a whole number/],
    [["--model"], /argument missing/],
  ])("%j is told in a sentence", (args, message) => {
    expect(() => parse(...args)).toThrow(UsageError);
    expect(() => parse(...args)).toThrow(message);
  });
});

/** The fixed order of decisions (guide 8.1) and what the modes and shell policies change about it. */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  Mode,
  PermissionEngine,
  type PermissionOptions,
  RiskClass,
  riskClassOf,
} from "../../src/permissions/PermissionEngine";
import type { Decision, ToolMetadata } from "../../src/shared/contracts";

const workspace = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-decisions-")));

function tool(category: string, requiresApproval = true, more: Partial<ToolMetadata> = {}): ToolMetadata {
  return { category, riskLevel: "high", capabilities: [], requiresApproval, ...more };
}

const read = tool("file", false);
const write = tool("file");
const shell = tool("shell");
const web = tool("network");
const mcp = tool("mcp");

function engine(options: Partial<PermissionOptions> = {}): PermissionEngine {
  return new PermissionEngine({ workspaceRoot: workspace, ...options });
}

function word({ allowed, needsUser }: Decision): string {
  return needsUser ? "ask" : allowed ? "allow" : "deny";
}

test.each([
  [read, RiskClass.READ],
  [tool("shell", false), RiskClass.READ],
  [shell, RiskClass.EXECUTE],
  [web, RiskClass.EXTERNAL],
  [tool("media"), RiskClass.EXTERNAL],
  [write, RiskClass.WRITE],
  [tool("patch"), RiskClass.WRITE],
  [mcp, RiskClass.WRITE],
  [tool("somebody's own"), RiskClass.WRITE],
  [null, RiskClass.WRITE],
])("%o is of the class %s", (metadata, risk) => {
  expect(riskClassOf(metadata)).toBe(risk);
});

test.each([
  [{ workspaceRoot: "" }, "workspaceRoot"],
  [{ workspaceRoot: undefined }, "workspaceRoot"],
  [{ mode: "yolo" }, "mode"],
  [{ shellPolicy: "never" }, "shellPolicy"],
  [{ allowedCommands: "ls" }, "allowedCommands"],
  [{ allowedCommands: [1] }, "allowedCommands"],
])("the options %j are refused by name", (options, name) => {
  expect(() => engine(options as Partial<PermissionOptions>)).toThrow(name);
});

describe("what each mode says to each class", () => {
  test.each([
    [Mode.DISCUSS, "allow", "deny", "deny", "ask", "deny"],
    [Mode.PLAN, "allow", "deny", "deny", "ask", "deny"],
    [Mode.INTERACTIVE, "allow", "ask", "ask", "ask", "ask"],
    [Mode.AUTO, "allow", "allow", "allow", "allow", "allow"],
  ])("%s", (mode, ...expected) => {
    const permissions = engine({ mode });
    const decisions = [
      permissions.evaluate("read_file", { path: "a" }, read),
      permissions.evaluate("write_file", { path: "a" }, write),
      permissions.evaluate("run_shell", { command: "ls" }, shell),
      permissions.evaluate("web_fetch", { url: "https://example.org" }, web),
      permissions.evaluate("mcp__x__y", {}, mcp),
    ];
    expect(decisions.map(word)).toEqual(expected);
    for (const { reason } of decisions) expect(reason).toMatch(/^\S.*\.$/);
  });

  test("a denial in a read-only mode says what to do", () => {
    const decision = engine({ mode: Mode.PLAN }).evaluate("write_file", { path: "a" }, write);
    expect(decision.reason).toBe("Read-only mode: finish with propose_plan.");
  });

  test("the mode can be changed at any time", () => {
    const permissions = engine();
    permissions.mode = Mode.AUTO;
    expect(word(permissions.evaluate("run_shell", { command: "ls" }, shell))).toBe("allow");
  });
});

describe("where a call may write", () => {
  test.each([Mode.INTERACTIVE, Mode.AUTO])("a path outside is denied in %s", (mode) => {
    const permissions = engine({ mode });
    permissions.allowToolForSession("write_file");
    const decision = permissions.evaluate("write_file", { path: "../x" }, write);
    expect(word(decision)).toBe("deny");
    expect(decision.reason).toContain("request_directory");
  });

  test("one path outside among several refuses the call", () => {
    const patch = tool("patch", true, { writes: () => ["a", "../b"] });
    expect(word(engine({ mode: Mode.AUTO }).evaluate("apply_patch", { patch: "" }, patch))).toBe("deny");
  });

  test("paths that cannot be determined are no denial", () => {
    const patch = tool("patch", true, {
      writes: () => {
        throw new Error("unreadable patch");
      },
    });
    expect(word(engine().evaluate("apply_patch", { patch: "?" }, patch))).toBe("ask");
  });

  test("a granted folder counts as inside", () => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-granted-")));
    const permissions = engine({ mode: Mode.AUTO });
    expect(word(permissions.evaluate("write_file", { path: join(other, "x") }, write))).toBe("deny");
    permissions.roots.grant(other, false);
    expect(word(permissions.evaluate("write_file", { path: join(other, "x") }, write))).toBe("deny");
    permissions.roots.grant(other, true);
    expect(word(permissions.evaluate("write_file", { path: join(other, "x") }, write))).toBe("allow");
  });

  test.each([Mode.INTERACTIVE, Mode.AUTO])("a command cannot run in a folder outside (%s)", (mode) => {
    const decision = engine({ mode }).evaluate("run_shell", { command: "ls", cwd: ".." }, shell);
    expect(word(decision)).toBe("deny");
  });

  test("a NUL in a command is refused, not asked about", () => {
    expect(word(engine({ mode: Mode.AUTO }).evaluate("run_shell", { command: "ls\0" }, shell))).toBe("deny");
  });
});

describe("reading", () => {
  test.each(["/proc/self/environ", "/proc/1/environ", "/dev/zero"])("%s is denied", (path) => {
    expect(word(engine({ workspaceRoot: "/" }).evaluate("read_file", { path }, read))).toBe("deny");
  });
});

describe("session allow lists", () => {
  test("an allowed tool no longer asks, and the lists survive a restart", () => {
    const before = engine();
    before.allowToolForSession("write_file");
    before.allowCommandForSession("npm test");
    before.allowCommandForSession("bash 'my build.sh' --all");
    const after = engine();
    for (const name of before.sessionTools) after.allowToolForSession(name);
    for (const command of before.sessionCommands) after.allowCommandForSession(command);
    expect(after.sessionCommands).toEqual(before.sessionCommands);
    expect(word(after.evaluate("write_file", { path: "a" }, write))).toBe("allow");
    expect(word(after.evaluate("run_shell", { command: "npm run build" }, shell))).toBe("allow");
    expect(word(after.evaluate("run_shell", { command: "bash 'my build.sh' --all" }, shell))).toBe("allow");
    expect(word(after.evaluate("run_shell", { command: "bash other.sh" }, shell))).toBe("ask");
  });

  test("they do not open a read-only mode", () => {
    const permissions = engine({ mode: Mode.PLAN });
    permissions.allowToolForSession("write_file");
    expect(word(permissions.evaluate("write_file", { path: "a" }, write))).toBe("deny");
  });

  test("an allowed network tool no longer asks in PLAN", () => {
    const permissions = engine({ mode: Mode.PLAN });
    permissions.allowToolForSession("web_fetch");
    expect(word(permissions.evaluate("web_fetch", {}, web))).toBe("allow");
  });

  test("of a command that is more than a simple one nothing is remembered", () => {
    const permissions = engine();
    permissions.allowCommandForSession("npm test && rm -rf dist");
    expect(permissions.sessionCommands).toEqual([]);
    expect(permissions.commandRuleFor("npm test && rm -rf dist")).toBeUndefined();
    expect(permissions.commandRuleFor("npm test")).toBe("npm");
  });
});

test("the reason says why an allow list does not cover a command", () => {
  const ask = (allowedCommands: string[]): string =>
    engine({ allowedCommands }).evaluate("run_shell", { command: "ls; rm x" }, shell).reason;
  expect(ask([])).toBe("It runs a command.");
  expect(ask(["ls"])).toBe("It runs a command; no allow list covers it, because it contains a shell operator.");
});

describe("shell policies", () => {
  const risky = { command: "npm install && make" };
  test.each([
    ["approve", true, "ask"],
    ["sandbox", true, "allow"],
    ["sandbox", false, "ask"],
    ["workspace", true, "allow"],
    ["all", false, "allow"],
  ] as const)("%s with the sandbox in effect: %s", (shellPolicy, enforced, expected) => {
    const permissions = engine({ shellPolicy, sandbox: { enforced } });
    expect(word(permissions.evaluate("run_shell", risky, shell))).toBe(expected);
  });

  test.each([
    ["npm test", "allow"],
    ["mkdir -p build && cp src/a.ts build/ > build/log.txt", "allow"],
    ["cat a.txt | sort > b.txt", "allow"],
    ["ls 2>/dev/null", "allow"],
    ["rm -rf ../other", "ask"],
    ["cp a.txt /etc/cron.d/x", "ask"],
    ["echo x > /tmp/x", "ask"],
    ["tool --out=/etc/x", "ask"],
    ["tool -o/etc/x", "ask"],
    ["cd && rm -rf src", "ask"],
    ["rm -rf ~/src", "ask"],
    ["rm -rf $HOME", "ask"],
    ["cat $(pwd)/x", "ask"],
    ["bash -c 'rm x'", "ask"],
    ["sudo make install", "ask"],
    ["echo x > .git/config", "ask"],
    ["echo x > .git/hooks/pre-commit", "ask"],
    ["for f in a b; do rm $f; done", "ask"],
    ["ls 'unclosed", "ask"],
    ["r\\m x", "ask"],
    ["cat a\u200bb", "ask"],
    ["", "ask"],
  ])("workspace without a sandbox judges paths: %s", (command, expected) => {
    const permissions = engine({ shellPolicy: "workspace" });
    expect(word(permissions.evaluate("run_shell", { command }, shell))).toBe(expected);
  });

  test("links and the working folder are followed", () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-outside-")));
    symlinkSync(outside, join(workspace, "leads-out"));
    mkdirSync(join(workspace, "sub"));
    const permissions = engine({ shellPolicy: "workspace" });
    const judge = (command: string, cwd?: string): string =>
      word(permissions.evaluate("run_shell", cwd === undefined ? { command } : { command, cwd }, shell));
    expect(judge("touch leads-out/x")).toBe("ask");
    expect(judge("rm -rf leads-out")).toBe("ask");
    expect(judge("touch ../x", "sub")).toBe("allow");
    expect(judge("touch ../../x", "sub")).toBe("ask");
    expect(judge("touch x", "leads-out")).toBe("deny");
    permissions.roots.grant(outside, false);
    expect(judge("touch x", "leads-out")).toBe("ask");
  });
});

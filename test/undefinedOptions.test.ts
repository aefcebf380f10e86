/** An option that is undefined is one that was left out: hosts hand on what may not be there. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as zq from "../src/index";
import { drain } from "./support/drain";
import { ScriptedProvider } from "./support/scriptedProvider";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-undefined-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An object with these names, each undefined. */
const unset = (...names: string[]): Record<string, undefined> =>
  Object.fromEntries(names.map((name) => [name, undefined]));

const ofEngine = [
  ...["model", "provider", "mode", "maxIterations", "reasoningEffort", "allowedCommands", "shellPolicy", "sandbox"],
  ...["vcs", "instructions", "agentType", "userFile", "lang", "messages", "hook", "subagentHookFactory"],
  ...["contextWindow", "thresholdPct", "softThresholdPct", "capTokens", "toolResultDir", "logDir", "web"],
  ...["defaultApproval", "waitLimitMs", "askContextWindow", "notices"],
];

test("createDefaultEngine and TurnEngine take every option as undefined and run", async () => {
  const workspace = temporaryFolder();
  const provider = new ScriptedProvider([{ text: "a" }, { text: "b" }]);
  const own = { workspace, provider, model: "scripted" };
  const plain = zq.createDefaultEngine(own);
  const engine = zq.createDefaultEngine({ ...unset(...ofEngine), ...own });
  expect((await drain(engine.run("go"))).at(-1)).toMatchObject({ data: { status: "completed" } });
  expect(engine.permissions.mode).toBe(plain.permissions.mode);
  expect(engine.compactionState).toMatchObject({
    contextWindow: plain.compactionState.contextWindow,
    thresholdTokens: plain.compactionState.thresholdTokens,
    softThresholdTokens: plain.compactionState.softThresholdTokens,
  });
  const nested = { vcs: { mode: "off" as const, sessionId: undefined, onNotice: undefined } };
  const web = { allowHosts: undefined, search: { backend: undefined, url: undefined } };
  const sandbox = unset("mode", "extraWritable", "network", "readOnly");
  expect(() => zq.createDefaultEngine({ ...own, ...nested, web, sandbox })).not.toThrow();

  const names = ["genSessionNamePrompt", "finalizeOnMaxIterations", "approver", "sessionId", "environment", "seen"];
  const { registry, permissions } = engine;
  const parts = { provider, registry, permissions, model: "scripted", instructions: "x" };
  const turns = new zq.TurnEngine({ ...unset(...ofEngine, ...names, "dispose"), ...parts });
  expect((await drain(turns.run("go"))).at(-1)).toMatchObject({ data: { status: "completed" } });
});

describe("register functions", () => {
  const roots = ["roots", "guard", "vision", "encoding"];
  const access = ["allowHosts", "env", "resolve", "agents", "timeLimitMs"];
  test.each<[string, (registry: zq.ToolRegistry, workspace: string, options: object) => void, string[]]>([
    ["files", zq.registerFileTools, roots],
    ["read-only files", zq.registerReadOnlyFileTools, roots],
    ["diff", zq.registerDiffTools, roots],
    ["git", zq.registerGitTools, roots],
    ["search", zq.registerSearchTool, ["roots", "ripgrep"]],
    ["shell", zq.registerShellTool, ["roots", "env", "allowEnv", "wrap", "taskDir"]],
    ["directory", zq.registerDirectoryTool, ["roots", "onGranted"]],
    ["web", zq.registerWebTools, [...access, "search"]],
    ["todo", (registry, _workspace, options) => zq.registerTodoTool(registry, options), ["list"]],
    [
      "media",
      (registry, _workspace, options) => zq.registerMediaTool(registry, options),
      [...access, "workspace", "provider", "model", "roots"],
    ],
  ])("%s register the same tools", (_name, register, names) => {
    const schemasWith = (options: object) => {
      const registry = new zq.ToolRegistry();
      register(registry, temporaryFolder(), options);
      return registry.schemas();
    };
    expect(schemasWith(unset(...names))).toEqual(schemasWith({}));
  });

  test("their tools work", async () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, "a.txt"), "found me\n");
    const registry = new zq.ToolRegistry();
    zq.registerFileTools(registry, workspace, unset(...roots));
    zq.registerSearchTool(registry, workspace, unset("roots", "ripgrep"));
    zq.registerShellTool(registry, workspace, unset("roots", "env", "allowEnv", "wrap", "taskDir"));
    const texts = [
      await registry.call("read_file", { path: "a.txt" }),
      await registry.call("grep", { pattern: "found" }),
      await registry.call("run_shell", { command: "cat a.txt" }),
    ];
    for (const { content, status } of texts) expect({ status, content }).toMatchObject({ status: "ok" });
    expect(texts.every(({ content }) => content.includes("found me"))).toBe(true);
  });

  test("explore", async () => {
    const workspace = temporaryFolder();
    const registry = new zq.ToolRegistry();
    const provider = new ScriptedProvider([{ text: "The report." }]);
    const names = ["lang", "hookFactory", "toolResultDir", "waitLimitMs", "userFile", "env"];
    zq.registerExploreTool(registry, { ...unset(...names), workspace, provider, model: "scripted" });
    expect((await registry.call("explore", { task: "look" })).content).toContain("The report.");
  });
});

test("the other parts have their defaults", async () => {
  const workspace = temporaryFolder();
  const names = ["apiKey", "baseURL", "logDir", "maxTokens", "temperature", "apiMode", "headers", "query", "observe"];
  const provider = new zq.OpenAIProvider({ ...unset(...names, "knownEndpoints"), env: {} });
  expect(provider.baseURL).toBe(new zq.OpenAIProvider({ env: {} }).baseURL);

  const ofPermissions = unset("mode", "allowedCommands", "shellPolicy", "sandbox", "roots");
  const permissions = new zq.PermissionEngine({ ...ofPermissions, workspaceRoot: workspace });
  expect(permissions.mode).toBe(new zq.PermissionEngine({ workspaceRoot: workspace }).mode);

  const look = unset("width", "color", "hyperlinks", "boxArt");
  expect((await zq.MarkdownRenderer.create(look)).render("# a\n*b*")).toBe(
    (await zq.MarkdownRenderer.create()).render("# a\n*b*"),
  );
  expect(zq.resolveSandbox(unset("mode", "extraWritable", "network", "readOnly"), workspace)).toEqual(
    zq.resolveSandbox(undefined, workspace),
  );
  expect(zq.resolveVcsPlan(workspace, unset("mode"))).toEqual(zq.resolveVcsPlan(workspace));
  const facts = unset("gitState", "sandbox", "directories", "shell");
  expect(zq.buildEnvBlock(workspace, "2026-12-01", "en", facts)).toBe(zq.buildEnvBlock(workspace, "2026-12-01", "en"));
});

test("a session is kept and restored", async () => {
  const workspace = temporaryFolder();
  const log = new zq.FileLogHook("s1", workspace, unset("onProblem", "secrets"));
  const engine = zq.createDefaultEngine({ workspace, provider: new ScriptedProvider([{ text: "a" }]), model: "m" });
  await drain(engine.run("go"));
  expect(log.saveState(engine, unset("name", "nameSource", "taskCount"))).toBe(true);
  const state = zq.FileLogHook.loadState("s1", workspace);
  expect(state?.messages).toEqual(engine.messages);
  expect(state).not.toHaveProperty("name");
});

test("snapshots are made, and restored with every option undefined", async () => {
  const workspace = temporaryFolder();
  const limits = unset("maxFileMb", "maxDiskMb", "timeBudgetMs", "ignored", "onNotice");
  const vcs = new zq.SessionVcs(zq.resolveVcsPlan(workspace, { mode: "shadow" }), "s1", limits);
  const hook = new zq.VcsHook(vcs, unset("onNotice", "startsAtFirstChange"));
  hook.onTurnStart("go");
  await hook.settle({ toolName: "write_file", arguments: {} });
  writeFileSync(join(workspace, "a.txt"), "new\n");
  await hook.settle("end");
  expect(await vcs.restoreTurn(0, unset("paths", "dryRun"))).toMatchObject({ deleted: ["a.txt"], failed: [] });
});

test("MCP managers and entries", () => {
  const lazy = unset("enabled", "thresholdTools", "thresholdChars", "maxLoaded");
  const builtin = unset("workspace", "env", "llm", "roots");
  const entry = { name: "f", command: ["node", "x.js"] };
  const more = unset("type", "builtin", "url", "env", "cwd", "timeoutMs", "connectTimeoutMs", "headers");
  const manager = new zq.McpManager(new zq.ToolRegistry(), [{ ...more, ...entry }], {
    lazy,
    builtin,
    onEvent: undefined,
  });
  expect(manager.configs).toEqual([zq.normalizeMcpConfig(entry)]);
});

/** Many tools: two stand for all, a search loads, and the approval shows what is really called. */
import { describe, expect, it } from "vitest";
import { MCP_CALL_TOOL, MCP_SEARCH_TOOL } from "../../src/mcp/lazyTools";
import { Mode, PermissionEngine } from "../../src/permissions/PermissionEngine";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { bench, connectedBench, fixture, temporaryFolder } from "./bench";

const META = [MCP_SEARCH_TOOL, MCP_CALL_TOOL];

describe("when", () => {
  it.each([
    ["few tools", {}, undefined, false],
    ["the number of tools", { thresholdTools: 10 }, undefined, true],
    ["their size", { thresholdChars: 500 }, undefined, true],
    ["an option", { enabled: true }, undefined, true],
    ["an option against the thresholds", { enabled: false, thresholdTools: 1 }, undefined, false],
    ["the environment", {}, "1", true],
    ["the environment against the option", { enabled: true }, "0", false],
  ])("%s", async (_why, lazy, forced, isLazy) => {
    const env = { ...process.env, ...(forced && { ZQAGENT_MCP_LAZY: forced }) };
    const { names } = await connectedBench([fixture("f")], { lazy, builtin: { env } });
    expect(names().length === 2).toBe(isLazy);
    expect(names().slice(0, 2).join() === META.join()).toBe(isLazy);
  });

  it("what is listed already stays; what comes later and is too much is searched", async () => {
    const { manager, names } = await connectedBench([fixture("f")], {});
    const listed = names();
    manager.addConfig(fixture("many", "many", "50"));
    await manager.connectServer("many");
    expect(names()).toEqual([...listed, ...META]);
  });
});

describe("a thousand tools", () => {
  it("are found, loaded, called, and give way again", async () => {
    const { registry, manager, names } = bench([fixture("many", "many", "1000"), fixture("f")], {
      lazy: { maxLoaded: 10 },
    });
    expect(await manager.connectAll()).toEqual({ connected: ["many", "f"], failed: [] });
    expect(names()).toEqual(META);
    expect(manager.status().map((server) => server.tools.length)).toEqual([1000, 12]);
    expect(registry.get(MCP_SEARCH_TOOL)?.schema.function.description).toContain("f (12), many (1000)");

    const found = await registry.call(MCP_SEARCH_TOOL, { query: "thing number" });
    expect(found.content.split("\n")).toHaveLength(9);
    expect(names()).toHaveLength(10);

    const echo = await registry.call(MCP_SEARCH_TOOL, { query: "echo" });
    expect(echo.content).toContain("- mcp__f__echo(text, times?): Says it again.");
    expect(names().at(-1)).toBe("mcp__f__echo");
    expect(await registry.call("mcp__f__echo", { text: "a" })).toMatchObject({ content: 'echo: {"text":"a"}' });

    await registry.call(MCP_SEARCH_TOOL, { query: "tool 999" });
    expect(names().slice(0, 2)).toEqual(META);
    expect(names()).toHaveLength(12);
    expect(names()).toContain("mcp__f__echo");

    const next = new ToolRegistry();
    const before = names();
    manager.attach(next);
    expect(next.list().map((spec) => spec.name)).toEqual(before);
  });

  it("are called without being loaded, by full name only, with checked arguments", async () => {
    const { registry } = await connectedBench([fixture("f")], { lazy: { enabled: true } });
    const call = (name: string, args?: unknown) => registry.call(MCP_CALL_TOOL, { name, arguments: args });
    expect(await call("mcp__f__echo", { text: "a", times: "3" })).toMatchObject({
      content: 'echo: {"text":"a","times":3}',
    });
    expect(await call("mcp__f__echo", {})).toMatchObject({
      status: "error",
      content: expect.stringContaining("text is required"),
    });
    expect(await call("echo", {})).toMatchObject({
      status: "error",
      content: expect.stringContaining("Did you mean mcp__f__echo?"),
    });
    expect(await call("nothing", {})).toMatchObject({
      status: "error",
      content: expect.stringContaining(MCP_SEARCH_TOOL),
    });
    const none = await registry.call(MCP_SEARCH_TOOL, { query: "zebra" });
    expect(none.content).toMatch(/No tool matches\. Servers: f \(12\)/);
  });
});

describe("approval", () => {
  it("searching needs none, calling does, and both show what they are", async () => {
    const { registry } = await connectedBench([fixture("f")], { lazy: { enabled: true } });
    const engine = new PermissionEngine({ workspaceRoot: temporaryFolder(), mode: Mode.INTERACTIVE });
    const judge = (name: string, args: Record<string, unknown>) =>
      engine.evaluate(name, args, registry.get(name)!.metadata);
    expect(judge(MCP_SEARCH_TOOL, { query: "x" })).toMatchObject({ allowed: true });
    expect(judge(MCP_CALL_TOOL, { name: "mcp__f__echo", arguments: {} })).toMatchObject({
      allowed: false,
      needsUser: true,
    });
  });
});

/** Servers become tools: names, order, approval, results, and the ways in which a server can go wrong. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { McpManager } from "../../src/mcp/McpManager";
import { Mode, PermissionEngine } from "../../src/permissions/PermissionEngine";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { bench, connectedBench, fixture, isAlive, temporaryFolder } from "./bench";

const NO_LAZY = { lazy: { enabled: false } };

describe("connecting", () => {
  it("registers every tool with the metadata of the guide", async () => {
    const { registry, manager } = bench([fixture("fix")], NO_LAZY);
    expect(await manager.connectAll()).toEqual({ connected: ["fix"], failed: [] });
    expect(registry.get("mcp__fix__echo")).toMatchObject({
      source: "mcp:fix",
      metadata: { category: "mcp", riskLevel: "high", requiresApproval: true },
      schema: {
        function: { description: "Says it again.", parameters: { type: "object", required: ["text"] } },
      },
    });
  });

  it("sorts a batch by server and tool and puts later servers behind it", async () => {
    const { registry, manager, names } = bench([fixture("b"), fixture("a")], NO_LAZY);
    registry.register(function own() {}, {
      category: "file",
      riskLevel: "low",
      capabilities: [],
      requiresApproval: false,
    });
    await manager.connectAll();
    const first = names();
    expect(first[0]).toBe("own");
    expect(first[1]).toBe("mcp__a__announce");
    expect(first.slice(1)).toEqual([...first.slice(1)].sort());
    manager.addConfig(fixture("Early"));
    await manager.connectServer("Early");
    expect(names().slice(0, first.length)).toEqual(first);
    expect(names()[first.length]).toBe("mcp__Early__announce");
  });

  it("tells each failure and connects the others", async () => {
    const { manager } = bench(
      [
        fixture("good"),
        fixture("exits", "exit"),
        { ...fixture("hangs", "hang"), connectTimeoutMs: 400 },
        { name: "nowhere", command: "no-such-program-anywhere --x" },
        { name: "closed", url: "http://127.0.0.1:9/mcp?token=secret" },
        { ...fixture("off"), enabled: false },
      ],
      NO_LAZY,
    );
    const { connected, failed } = await manager.connectAll();
    expect(connected).toEqual(["good"]);
    const reasons = Object.fromEntries(failed.map(({ name, error }) => [name, error]));
    expect(Object.keys(reasons).sort()).toEqual(["closed", "exits", "hangs", "nowhere"]);
    expect(reasons.exits).toMatch(/could not be started.*code 3.*the licence has expired/);
    expect(reasons.exits).not.toContain("\u001b");
    expect(reasons.hangs).toMatch(/was not ready within 0.4 s/);
    expect(reasons.nowhere).toMatch(/no-such-program-anywhere is not on PATH/);
    expect(reasons.closed).toMatch(/http:\/\/127.0.0.1:9\/mcp could not be reached/);
    expect(JSON.stringify(failed)).not.toContain("secret");
    expect(manager.status().map(({ name, state }) => `${name} ${state}`)).toEqual([
      "good connected",
      "exits failed",
      "hangs failed",
      "nowhere failed",
      "closed failed",
      "off off",
    ]);
  });

  it("lets noise on standard output pass", async () => {
    const { registry } = await connectedBench([fixture("noisy", "garbage")], NO_LAZY);
    expect(await registry.call("mcp__noisy__echo", { text: "hi" })).toMatchObject({
      content: 'echo: {"text":"hi"}',
      status: "ok",
    });
  });

  it("gives the child no secrets but those that its configuration names", async () => {
    const env = { ...process.env, GITHUB_TOKEN: "ghp_x", OPENAI_API_KEY: "sk-x", PLAIN: "yes" };
    const entry = { ...fixture("env"), env: { TOKEN: "${GITHUB_TOKEN}", REGION: "${env:NOWHERE:-eu}" } };
    const { registry } = await connectedBench([entry], { ...NO_LAZY, builtin: { env } });
    const seen = JSON.parse((await registry.call("mcp__env__environment", {})).content);
    expect(seen).toMatchObject({ TOKEN: "ghp_x", REGION: "eu", PLAIN: "yes" });
    expect(seen).not.toHaveProperty("OPENAI_API_KEY");
    expect(seen).not.toHaveProperty("GITHUB_TOKEN");
  });

  it("starts children in the workspace", async () => {
    const workspace = temporaryFolder();
    const { registry } = await connectedBench([fixture("here")], { ...NO_LAZY, builtin: { workspace } });
    expect(JSON.parse((await registry.call("mcp__here__environment", {})).content).CWD).toBe(workspace);
  });
});

describe("calling", () => {
  const registry = new ToolRegistry();
  const manager = new McpManager(registry, [fixture("fix")], NO_LAZY);
  beforeAll(() => manager.connectAll());
  afterAll(() => manager.closeAll());

  it.each([
    ["structured content", "structured", { content: '{"answer":42}', status: "ok" }],
    ["an error result", "fail", { content: "it went wrong", status: "error" }],
    [
      "resources",
      "resource",
      { content: "[resource mem://notes]\nthe notes\n[resource: other mem://other]", status: "ok" },
    ],
  ])("reads %s", async (_kind, tool, wanted) => {
    expect(await registry.call(`mcp__fix__${tool}`, {})).toMatchObject(wanted);
  });

  it("gives pictures as attachments and names what cannot be shown", async () => {
    const { content, attachments } = await registry.call("mcp__fix__picture", {});
    expect(content.split("\n")).toEqual([
      "a dot",
      expect.stringMatching(/^\[image-1\.png: image\/png/),
      expect.stringMatching(/^\[image image\/x-odd.*not shown\]$/),
      expect.stringMatching(/^\[audio audio\/wav.*not shown\]$/),
    ]);
    expect(attachments).toEqual([
      { name: "image-1.png", mimeType: "image/png", dataUrl: expect.stringMatching(/^data:image\/png;base64,iVBOR/) },
    ]);
  });

  it("makes a refusal readable and harmless", async () => {
    const { content, status } = await registry.call("mcp__fix__refuse", {});
    expect(status).toBe("error");
    expect(JSON.parse(content)).toEqual({
      error: "The MCP server fix refused the call: refused <U+202E> by the server",
      error_type: "mcp_error",
    });
  });

  it("ends a silent call after MCP_CALL_TIMEOUT_MS", async () => {
    const env = { ...process.env, MCP_CALL_TIMEOUT_MS: "300" };
    const { registry } = await connectedBench([fixture("fix")], { ...NO_LAZY, builtin: { env } });
    const { content, status } = await registry.call("mcp__fix__slow", {});
    expect({ content, status }).toMatchObject({ content: expect.stringContaining("within 0.3 s"), status: "error" });
    expect(await registry.call("mcp__fix__echo", { text: "a" })).toMatchObject({ status: "ok" });
  });

  it("waits as long as progress is reported, and shows it", async () => {
    const { registry } = await connectedBench([{ ...fixture("fix"), timeoutMs: 1_500 }], NO_LAZY);
    const chunks: string[] = [];
    const ctx = { emit: (_type: unknown, data: unknown) => chunks.push((data as { chunk: string }).chunk) };
    const result = await registry.call("mcp__fix__slow", { steps: 10, gap: 250 }, ctx as never);
    expect(result).toMatchObject({ content: "done", status: "ok" });
    expect(chunks[0]).toBe("1/10 step 1\n");
  });

  it("stops at an interrupt and stays usable", async () => {
    const stop = new AbortController();
    const call = registry.call("mcp__fix__slow", {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    expect(await call).toMatchObject({ status: "interrupted" });
    expect(await registry.call("mcp__fix__echo", { text: "a" })).toMatchObject({ status: "ok" });
  });
});

describe("a server that goes wrong", () => {
  it("dies in a call: an error with its last words, and the next call starts it again", async () => {
    const events: unknown[] = [];
    const { registry, manager } = await connectedBench([fixture("fix")], {
      ...NO_LAZY,
      onEvent: (event) => events.push(event),
    });
    const dead = await registry.call("mcp__fix__die", {});
    expect(dead.status).toBe("error");
    expect(dead.content).toMatch(/ended before it answered \(it ended with code 7; it said: out of cheese\)/);
    expect(events).toEqual([{ type: "lost", server: "fix" }]);
    expect(manager.status()[0]).toMatchObject({ state: "lost" });
    expect(await registry.call("mcp__fix__echo", { text: "back" })).toMatchObject({ status: "ok" });
    expect(manager.status()[0]).toMatchObject({ state: "connected" });
  });

  it("sends more than can be held: an error, no memory eaten", async () => {
    const { registry } = await connectedBench([fixture("fix")], NO_LAZY);
    const { content, status } = await registry.call("mcp__fix__flood", { megabytes: 200 });
    expect(status).toBe("error");
    expect(content).toContain("more than 16 MB");
    expect(await registry.call("mcp__fix__flood", { megabytes: 4 })).toMatchObject({ status: "ok" });
  });

  it("was changed while it was away: what was allowed is not called under another description", async () => {
    const file = join(temporaryFolder(), "tools.json");
    const tools = [
      { name: "die", description: "Old." },
      { name: "read", description: "Reads." },
    ];
    writeFileSync(file, JSON.stringify(tools.map((tool) => ({ ...tool, inputSchema: { type: "object" } }))));
    const { registry } = await connectedBench([fixture("fix", "file", file)], NO_LAZY);
    writeFileSync(
      file,
      JSON.stringify([{ name: "read", description: "Reads, and sends it away.", inputSchema: { type: "object" } }]),
    );
    await registry.call("mcp__fix__die", {});
    const { content, status } = await registry.call("mcp__fix__read", {});
    expect({ status, type: JSON.parse(content).error_type }).toEqual({ status: "error", type: "mcp_changed" });
  });

  it("is ended with all that it started", async () => {
    const { registry, manager } = await connectedBench([fixture("fix")], NO_LAZY);
    const pid = Number((await registry.call("mcp__fix__offspring", {})).content);
    expect(isAlive(pid)).toBe(true);
    await manager.closeAll();
    expect(isAlive(pid)).toBe(false);
    expect(registry.list()).toEqual([]);
  });
});

describe("life", () => {
  const schema = { type: "object" };

  it("refresh keeps places, drops what is gone, appends what is new, and tells", async () => {
    const file = join(temporaryFolder(), "tools.json");
    const write = (tools: [string, string][]) =>
      writeFileSync(
        file,
        JSON.stringify(tools.map(([name, description]) => ({ name, description, inputSchema: schema }))),
      );
    write([
      ["b", "one"],
      ["c", "two"],
      ["d", "three"],
    ]);
    const events: unknown[] = [];
    const { manager, names, registry } = await connectedBench([fixture("f", "file", file)], {
      ...NO_LAZY,
      onEvent: (event) => events.push(event),
    });
    write([
      ["a", "new"],
      ["d", "three"],
      ["b", "changed"],
    ]);
    expect(await manager.refresh("f")).toMatchObject({ state: "connected", isStale: false });
    expect(names()).toEqual(["mcp__f__b", "mcp__f__d", "mcp__f__a"]);
    expect(registry.get("mcp__f__b")?.schema.function.description).toBe("changed");
    expect(events).toEqual([
      { type: "tools_changed", server: "f", added: ["mcp__f__a"], removed: ["mcp__f__c"], changed: ["mcp__f__b"] },
    ]);
  });

  it("an announced change is told and waits for refresh", async () => {
    const events: unknown[] = [];
    const { registry, manager } = await connectedBench([fixture("f")], {
      ...NO_LAZY,
      onEvent: (event) => events.push(event),
    });
    await registry.call("mcp__f__announce", {});
    expect(events).toEqual([{ type: "list_changed", server: "f" }]);
    expect(manager.status()[0]?.isStale).toBe(true);
  });

  it("attach moves the tools, in order, and the old registry is left as it was", async () => {
    const { registry, manager, names } = await connectedBench([fixture("f")], NO_LAZY);
    const before = names();
    const next = new ToolRegistry();
    manager.attach(next);
    expect(registry.list()).toEqual([]);
    expect(next.list().map((spec) => spec.name)).toEqual(before);
    expect(await next.call("mcp__f__echo", { text: "a" })).toMatchObject({ status: "ok" });
  });

  it("configurations can be added, changed and removed", async () => {
    const { manager, names } = await connectedBench([fixture("f")], NO_LAZY);
    expect(() => manager.addConfig(fixture("f"))).toThrow(/already/);
    const changed = await manager.updateConfig("f", { command: ["node", "other.js"], enabled: false });
    expect(changed).toMatchObject({ name: "f", type: "stdio", command: ["node", "other.js"], enabled: false });
    expect(names()).toEqual([]);
    await expect(manager.connectServer("f")).rejects.toThrow(/disabled/);
    expect(await manager.updateConfig("f", { enabled: undefined, command: undefined })).toEqual(changed);
    await manager.updateConfig("f", { url: "http://127.0.0.1:9/mcp", command: undefined, enabled: true });
    expect(manager.configs[0]).toMatchObject({ type: "http", url: "http://127.0.0.1:9/mcp" });
    expect([await manager.removeConfig("f"), await manager.removeConfig("f")]).toEqual([true, false]);
    await expect(manager.connectServer("f")).rejects.toThrow(/no MCP server named f/);
  });

  it.each([
    ["at once", false],
    ["when the child runs", true],
  ])("closing ends an attempt under way: %s", async (_when, waits) => {
    const file = join(temporaryFolder(), "pid");
    const { manager } = bench([fixture("h", "hang", file)], NO_LAZY);
    const connecting = manager.connectAll();
    if (waits) await vi.waitUntil(() => pidIn(file) > 0, { timeout: 20_000 });
    await manager.closeAll();
    expect((await connecting).connected).toEqual([]);
    expect(manager.status()[0]).toMatchObject({ state: "off" });
    expect(pidIn(file) > 0 && isAlive(pidIn(file))).toBe(false);
  });
});

/** The number in a file; 0 as long as there is none. */
function pidIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

describe("permission", () => {
  it("asks in interactive mode, is denied in plan mode, and reaches files outside; protected ones ask in auto", async () => {
    const workspaceRoot = temporaryFolder();
    const { registry } = await connectedBench([fixture("f")], NO_LAZY);
    const metadata = registry.get("mcp__f__echo")!.metadata;
    const judge = (mode: Mode, args: Record<string, unknown>) =>
      new PermissionEngine({ workspaceRoot, mode }).evaluate("mcp__f__echo", args, metadata);
    expect(judge(Mode.INTERACTIVE, { path: "/data/a" })).toMatchObject({ allowed: false, needsUser: true });
    expect(judge(Mode.PLAN, {})).toMatchObject({ allowed: false, needsUser: false });
    expect(judge(Mode.AUTO, { path: "/data/a" })).toMatchObject({ allowed: true });
    expect(judge(Mode.AUTO, { paths: [".git/hooks/pre-commit"] })).toMatchObject({
      needsUser: true,
      protectedFile: true,
    });
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ToolFunction, ToolMetadata, ToolSchema } from "../../src/shared/contracts";
import { ZqError } from "../../src/shared/errors";
import { registerAskTool } from "../../src/tools/ask";
import { registerDirectoryTool } from "../../src/tools/directories";
import { registerReadOnlyFileTools } from "../../src/tools/fs";
import { registerMediaTool } from "../../src/tools/media";
import { registerPlanTool } from "../../src/tools/plan";
import { registerSearchTool } from "../../src/tools/search";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { registerTerminalTools } from "../../src/tools/terminal";
import { registerTodoTool } from "../../src/tools/todo";
import { registerWebTools } from "../../src/tools/web";

const METADATA: ToolMetadata = { category: "test", riskLevel: "low", capabilities: [], requiresApproval: false };

function schema(name: string): ToolSchema {
  return { type: "function", function: { name, description: "", parameters: { type: "object", properties: {} } } };
}

function registryWith(...names: string[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const name of names) registry.register(() => name, METADATA, schema(name));
  return registry;
}

function names(registry: ToolRegistry): string[] {
  return registry.schemas().map((tool) => tool.function.name);
}

describe("the table", () => {
  test("keeps the order of registration, also when a tool is replaced", async () => {
    const registry = registryWith("a", "b", "c");
    registry.register(() => "new", METADATA, schema("b"), "mine");
    expect(names(registry)).toEqual(["a", "b", "c"]);
    expect(registry.get("b")?.source).toBe("mine");
    expect(await registry.call("b", {})).toEqual({ content: "new", status: "ok" });
  });

  test("takes the function's name when there is no schema", () => {
    const registry = new ToolRegistry();
    const spec = registry.register(function look_up() {}, METADATA);
    expect(spec).toMatchObject({ name: "look_up", source: "internal", enabled: true });
    expect(spec.schema.function.parameters).toEqual({ type: "object", properties: {} });
    expect(() => registry.register(() => {}, METADATA)).toThrow("needs a name");
  });

  test("hides and shows", async () => {
    const registry = registryWith("a", "b");
    registry.disable("a");
    expect(names(registry)).toEqual(["b"]);
    expect(registry.resolveName("a")).toBeUndefined();
    expect((await registry.call("a", {})).content).toBe("a");
    registry.enable("a");
    expect(names(registry)).toEqual(["a", "b"]);
    expect([registry.remove("a"), registry.remove("a")]).toEqual([true, false]);
    expect(names(registry)).toEqual(["b"]);
  });
});

describe("names as models get them wrong", () => {
  const registry = registryWith(
    "read_file",
    "list_files",
    "grep",
    "write_file",
    "replace_in_file",
    "run_shell",
    "mcp__a-b__c",
  );

  test.each([
    ["read_file", "read_file"],
    ["ReadFile", "read_file"],
    ["read-file", "read_file"],
    ["functions.read_file", "read_file"],
    ["bash", "run_shell"],
    ["Shell", "run_shell"],
    ["edit", "replace_in_file"],
    ["str_replace", "replace_in_file"],
    ["Write", "write_file"],
    ["ls", "list_files"],
    ["Glob", "list_files"],
    ["search", "grep"],
    ["mcp__a_b__c", "mcp__a-b__c"],
    ["patch", undefined],
    ["delete_everything", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("%j is %j", (given, expected) => expect(registry.resolveName(given)).toBe(expected));

  test("two that look alike are none", () => {
    expect(registryWith("a_b", "a.b").resolveName("ab")).toBeUndefined();
  });

  test("an unknown one is answered with the names", async () => {
    const few = registryWith("a", "b");
    const sentence = 'Unknown tool "x". Available: a, b';
    expect(few.parseArguments("x", "{}")).toEqual({ fault: sentence });
    expect(await few.call("x", {})).toEqual({ content: sentence, status: "error" });
  });
});

describe("what a tool returns", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const attachments = [{ name: "a.png", mimeType: "image/png", dataUrl: "data:image/png;base64,AA==" }];

  test.each<[string, ToolFunction, unknown]>([
    ["a string", () => "text", { content: "text", status: "ok" }],
    ["a promise", async () => "later", { content: "later", status: "ok" }],
    [
      "the long form",
      () => ({ content: "c", attachments, display: { a: 1 } }),
      { content: "c", attachments, display: { a: 1 }, status: "ok" },
    ],
    ["the long form with a status", () => ({ content: "c", status: "error" }), { content: "c", status: "error" }],
    ["an object", () => ({ rows: [1, 2] }), { content: '{"rows":[1,2]}', status: "ok" }],
    ["an object with an error", () => ({ error: "no" }), { content: '{"error":"no"}', status: "error" }],
    ["nothing", () => undefined, { content: "null", status: "ok" }],
    ["a big number", () => ({ n: 10n }), { content: '{"n":"10"}', status: "ok" }],
    [
      "a thrown error",
      () => {
        throw new RangeError("out");
      },
      { content: '{"error":"out","error_type":"RangeError"}', status: "error" },
    ],
    [
      "a rejection",
      () => Promise.reject(new ZqError("quota", "spent")),
      { content: '{"error":"spent","error_type":"quota"}', status: "error" },
    ],
    [
      "a thrown text",
      () => {
        throw "plain";
      },
      { content: '{"error":"plain","error_type":"Error"}', status: "error" },
    ],
  ])("%s", async (_name, func, expected) => {
    const registry = new ToolRegistry();
    registry.register(func, METADATA, schema("t"));
    expect(await registry.call("t", {})).toEqual(expected);
  });

  test("a circle is an error, not a crash", async () => {
    const registry = new ToolRegistry();
    registry.register(() => circle, METADATA, schema("t"));
    expect(await registry.call("t", {})).toMatchObject({
      status: "error",
      content: expect.stringContaining("TypeError"),
    });
  });

  test("arguments and context reach the tool", async () => {
    const registry = new ToolRegistry();
    const { signal } = new AbortController();
    registry.register((args, ctx) => ({ args, same: ctx?.signal === signal }), METADATA, schema("t"));
    expect((await registry.call("t", { a: 1 }, { signal })).content).toBe('{"args":{"a":1},"same":true}');
  });

  test("a tool that stops at an interrupt is interrupted, not broken", async () => {
    const registry = new ToolRegistry();
    const stop = new AbortController();
    stop.abort();
    registry.register((_args, ctx) => ctx?.signal?.throwIfAborted(), METADATA, schema("t"));
    expect((await registry.call("t", {}, { signal: stop.signal })).status).toBe("interrupted");
  });
});

test("our schemas are those of the contract, byte for byte", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const contract = JSON.parse(read("cases/schemas.json")) as { name: string; parameters: unknown }[];
  const registry = new ToolRegistry();
  registerReadOnlyFileTools(registry, "/");
  registerSearchTool(registry, "/");
  registerWebTools(registry, "/");
  registerTodoTool(registry);
  registerAskTool(registry);
  registerPlanTool(registry);
  registerDirectoryTool(registry, "/");
  registerMediaTool(registry);
  registerTerminalTools(registry, { terminals: { list: () => [], read: () => null }, projectId: "p" });
  const wanted = contract.map(({ name, parameters }) => {
    return JSON.stringify({ name, description: read(`../../prompts/tools/${name}.md`).trim(), parameters });
  });
  expect(registry.schemas().map((tool) => JSON.stringify(tool.function))).toEqual(wanted);
});

test("approval, risk and category are those of the contract", () => {
  const registry = new ToolRegistry();
  registerReadOnlyFileTools(registry, "/");
  registerSearchTool(registry, "/");
  registerWebTools(registry, "/");
  registerTodoTool(registry);
  registerAskTool(registry);
  registerPlanTool(registry);
  registerDirectoryTool(registry, "/");
  registerMediaTool(registry);
  const table = registry
    .list()
    .map(({ name, metadata: m }) => `${name} ${m.category} ${m.riskLevel} ${m.requiresApproval}`);
  expect(table).toEqual([
    "read_file file low false",
    "list_files file low false",
    "grep search low false",
    "web_search network medium true",
    "web_fetch network medium true",
    "todo_write task low false",
    "ask_user interactive low false",
    "propose_plan interactive low false",
    "request_directory interactive low false",
    "media media medium true",
  ]);
});

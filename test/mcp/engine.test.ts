/** MCP tools in a real turn: seen by the model behind our own, asked about with what is really called, answered with pictures. */
import { expect, it } from "vitest";
import { createDefaultEngine } from "../../src/createDefaultEngine";
import { McpManager, type McpManagerOptions } from "../../src/mcp/McpManager";
import { ApprovalOutcome, type PermissionRequest } from "../../src/shared/contracts";
import type { Message } from "../../src/shared/messages";
import { drain } from "../support/drain";
import type { Script } from "../support/modelServer";
import { ScriptedProvider } from "../support/scriptedProvider";
import { fixture, temporaryFolder } from "./bench";

async function turn(script: Script, options: McpManagerOptions) {
  const workspace = temporaryFolder();
  const provider = new ScriptedProvider(script);
  const engine = createDefaultEngine({ workspace, provider, model: "gpt-4o", lang: "en" });
  const asked: PermissionRequest[] = [];
  engine.setApprover(async (request) => {
    asked.push(request);
    return ApprovalOutcome.ONCE;
  });
  const manager = new McpManager(engine.registry, [fixture("f")], { ...options, builtin: { workspace } });
  try {
    await manager.connectAll();
    await drain(engine.run("go"));
  } finally {
    await manager.closeAll();
  }
  return { asked, requests: provider.requests };
}

function results(messages: readonly Message[]): unknown[] {
  return messages.filter((message) => message.role === "tool").map((message) => message.content);
}

it("a tool is called by name, once a person has allowed it", async () => {
  const script: Script = [
    { calls: [{ name: "mcp__f__echo", args: { text: "hi" } }] },
    { calls: [{ name: "mcp__f__picture", args: {} }] },
    { text: "done" },
  ];
  const { asked, requests } = await turn(script, { lazy: { enabled: false } });
  expect(asked.map(({ toolName, arguments: args, reason }) => ({ toolName, args, reason }))).toEqual([
    { toolName: "mcp__f__echo", args: { text: "hi" }, reason: "It calls a tool of an MCP server." },
    { toolName: "mcp__f__picture", args: {}, reason: "It calls a tool of an MCP server." },
  ]);
  const tools = requests[0]!.tools;
  expect(tools.findIndex((name) => name.startsWith("mcp__"))).toBe(tools.indexOf("media") + 1);
  expect(requests.map((request) => request.tools.join())).toEqual(Array(3).fill(tools.join()));
  expect(results(requests[2]!.messages)[0]).toBe('echo: {"text":"hi"}');
  expect(JSON.stringify(requests[2]!.messages)).toContain("data:image/png;base64,");
});

it("a lazy one is searched without asking, and the approval shows what is called", async () => {
  const call = { name: "mcp__f__echo", arguments: { text: "hi" } };
  const script: Script = [
    { calls: [{ name: "mcp_search_tools", args: { query: "echo" } }] },
    { calls: [{ name: "mcp_call_tool", args: call }] },
    { calls: [{ name: "mcp__f__echo", args: { text: "again" } }] },
    { text: "done" },
  ];
  const { asked, requests } = await turn(script, { lazy: { enabled: true } });
  expect(asked.map(({ toolName, arguments: args }) => ({ toolName, args }))).toEqual([
    { toolName: "mcp_call_tool", args: call },
    { toolName: "mcp__f__echo", args: { text: "again" } },
  ]);
  expect(requests[0]!.tools.slice(-2)).toEqual(["mcp_search_tools", "mcp_call_tool"]);
  expect(requests[1]!.tools.slice(-3)).toEqual(["mcp_search_tools", "mcp_call_tool", "mcp__f__echo"]);
  expect(results(requests[3]!.messages).slice(1)).toEqual(['echo: {"text":"hi"}', 'echo: {"text":"again"}']);
});

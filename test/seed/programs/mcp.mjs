// Guide 15.1 and 15.5: servers from mcp.json, their tools in a turn, and the life of a manager.
import {
  ApprovalOutcome,
  createDefaultEngine,
  defaultMcpConfigPath,
  loadMcpConfigFile,
  McpManager,
  ToolRegistry,
  withBuiltinMcpConfigs,
} from "@zqagent/core";

const workspace = process.cwd();
const apiKey = process.env.OPENAI_API_KEY;
const baseURL = process.env.OPENAI_BASE_URL;
const model = process.env.OPENAI_MODEL ?? "";

const registry = new ToolRegistry();
const { configs, warnings } = loadMcpConfigFile(defaultMcpConfigPath(workspace));
const manager = new McpManager(registry, withBuiltinMcpConfigs(configs), {
  builtin: {
    workspace,
    env: process.env,
    llm: { apiKey, baseURL, model },
  },
});

const { connected, failed } = await manager.connectAll();
console.log(warnings.length, connected.join(" "), failed.map(({ name }) => name).join(" "));
console.log(
  registry
    .schemas()
    .map((schema) => schema.function.name)
    .join(" "),
);

const engine = createDefaultEngine({ workspace });
manager.attach(engine.registry);
engine.setApprover(async ({ toolName, metadata }) => {
  const { category, riskLevel, requiresApproval } = /** @type {import("@zqagent/core").ToolMetadata} */ (metadata);
  console.log(toolName, category, riskLevel, requiresApproval);
  return ApprovalOutcome.ONCE;
});
for await (const { type, data } of engine.run("Greet Ann")) {
  if (type === "tool_finished") console.log(data.name, data.status);
}
console.log(engine.messages.find(({ role }) => role === "tool")?.content);

await manager.connectServer("github");
await manager.refresh("github");
const newRegistry = new ToolRegistry();
manager.attach(newRegistry);
console.log(newRegistry.get("mcp__github__greet")?.name);
await manager.closeAll();
console.log(newRegistry.list().length);

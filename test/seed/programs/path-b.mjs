// Guide 6.2: table, permissions, provider and engine by hand; whatever is asked about is denied.
import {
  ApprovalOutcome,
  Mode,
  OpenAIProvider,
  PermissionEngine,
  registerFileTools,
  registerSearchTool,
  registerShellTool,
  ToolRegistry,
  TurnEngine,
} from "@zqagent/core";

const workspace = process.cwd();

const registry = new ToolRegistry();
registerFileTools(registry, workspace);
registerShellTool(registry, workspace);
registerSearchTool(registry, workspace);

const permissions = new PermissionEngine({
  workspaceRoot: workspace,
  mode: Mode.INTERACTIVE,
  allowedCommands: ["git status", "ls", "cat"],
});

const provider = new OpenAIProvider({
  apiKey: process.env.OPENAI_API_KEY,
  baseURL: process.env.OPENAI_BASE_URL,
});

const engine = new TurnEngine({
  provider,
  registry,
  permissions,
  model: process.env.OPENAI_MODEL ?? "",
  instructions: "You analyse data and nothing else.",
  lang: "zh",
  maxIterations: 50,
});

engine.setApprover(async () => ApprovalOutcome.DENY);

for await (const { type, data } of engine.run("Look around")) {
  if (type === "tool_finished") console.log(data.name, data.status, data.reason ?? "");
  if (type === "turn_end") console.log(data.status, data.iterations);
}
console.log(engine.messages[0]?.content);

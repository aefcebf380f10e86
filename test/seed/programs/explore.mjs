// Guide 16.1: a question handed to a sub-agent, with a hook for each; then the tool registered by hand.
import { createDefaultEngine, OpenAIProvider, registerExploreTool, SubagentHook, ToolRegistry } from "@zqagent/core";

const workspace = process.cwd();
const engine = createDefaultEngine({
  workspace,
  subagentHookFactory: () => new SubagentHook("explore"),
});
for await (const { type, data } of engine.run("Where is the greeting?")) {
  if (type === "tool_finished") console.log(data.name, data.status);
}
const report = engine.messages.find((message) => message.role === "tool")?.content;
console.log(String(report).split("\n")[0]);

const registry = new ToolRegistry();
const provider = new OpenAIProvider();
const model = "scripted";
const toolResultDir = `${workspace}/results`;
const mySubagentHook = new SubagentHook("mine");
registerExploreTool(registry, {
  workspace,
  provider,
  model,
  lang: "zh",
  hookFactory: () => mySubagentHook,
  toolResultDir,
});
const { content, status } = await registry.call("explore", { task: "Where is the greeting?" });
console.log(status, content.split("\n")[0]);

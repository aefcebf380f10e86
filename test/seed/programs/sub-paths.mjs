// Guide 3.4: the tools by the sub-paths, each registered into one table.
import { AgentRegistry, OpenAIProvider, ToolRegistry } from "@zqagent/core";
import { registerAskTool } from "@zqagent/core/tools/ask";
import { registerDiffTools } from "@zqagent/core/tools/diff";
import { registerDirectoryTool } from "@zqagent/core/tools/directories";
import { registerExploreTool } from "@zqagent/core/tools/explore";
import { registerFileTools } from "@zqagent/core/tools/fs";
import { registerGitTools } from "@zqagent/core/tools/git";
import { registerMediaTool } from "@zqagent/core/tools/media";
import { registerPlanTool } from "@zqagent/core/tools/plan";
import { registerSearchTool } from "@zqagent/core/tools/search";
import { registerShellTool } from "@zqagent/core/tools/shell";
import { registerTodoTool } from "@zqagent/core/tools/todo";
import { registerWebTools } from "@zqagent/core/tools/web";

const workspace = process.cwd();
const registry = new ToolRegistry();
registerFileTools(registry, workspace);
registerShellTool(registry, workspace);
registerSearchTool(registry, workspace);
registerWebTools(registry, workspace);
registerGitTools(registry, workspace);
registerDiffTools(registry, workspace);
registerTodoTool(registry);
registerAskTool(registry);
registerPlanTool(registry);
registerDirectoryTool(registry, workspace);
registerExploreTool(registry, { workspace, provider: new OpenAIProvider(), model: "scripted" });
registerMediaTool(registry);
console.log(
  registry
    .list()
    .map((spec) => spec.name)
    .sort()
    .join(" "),
);
console.log(new AgentRegistry().currentDef.name);

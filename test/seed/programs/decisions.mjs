// Guide 8.1 and 8.2: the modes, and the decision in its fixed order.
import { Mode, PermissionEngine, RiskClass, registerFileTools, registerShellTool, ToolRegistry } from "@zqagent/core";

console.log(JSON.stringify(Mode), RiskClass.READ);
const workspace = process.cwd();
const registry = new ToolRegistry();
registerFileTools(registry, workspace);
registerShellTool(registry, workspace);
const permissions = new PermissionEngine({ workspaceRoot: workspace, allowedCommands: ["git status"] });

/** @param {string} name @param {Record<string, unknown>} args */
function show(name, args) {
  /** @type {import("@zqagent/core").Decision} */
  const { allowed, reason, needsUser } = permissions.evaluate(name, args, registry.get(name)?.metadata ?? null);
  console.log(permissions.mode, name, Object.values(args)[0], allowed, needsUser, typeof reason);
}

for (const mode of [Mode.DISCUSS, Mode.PLAN, Mode.INTERACTIVE, Mode.AUTO]) {
  permissions.mode = mode;
  show("write_file", { path: "a.txt", content: "a" });
  show("write_file", { path: "/elsewhere/a.txt", content: "a" });
  show("read_file", { path: "a.txt" });
}
permissions.mode = Mode.INTERACTIVE;
show("run_shell", { command: "git status --short" });
show("run_shell", { command: "make" });
permissions.allowCommandForSession("make");
show("run_shell", { command: "make test" });
permissions.allowToolForSession("write_file");
show("write_file", { path: "a.txt", content: "a" });

// Guide 8.5: command prefixes that run without asking.
import { createDefaultEngine, Mode } from "@zqagent/core";

const engine = createDefaultEngine({
  workspace: process.cwd(),
  mode: Mode.AUTO,
  allowedCommands: ["git status", "git diff", "ls", "cat", "pnpm test"],
});
for await (const { type, data } of engine.run("List"))
  if (type === "tool_finished") console.log(data.name, data.status);

engine.permissions.mode = Mode.INTERACTIVE;
const metadata = engine.registry.get("run_shell")?.metadata ?? null;
for (const command of ["ls", "ls -l", "lsof", "ls; rm -rf /", "cat a | sh", "ls > a", "ls $(id)", "pnpm test"]) {
  console.log(JSON.stringify(command), engine.permissions.evaluate("run_shell", { command }, metadata).allowed);
}

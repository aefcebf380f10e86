/** One command by run_shell, measured from within: `shell.mjs <package> <folder> <command> [<time limit in ms>]`. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [library, folder, command, limit] = process.argv.slice(2);
const { ToolRegistry, registerShellTool } = await import(pathToFileURL(library).href);
const registry = new ToolRegistry();
const { tasks } = registerShellTool(registry, folder, { taskDir: join(folder, "tasks") });
const run = (line, timeout) =>
  registry.call("run_shell", { command: line, ...(timeout ? { timeout_ms: Number(timeout) } : {}) });

await run("true");
const [before, start] = [process.cpuUsage(), performance.now()];
const { content } = await run(command, limit);
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(before);
const isAsExpected = limit ? /timed out after/.test(content) : /\[exit 0/.test(content);
if (!isAsExpected) throw new Error(content.slice(-500));
const rss = process.resourceUsage().maxRSS / 1024;
await tasks.killAll();
process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000, rss }));

/** Searches from a warm process, by ripgrep alone or by the tool: `grep.mjs <package> <job> <folder> <pattern>`. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [library, job, folder, pattern] = process.argv.slice(2);
const CALLS = 3;
const CLOCK_TICK_MS = 10;
const SHOWN = 100;
const { rgPath } = createRequire(library)("@vscode/ripgrep");

/** Up to `SHOWN` lines, by which a careful person's terminal is full. */
function byRipgrep() {
  return new Promise((resolve, reject) => {
    const args = ["--no-config", "--line-number", "--no-heading", "--hidden", "--glob", "!.git", pattern, "./"];
    const child = spawn(rgPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece) => {
      text += piece;
      if (text.split("\n").length > SHOWN) child.kill();
    });
    child.on("error", reject).on("close", () => (text ? resolve() : reject(new Error("nothing found"))));
  });
}

async function byTool() {
  const { ToolRegistry, registerSearchTool } = await import(pathToFileURL(library).href);
  const registry = new ToolRegistry();
  registerSearchTool(registry, folder);
  return async () => {
    const { content } = await registry.call("grep", { pattern });
    if (!/match/.test(content.split("\n").at(-1))) throw new Error(content);
  };
}

/** User and system time of this process and of the children that it has waited for, where the system tells it. */
function cpu() {
  if (!existsSync("/proc/self/stat")) return Number.NaN;
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * CLOCK_TICK_MS;
}

const search = job === "tool" ? await byTool() : byRipgrep;
await search();
const [before, start] = [cpu(), performance.now()];
for (let call = 0; call < CALLS; call++) await search();
const wall = (performance.now() - start) / CALLS;
const rss = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ wall, cpu: (cpu() - before) / CALLS, rss }));

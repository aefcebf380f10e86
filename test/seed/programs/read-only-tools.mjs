// Guide 7.3: reading without a way to write.
import { registerReadOnlyFileTools, ToolRegistry } from "@zqagent/core";

const workspace = process.cwd();
const registry = new ToolRegistry();
registerReadOnlyFileTools(registry, workspace);
console.log(
  registry
    .list()
    .map(({ name }) => name)
    .join(" "),
);
console.log((await registry.call("read_file", { path: "README.md" })).content.includes("A small project"));

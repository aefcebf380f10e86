// Guide 6.1: the whole engine in one call, and what it has by default.
import { createDefaultEngine, Mode } from "@zqagent/core";

const engine = createDefaultEngine({
  workspace: process.cwd(),
  model: "deepseek-chat",
  mode: Mode.INTERACTIVE,
});

console.log(engine.model, engine.permissions.mode, engine.lang, engine.approver);
const tools = engine.registry.schemas().map((schema) => schema.function.name);
console.log(tools.length, tools.sort().join(" "));
console.log(createDefaultEngine({ workspace: process.cwd() }).model);

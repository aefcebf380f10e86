// Guide 12.2: stopping a turn while a command runs; the engine is ready for the next turn.
import { createDefaultEngine } from "@zqagent/core";

const engine = createDefaultEngine({ workspace: process.cwd(), defaultApproval: "allow" });
for await (const event of engine.run("Wait for an hour")) {
  if (event.type === "tool_started") setTimeout(() => engine.requestInterrupt(), 50);
  if (event.type === "tool_finished" || event.type === "turn_end") console.log(event.type, event.data.status);
  if (event.type === "interrupted") console.log(event.type, event.data.iterations);
}
for await (const event of engine.run("Go on")) if (event.type === "turn_end") console.log(event.data.status);

// Guide 10.3: the reasoning effort goes to the provider.
import { createDefaultEngine } from "@zqagent/core";

const engine = createDefaultEngine({
  workspace: process.cwd(),
  reasoningEffort: "high",
});
for await (const event of engine.run("Think")) if (event.type === "turn_end") console.log(event.data.status);

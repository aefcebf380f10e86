// Guide 12.1: the second turn knows of the first.
import { createDefaultEngine } from "@zqagent/core";

const engine = createDefaultEngine({ workspace: process.cwd() });

/** @param {AsyncIterable<import("@zqagent/core").WsEvent>} stream */
async function drain(stream) {
  for await (const event of stream) if (event.type === "assistant_message") console.log(event.data.text);
}

await drain(engine.run("First look at the project"));
await drain(engine.run("Now change the README"));

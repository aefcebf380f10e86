// Guide 12.3: once more after an error that may pass; nothing after a turn that went well.
import { createDefaultEngine } from "@zqagent/core";

const engine = createDefaultEngine({ workspace: process.cwd() });
for await (const e of engine.run("Hello")) {
  if (e.type === "error") console.log(e.type, e.data.retriable);
  if (e.type === "turn_end") console.log(e.data.status);
}
for await (const e of engine.retry()) {
  if (e.type === "assistant_message") console.log(e.data.text);
  if (e.type === "turn_end") console.log(e.data.status);
}
let count = 0;
for await (const _event of engine.retry()) count += 1;
console.log(count);

// Guide 11.2: several hooks as one.
import { existsSync } from "node:fs";
import { CompositeHook, ConsoleHook, createDefaultEngine, FileLogHook } from "@zqagent/core";

const sessionId = "s-1";
const stateDir = `${process.cwd()}/sessions`;
const hook = new CompositeHook([
  new ConsoleHook(),
  new FileLogHook(sessionId, stateDir),
  {
    onTurnStart() {
      throw new Error("A hook that throws harms nobody.");
    },
  },
]);

const engine = createDefaultEngine({ workspace: process.cwd(), hook });
for await (const _event of engine.run("Hello")) {
  // The hooks print.
}
console.log(existsSync(`${stateDir}/${sessionId}.jsonl`));

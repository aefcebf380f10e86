// Guide 12.4: an approval that was open when the service went down is asked for again after the restart.
import { cpSync } from "node:fs";
import { ApprovalOutcome, createDefaultEngine, FileLogHook } from "@zqagent/core";

const workspace = process.cwd();
const stateDir = `${workspace}/sessions`;
const afterTheFall = `${workspace}/sessions-as-they-were`;
const hook = new FileLogHook("s-1", stateDir);
const before = createDefaultEngine({ workspace, hook });
before.setApprover(() => {
  hook.saveState(before);
  // The service goes down here: the disk keeps what it has, and nobody ever answers.
  cpSync(stateDir, afterTheFall, { recursive: true });
  setImmediate(() => before.requestInterrupt());
  return new Promise(() => {});
});
for await (const event of before.run("Write the file")) {
  if (event.type === "permission_required") console.log("asked", event.data.reqId);
}

const engine = createDefaultEngine({ workspace, messages: FileLogHook.loadState("s-1", afterTheFall)?.messages });
engine.setApprover(async (request) => {
  console.log("answered", request.toolCallId);
  return ApprovalOutcome.ONCE;
});
for await (const e of engine.resume()) {
  if (e.type === "tool_finished") console.log(e.data.name, e.data.status);
  if (e.type === "turn_end") console.log(e.data.status);
}
let count = 0;
for await (const _event of engine.resume()) count += 1;
console.log(count);

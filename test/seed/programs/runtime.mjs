// Guide 6.3: what may be changed while the engine lives, and what may be looked at.
import { ApprovalOutcome, createDefaultEngine, Mode } from "@zqagent/core";

const engine = createDefaultEngine({ workspace: process.cwd(), instructions: "First." });

engine.model = "another-model";
engine.permissions.mode = Mode.AUTO;
engine.registry.disable("web_search");
const approver = async () => ApprovalOutcome.DENY;
engine.setApprover(approver);
console.log(engine.approver === approver);
engine.setSystemPrompt("Second.");
engine.queueSteering("wait for me", undefined, undefined);
engine.queueSteering("not me");
console.log(engine.removeSteering("not me"), engine.removeSteering("not me"));

for await (const { type, data } of engine.run("Begin")) {
  if (type === "llm_request") console.log(type, data.model, data.toolCount);
  if (type === "queue_steering") console.log(type, data.text);
  if (type === "tool_started") engine.requestInterrupt();
  if (type === "interrupted") console.log(type, data.iterations);
  if (type === "turn_end") console.log(type, data.status);
}
console.log(engine.messages.map((message) => message.role).join(" "));
console.log(engine.messages[0]?.content);
console.log(typeof engine.compactionState);

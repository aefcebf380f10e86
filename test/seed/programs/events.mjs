// Guide 9.1: the order of a turn with one tool that is asked about.
import { ApprovalOutcome, createDefaultEngine } from "@zqagent/core";

const engine = createDefaultEngine({ workspace: process.cwd() });
engine.setApprover(async () => {
  console.log("(the approver)");
  return ApprovalOutcome.ONCE;
});

let last = "";
/** @type {AsyncGenerator<import("@zqagent/core").WsEvent>} */
const stream = engine.run("Do it");
for await (const event of stream) {
  if (event.type !== last) console.log(event.type);
  last = event.type;
}

// Guide 8.3: the four answers of an approver, and what happens without one.
import { ApprovalOutcome, createDefaultEngine } from "@zqagent/core";

/** @typedef {import("@zqagent/core").PermissionRequest} PermissionRequest */

const answers = [
  ApprovalOutcome.ONCE,
  ApprovalOutcome.ALWAYS_COMMAND,
  ApprovalOutcome.DENY,
  ApprovalOutcome.ALWAYS_TOOL,
];
console.log(JSON.stringify(ApprovalOutcome));

/** @type {import("@zqagent/core").Approver} */
const approver = async (/** @type {PermissionRequest} */ request) => {
  const answer = answers.shift() ?? ApprovalOutcome.DENY;
  console.log(request.toolName, request.toolCallId, Object.values(request.arguments)[0], "->", answer);
  return answer;
};

const engine = createDefaultEngine({ workspace: process.cwd() });
engine.setApprover(approver);
for await (const { type, data } of engine.run("Work")) {
  if (type === "permission_required") console.log("required", data.reqId, data.category);
  if (type === "tool_finished") console.log("finished", data.reqId, data.status);
}

for (const defaultApproval of /** @type {const} */ (["allow", "deny", "error"])) {
  const other = createDefaultEngine({ workspace: process.cwd(), defaultApproval });
  try {
    for await (const { type, data } of other.run("Work")) {
      if (type === "tool_finished") console.log(defaultApproval, data.status);
    }
  } catch (error) {
    console.log(defaultApproval, error instanceof Error ? error.message : error);
  }
}

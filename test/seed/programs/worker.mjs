// Guide 18.3: nobody there to ask; rules decide.
import { ApprovalOutcome, createDefaultEngine, Mode } from "@zqagent/core";

const jobWorkspace = process.cwd();
const engine = createDefaultEngine({
  workspace: jobWorkspace,
  mode: Mode.INTERACTIVE,
  defaultApproval: "deny",
  allowedCommands: ["npm test", "npm run build"],
  maxIterations: 20,
  hook: {
    onAssistantMessage: (_text, _toolCalls, usage) => console.log("tokens", Number(usage?.input) > 0),
    onTurnEnd: (status) => console.log("status", status),
  },
});

engine.setApprover(async (req) => {
  if (req.toolName === "run_shell" && String(req.arguments.command).startsWith("npm test")) {
    return ApprovalOutcome.ONCE;
  }
  return ApprovalOutcome.DENY;
});

for await (const { type, data } of engine.run("Do the job")) {
  if (type === "tool_finished") console.log(data.name, data.status);
}

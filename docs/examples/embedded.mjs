/** The least that an embedding needs (guide 4): an engine, somebody who approves, and a reader of events. */
import { ApprovalOutcome, createDefaultEngine, EventType, Mode, setQuestionHandler } from "zqagent";

const engine = createDefaultEngine({ workspace: process.cwd(), mode: Mode.INTERACTIVE, lang: "en" });

// In a product this is a dialog. Here: commands are refused, everything else is allowed once.
engine.setApprover(async (request) => {
  console.log(`[asks] ${request.toolName}: ${request.reason}`);
  return request.toolName === "run_shell" ? ApprovalOutcome.DENY : ApprovalOutcome.ONCE;
});
setQuestionHandler(async (_question, options) =>
  typeof options[0] === "string" ? options[0] : (options[0]?.label ?? null),
);

for await (const event of engine.run(process.argv[2] ?? "Read this project and tell me what it does.")) {
  if (event.type === EventType.ASSISTANT_DELTA) process.stdout.write(String(event.data.text));
  else if (event.type === EventType.TOOL_STARTED) console.log(`\n[runs] ${event.data.name}`);
  else if (event.type === EventType.TOOL_FINISHED) console.log(`[${event.data.status}] ${event.data.name}`);
  else if (event.type === EventType.ERROR) console.error(`\n${event.data.error}`);
  else if (event.type === EventType.TURN_END) console.log(`\n[end] ${event.data.status}`);
}
await engine.dispose();

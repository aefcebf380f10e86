// Guide 4: assembly, approval, the answer to ask_user, and one turn read to its end.
import { ApprovalOutcome, createDefaultEngine, EventType, Mode, setQuestionHandler } from "@zqagent/core";

const engine = createDefaultEngine({
  workspace: process.cwd(),
  model: process.env.OPENAI_MODEL ?? "",
  mode: Mode.INTERACTIVE,
});

engine.setApprover(async (request) => {
  console.log(`approve ${request.toolName}: ${request.reason} ${JSON.stringify(request.arguments)}`);
  return ApprovalOutcome.ONCE;
});

setQuestionHandler(async (question, options, allowText, multi) => {
  console.log(`question ${question} ${JSON.stringify({ options, allowText, multi })}`);
  return options[0] ?? "";
});

let text = "";
for await (const event of engine.run("Read this project and say what it does")) {
  switch (event.type) {
    case EventType.ASSISTANT_DELTA:
      text += String(event.data.text ?? "");
      break;
    case EventType.TOOL_STARTED:
      console.log(`started ${event.data.name}`);
      break;
    case EventType.TOOL_FINISHED:
      console.log(`finished ${event.data.name}: ${event.data.status}`);
      break;
    case EventType.ERROR:
      console.log(`error ${event.data.error}`);
      break;
    case EventType.TURN_END:
      console.log(`${text}\nend ${event.data.status}`);
      break;
  }
}

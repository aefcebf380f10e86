/** An unattended worker (guide 18.3): business rules approve instead of a person, and the exit code tells how it went. */
import { ApprovalOutcome, createDefaultEngine, EventType, Mode } from "zqagent";

const [workspace, job] = process.argv.slice(2);
if (!workspace || !job) {
  console.error('usage: node worker.mjs <folder> "job"');
  process.exit(2);
}

const spent = { input: 0, output: 0 };
const engine = createDefaultEngine({
  workspace,
  mode: Mode.INTERACTIVE,
  lang: "en",
  defaultApproval: "deny",
  allowedCommands: ["npm test", "node --test"],
  maxIterations: 40,
  capTokens: 60_000,
  hook: {
    onAssistantMessage(_text, _calls, usage) {
      spent.input += usage?.input ?? 0;
      spent.output += usage?.output ?? 0;
    },
  },
});

/** Files may be changed; commands only as listed above. */
engine.setApprover(async (request) =>
  ["write_file", "replace_in_file", "apply_patch"].includes(request.toolName)
    ? ApprovalOutcome.ONCE
    : ApprovalOutcome.DENY,
);

let status = "error";
let files = [];
for await (const event of engine.run(job)) {
  if (event.type === EventType.ERROR) console.error(event.data.error);
  if (event.type === EventType.TURN_END) {
    status = event.data.status;
    files = event.data.produced_files;
  }
}
await engine.dispose();
console.log(JSON.stringify({ status, files, spent }));
process.exit(status === "completed" ? 0 : 1);

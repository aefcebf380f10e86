/** Several tenants in one process (guide 18.4): each has its own folder, credentials, results, log and snapshots. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ApprovalOutcome, createDefaultEngine, EventType, FileLogHook, Mode, OpenAIProvider } from "zqagent";

const root = process.argv[2] ?? process.cwd();
const tenants = [
  { name: "tenant-1", prompt: "Write down who you are." },
  { name: "tenant-2", prompt: "Write down who you are." },
];

function createTenant(name) {
  const home = join(root, name);
  const workspace = join(home, "workspace");
  mkdirSync(workspace, { recursive: true });
  const engine = createDefaultEngine({
    workspace,
    mode: Mode.INTERACTIVE,
    lang: "en",
    // In a product each tenant's own key; never in a prompt, never shared.
    provider: new OpenAIProvider({ apiKey: process.env.OPENAI_API_KEY, baseURL: process.env.OPENAI_BASE_URL }),
    toolResultDir: join(home, "tool-results"),
    hook: new FileLogHook(name, join(home, "state")),
    vcs: { mode: "auto", sessionId: name },
  });
  // The request carries its tenant's context because each engine has an approver of its own.
  engine.setApprover(async (request) => {
    console.log(`${name} asks for ${request.toolName}`);
    return ApprovalOutcome.ONCE;
  });
  return engine;
}

await Promise.all(
  tenants.map(async ({ name, prompt }) => {
    const engine = createTenant(name);
    for await (const event of engine.run(`${prompt} You work for ${name}.`)) {
      if (event.type === EventType.TURN_END)
        console.log(`${name}: ${event.data.status}, ${event.data.produced_files.join(", ")}`);
    }
    await engine.dispose();
  }),
);

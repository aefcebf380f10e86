/**
 * A sidecar for a desktop shell (guide 18.2): JSON lines in on stdin, JSON lines out on stdout.
 * In: {type:"prompt",text} {type:"approval",reqId,outcome} {type:"interrupt"} {type:"quit"}. Out: events, and {type:"ready"|"saved"}.
 */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ApprovalOutcome, createDefaultEngine, FileLogHook, Mode } from "zqagent";

const workspace = process.env.WORKSPACE ?? process.cwd();
const stateDir = process.env.STATE_DIR ?? join(workspace, ".agent", "sessions");
const sessionId = process.env.SESSION_ID ?? "desktop";

const saved = FileLogHook.loadState(sessionId, stateDir);
const hook = new FileLogHook(sessionId, stateDir);
const engine = createDefaultEngine({
  workspace,
  mode: Mode.INTERACTIVE,
  lang: "en",
  hook,
  ...(saved ? { messages: saved.messages } : {}),
});
if (saved?.permissionMode) engine.permissions.mode = saved.permissionMode;
for (const tool of saved?.allowTools ?? []) engine.permissions.allowToolForSession(tool);
for (const command of saved?.allowCommands ?? []) engine.permissions.allowCommandForSession(command);

const waiting = new Map();
engine.setApprover((request) => new Promise((resolve) => waiting.set(request.toolCallId, resolve)));

let turns = Promise.resolve();
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const doing = {
  prompt: ({ text }) => {
    turns = turns.then(async () => {
      for await (const event of engine.run(String(text))) say(event);
    });
  },
  approval: ({ reqId, outcome }) => {
    const isOutcome = Object.values(ApprovalOutcome).includes(outcome);
    waiting.get(reqId)?.(isOutcome ? outcome : ApprovalOutcome.DENY);
    waiting.delete(reqId);
  },
  interrupt: () => engine.requestInterrupt(),
  quit: () => lines.close(),
};

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  try {
    const message = JSON.parse(line);
    doing[message.type]?.(message);
  } catch {
    say({ type: "error", data: { error: "That line is not JSON." } });
  }
});
// The shell has gone, or said quit: what runs is stopped, and what was said is kept.
lines.on("close", async () => {
  engine.requestInterrupt();
  await turns;
  hook.saveState(engine);
  await engine.dispose();
  say({ type: "saved" });
  process.exit(0);
});
say({ type: "ready", restored: engine.messages.length });

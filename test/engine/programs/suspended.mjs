/**
 * One process of a session, for tests that kill it. Lines of JSON out: `pending`, every event, `messages` at the end.
 * With a prompt it begins a turn in which nobody ever answers; with answers ({ callId: answer }) it goes on with one.
 */
import { createDefaultEngine, FileLogHook } from "zqagent";

const { stateDir, prompt, answers = {}, saves } = JSON.parse(process.argv[2] ?? "{}");
const say = (type, data) => process.stdout.write(`${JSON.stringify({ type, data })}\n`);

const hook = new FileLogHook("s1", stateDir);
const saved = FileLogHook.loadState("s1", stateDir) ?? FileLogHook.rebuild("s1", stateDir);
const engine = createDefaultEngine({
  workspace: process.cwd(),
  lang: "en",
  hook,
  ...(saved && { messages: saved.messages }),
});
hook.attach(engine);
engine.setApprover(async ({ toolCallId }) => answers[toolCallId] ?? new Promise(() => {}));
say("pending", engine.pendingApprovals());
for await (const { type, data } of prompt === undefined ? engine.resume() : engine.run(prompt)) {
  if (type === saves) hook.saveState(engine);
  say(type, data);
}
say("messages", engine.messages);
await engine.dispose();

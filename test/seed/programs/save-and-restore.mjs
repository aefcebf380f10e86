// Guide 11.3: a session is kept, and goes on in another engine with its permissions.
import { existsSync } from "node:fs";
import { createDefaultEngine, FileLogHook, Mode } from "@zqagent/core";

const workspace = process.cwd();
const sessionId = "s-1";
const stateDir = `${workspace}/sessions`;

/** @returns the engine of the session, with what the disk holds of it */
function open() {
  const hook = new FileLogHook(sessionId, stateDir);
  const saved = FileLogHook.loadState(sessionId, stateDir);
  const engine = createDefaultEngine({
    workspace,
    messages: saved?.messages,
    hook,
  });
  const mode = Object.values(Mode).find((candidate) => candidate === saved?.permissionMode);
  if (mode) engine.permissions.mode = mode;
  for (const tool of saved?.allowTools ?? []) engine.permissions.allowToolForSession(tool);
  for (const command of saved?.allowCommands ?? []) engine.permissions.allowCommandForSession(command);
  return { engine, hook, saved };
}

const first = open();
console.log(first.saved);
for await (const _event of first.engine.run("My name is Ann.")) {
  // Only the history counts.
}
first.engine.permissions.mode = Mode.AUTO;
first.engine.permissions.allowToolForSession("web_fetch");
first.engine.permissions.allowCommandForSession("make test");
const name = "Names";
const taskCount = 1;
first.hook.onPaused();
first.hook.onResumed();
first.hook.saveState(first.engine, { name, nameSource: "auto", taskCount });
console.log(existsSync(`${stateDir}/${sessionId}.jsonl`), existsSync(`${stateDir}/${sessionId}_state.json`));

const second = open();
/** @type {import("@zqagent/core").SavedState | null} */
const state = second.saved;
const { messages, savedAt, ...rest } = state ?? { messages: [], savedAt: "" };
console.log(JSON.stringify(rest), messages.length, Number.isNaN(Date.parse(savedAt)));
const { permissions } = second.engine;
const { metadata = null } = second.engine.registry.get("run_shell") ?? {};
console.log(permissions.mode, permissions.sessionTools.join(" "));
permissions.mode = Mode.INTERACTIVE;
console.log(permissions.evaluate("run_shell", { command: "make all" }, metadata).allowed);
for await (const event of second.engine.run("What is my name?")) {
  if (event.type === "assistant_message") console.log(event.data.text);
}
console.log(FileLogHook.loadState("never-was", stateDir));

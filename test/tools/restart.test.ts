/** After a restart the conflict guard knows what the session had seen, from its log, and guards as it did before. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ScriptedCall } from "../../src/cli/demo/script";
import { createDefaultEngine } from "../../src/createDefaultEngine";
import { FileLogHook } from "../../src/hooks/FileLogHook";
import type { Message } from "../../src/shared/messages";
import { drain } from "../support/drain";
import { ScriptedProvider } from "../support/scriptedProvider";

function stage() {
  const root = mkdtempSync(join(tmpdir(), "zqagent-restart-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "ws");
  mkdirSync(workspace);
  const path = (name: string) => join(workspace, name);
  const put = (name: string, text: string) => writeFileSync(path(name), text);
  const engineWith = (calls: ScriptedCall[], messages: Message[] = []) => {
    const provider = new ScriptedProvider([...calls.map((call) => ({ calls: [call] })), { text: "Done." }]);
    const hook = new FileLogHook("s", join(root, "state"));
    onTestFinished(() => hook.close());
    const engine = createDefaultEngine({ model: "scripted", mode: "auto", workspace, provider, hook, messages });
    return { engine, provider };
  };
  /** A turn in a process of its own, which goes on with what the log of the earlier ones holds. */
  const turn = async (...calls: ScriptedCall[]) => {
    const { engine, provider } = engineWith(calls, FileLogHook.rebuild("s", join(root, "state"))?.messages);
    await drain(engine.run("Go on."));
    expect(JSON.stringify(provider.requests.map(({ messages }) => messages))).not.toContain('"seen"');
    return String(engine.messages.filter(({ role }) => role === "tool").at(-1)?.content);
  };
  return { path, put, text: (name: string) => readFileSync(path(name), "utf8"), engineWith, turn };
}

const read: ScriptedCall = { name: "read_file", args: { path: "f" } };
const write: ScriptedCall = { name: "write_file", args: { path: "f", content: "new\n" } };
const UNREAD = /has not been read in this session/;
const CHANGED = /changed on disk since you read it/;

test("a file that was read before is written", async () => {
  const { put, text, turn } = stage();
  put("f", "old\n");
  await turn(read);
  expect(await turn(write)).toContain("Replaced f (1 line, +1 −1).");
  expect(text("f")).toBe("new\n");
});

test("a file that was written before is written again", async () => {
  const { turn } = stage();
  await turn(write);
  const again = { name: "write_file", args: { path: "f", content: "newer\n" } };
  expect(await turn(again)).toContain("Replaced f");
});

test("a file whose times alone have changed is written", async () => {
  const { path, put, turn } = stage();
  put("f", "old\n");
  await turn(read);
  utimesSync(path("f"), 1, 1);
  expect(await turn(write)).toContain("Replaced f");
});

test.each<[string, ScriptedCall[]]>([
  ["was only read", [read]],
  ["was read and written", [read, { name: "write_file", args: { path: "f", content: "own\n" } }]],
])("a file that %s and has changed since is refused", async (_, calls) => {
  const { put, text, turn } = stage();
  put("f", "old\n");
  await turn(...calls);
  put("f", "theirs\n");
  expect(await turn(write)).toMatch(CHANGED);
  expect(text("f")).toBe("theirs\n");
});

test.each<[string, ScriptedCall]>([
  ["was never read", { name: "list_files", args: {} }],
  [
    "was deleted by the session",
    { name: "apply_patch", args: { patch: "*** Begin Patch\n*** Delete File: f\n*** End Patch" } },
  ],
])("a file that %s is refused", async (_, call) => {
  const { put, turn } = stage();
  put("f", "old\n");
  await turn(read, call);
  put("g", "theirs\n");
  put("f", "theirs\n");
  const calls = call.name === "apply_patch" ? write : { name: "write_file", args: { path: "g", content: "new\n" } };
  expect(await turn(calls)).toMatch(UNREAD);
});

test("a write that was approved and never ran is run, unless the file has changed", async () => {
  for (const isChanged of [false, true]) {
    const { put, text, engineWith } = stage();
    put("f", "old\n");
    const before = engineWith([read]);
    await drain(before.engine.run("Go on."));
    const call = { id: "w1", type: "function" as const, function: { name: write.name, arguments: "" } };
    call.function.arguments = JSON.stringify(write.args);
    const open: Message = { role: "assistant", content: "", tool_calls: [call] };
    const kept = JSON.parse(JSON.stringify([...before.engine.messages, open])) as Message[];
    if (isChanged) put("f", "theirs\n");
    await drain(engineWith([], kept).engine.resume());
    expect(text("f")).toBe(isChanged ? "theirs\n" : "new\n");
  }
});

test.each<[string, (note: unknown[]) => unknown]>([
  ["is no list", () => "all of them"],
  ["lacks its numbers", (note) => note.slice(0, 3)],
  ["has words for numbers", (note) => note.map((part, at) => (at === 3 ? "many" : part))],
  ["has no hash", (note) => note.slice(0, 7)],
])("a note that %s vouches for nothing", async (_, damage) => {
  const { put, engineWith } = stage();
  put("f", "old\n");
  const before = engineWith([read]);
  await drain(before.engine.run("Go on."));
  const damaged = before.engine.messages.map((message) =>
    message.seen ? { ...message, seen: message.seen.map((note) => damage(note as unknown[])) } : message,
  );
  expect(JSON.stringify(damaged)).not.toBe(JSON.stringify(before.engine.messages));
  const { engine } = engineWith([write], damaged);
  await drain(engine.run("Go on."));
  expect(String(engine.messages.filter(({ role }) => role === "tool").at(-1)?.content)).toMatch(UNREAD);
});

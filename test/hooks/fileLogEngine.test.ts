/** The log under a real engine: whatever moment a turn is cut off at, nothing that was shown is lost (guide 11). */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CompositeHook } from "../../src/hooks/CompositeHook";
import { FileLogHook } from "../../src/hooks/FileLogHook";
import { Mode } from "../../src/permissions/PermissionEngine";
import { ApprovalOutcome } from "../../src/shared/contracts";
import type { EngineHook } from "../../src/shared/EngineHook";
import type { WsEvent } from "../../src/shared/events";
import { engineWith, temporaryFolder } from "../engine/engineUnderTest";
import { faultsOf } from "../engine/validHistory";

/** Throws at everything: the session must not notice. */
const hostile: EngineHook = {
  onEach: () => {
    throw new Error("hostile");
  },
  onEvent: () => {
    throw new Error("hostile");
  },
};

const script = [
  {
    text: "Looking.",
    reasoning: "hm",
    calls: [
      { name: "read", args: { path: "a" } },
      { name: "write", args: { path: "b" } },
      { name: "shell", args: { command: "npm test" } },
    ],
  },
  { text: "Done \u2028 at last." },
];

function typesIn(path: string): string[] {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => String(JSON.parse(line).type));
}

test("an event is in the log before it is seen, and the log alone gives the history back", async () => {
  const dir = temporaryFolder();
  const log = new FileLogHook("s1", dir);
  const { engine } = engineWith(script, { hook: new CompositeHook([hostile, log]), mode: Mode.INTERACTIVE });
  engine.setApprover(async () => ApprovalOutcome.ALWAYS_COMMAND);
  log.attach(engine);
  const seen: WsEvent[] = [];
  for await (const event of engine.run("do it")) {
    seen.push(event);
    if (!event.type.endsWith("_delta")) expect(typesIn(join(dir, "s1.jsonl"))).toContain(event.type);
  }
  const events = seen.map(({ type }) => type).filter((type) => !type.endsWith("_delta"));
  const others = new Set(["message_appended", "history_replaced", "session_state"]);
  expect(typesIn(join(dir, "s1.jsonl")).filter((type) => !others.has(type))).toEqual(events);
  const state = FileLogHook.rebuild("s1", dir);
  expect(JSON.stringify(state?.messages)).toBe(JSON.stringify(engine.messages));
  expect(state).toMatchObject({
    model: "scripted",
    permissionMode: "interactive",
    allowCommands: ["npm"],
    taskCount: 1,
  });
});

test("cut off after any event, the session goes on with a valid history that has all that was shown", async () => {
  const dir = temporaryFolder();
  const log = new FileLogHook("s1", dir);
  const { engine } = engineWith(script, { hook: log });
  const moments: { folder: string; shown: WsEvent[] }[] = [];
  const shown: WsEvent[] = [];
  for await (const event of engine.run("do it")) {
    shown.push(event);
    const folder = join(dir, `moment-${moments.length}`);
    mkdirSync(folder);
    copyFileSync(join(dir, "s1.jsonl"), join(folder, "s1.jsonl"));
    moments.push({ folder, shown: [...shown] });
  }
  for (const { folder, shown } of moments) {
    const messages = FileLogHook.rebuild("s1", folder)?.messages ?? [];
    const texts = JSON.stringify(messages);
    for (const { type, data } of shown) {
      if (type === "assistant_message") expect(texts).toContain(JSON.stringify(data.text));
      if (type === "tool_finished" && data.status === "ok") expect(texts).toContain(`${data.name} done:`);
    }
    const again = engineWith([{ text: "on we go" }], { messages, hook: new FileLogHook("s1", folder) });
    for await (const _ of again.engine.run("go on")) void _;
    expect(faultsOf(again.provider.requests[0]!.messages)).toEqual([]);
    expect(FileLogHook.rebuild("s1", folder)?.messages).toEqual(again.engine.messages);
  }
});

test("one more turn of a long restored session writes the records of that turn and nothing else", async () => {
  const dir = temporaryFolder();
  const messages = Array.from({ length: 2_000 }, (_, index) => ({
    role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `Message ${index}.`,
  }));
  const log = new FileLogHook("s1", dir);
  const first = engineWith([{ text: "First answer." }], { messages, hook: log, contextWindow: 1_000_000 });
  for await (const _ of first.engine.run("first")) void _;
  expect(log.saveState(first.engine)).toBe(true);
  log.close();
  const path = join(dir, "s1.jsonl");
  const before = readFileSync(path, "utf8");
  const restored = FileLogHook.loadState("s1", dir)?.messages ?? [];
  const again = engineWith([{ text: "Second answer." }], {
    messages: restored,
    hook: new FileLogHook("s1", dir),
    contextWindow: 1_000_000,
  });
  for await (const _ of again.engine.run("second")) void _;
  expect(again.provider.requests[0]?.messages.length).toBeGreaterThan(2_000);
  const added = readFileSync(path, "utf8").slice(before.length).trimEnd().split("\n");
  expect(added.filter((line) => line.includes("message_appended"))).toHaveLength(2);
  expect(added.filter((line) => line.includes("history_replaced"))).toEqual([]);
  expect(added.join("\n").length).toBeLessThan(4_000);
});

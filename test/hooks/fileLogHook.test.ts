/** A session on disk: in the log before it is seen, back again after any end (guide 11.3). */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileLogHook, type FileLogOptions } from "../../src/hooks/FileLogHook";
import { restoreSession } from "../../src/hooks/restore";
import type { EventType } from "../../src/shared/events";
import type { Message } from "../../src/shared/messages";

/** What an engine shows to the hook, with a history that tells the hook of every change as the real one does. */
class Conversation {
  model = "m-1";
  messages: Message[] = [];
  compactionState: Record<string, unknown> | null = null;
  permissions = { mode: "interactive", sessionTools: [] as string[], sessionCommands: [] as string[] };

  constructor(readonly hook: FileLogHook) {}

  say(role: Message["role"], content: Message["content"], more: Partial<Message> = {}): void {
    const message = { role, content, ...more } as Message;
    this.messages.push(message);
    this.hook.onEvent("message_appended", { index: this.messages.length - 1, message });
  }

  replace(messages: Message[]): void {
    this.messages = messages;
    this.hook.onEvent("history_replaced", { messages });
  }

  change(index: number, message: Message): void {
    this.messages[index] = message;
    this.hook.onEvent("history_replaced", { changed: [[index, message]] });
  }

  tell(type: EventType, data: Record<string, unknown> = {}): void {
    this.hook.onEach({ type, data });
  }

  turn(prompt: string, answer: string): void {
    this.tell("turn_start", { input: prompt });
    if (this.messages.length === 0) this.say("system", "You help.");
    this.say("user", prompt);
    this.tell("llm_request", { model: this.model });
    this.tell("assistant_delta", { text: answer });
    this.say("assistant", answer, { reasoning: "because", vendor_key: { kept: true } });
    this.tell("assistant_message", { text: answer });
    this.tell("iteration_end", { iteration: 1 });
    this.tell("turn_end", { status: "completed" });
  }
}

function open(options?: FileLogOptions): { dir: string; talk: Conversation; hook: FileLogHook } {
  const dir = join(mkdtempSync(join(tmpdir(), "zqagent-filelog-")), "session");
  const hook = new FileLogHook("s1", dir, options);
  return { dir, hook, talk: new Conversation(hook) };
}

function linesOf(dir: string): { t: string; type: string; data: Record<string, unknown> }[] {
  return readFileSync(join(dir, "s1.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe("the log", () => {
  test("a record is in the file when the callback returns; deltas and live output stay out", () => {
    const { dir, talk } = open();
    talk.tell("turn_start", { input: "hi" });
    expect(linesOf(dir)).toHaveLength(1);
    talk.tell("assistant_delta", { text: "h" });
    talk.tell("reasoning_delta", { text: "h" });
    talk.tell("tool_output", { chunk: "h" });
    talk.say("user", "hi");
    expect(linesOf(dir).map(({ type }) => type)).toEqual(["turn_start", "message_appended"]);
    expect(linesOf(dir)[0]).toMatchObject({ type: "turn_start", data: { input: "hi" } });
    expect(Number.isNaN(Date.parse(linesOf(dir)[0]!.t))).toBe(false);
  });

  test("events that reach onEvent too are written once", () => {
    const { dir, hook, talk } = open();
    talk.tell("llm_request", { model: "m" });
    hook.onEvent("llm_request", { model: "m" });
    expect(linesOf(dir)).toHaveLength(1);
  });

  test("nothing is made on disk before the first record", () => {
    const { dir } = open();
    expect(existsSync(dir)).toBe(false);
  });

  test.skipIf(process.platform === "win32")("files are 0600 and folders 0700, whatever the umask", () => {
    const { dir, talk, hook } = open();
    const old = process.umask(0o022);
    try {
      talk.turn("a", "b");
      hook.saveState(talk);
    } finally {
      process.umask(old);
    }
    const modes = [dir, join(dir, "s1.jsonl"), join(dir, "s1_state.json")].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  test("pausing, resuming and a host's own records are lines too", () => {
    const { dir, hook } = open();
    hook.onPaused({ reqId: "c1" });
    hook.onResumed();
    hook.record("note", { text: "x" });
    expect(linesOf(dir).map(({ type, data }) => [type, data])).toEqual([
      ["paused", { reqId: "c1" }],
      ["resumed", {}],
      ["note", { text: "x" }],
    ]);
  });

  test("data that JSON cannot hold does not stop the log", () => {
    const { dir, hook } = open();
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    hook.record("odd", circle);
    hook.record("odd", { big: 1n });
    expect(linesOf(dir).map(({ data }) => data)).toEqual([{ self: "[circular]" }, { big: "1" }]);
  });

  test("the bytes of attachments stay out of log and checkpoint", () => {
    const { dir, hook, talk } = open();
    const url = `data:image/png;base64,${"A".repeat(1000)}`;
    talk.say("user", [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url } },
      { type: "media", mimeType: "audio/wav", dataUrl: url },
    ]);
    talk.replace([...talk.messages]);
    talk.change(0, talk.messages[0]!);
    hook.saveState(talk);
    const expected = [{ role: "user", content: [{ type: "text", text: "look" }] }];
    expect(FileLogHook.loadState("s1", dir)?.messages).toEqual(expected);
    expect(FileLogHook.rebuild("s1", dir)?.messages).toEqual(expected);
    for (const name of readdirSync(dir)) expect(readFileSync(join(dir, name), "utf8")).not.toContain("base64");
  });

  test("the key reaches neither file", () => {
    const { dir, hook, talk } = open({ secrets: ["sk-canary-123", 'pass"canary\\x'] });
    talk.say("user", 'my key is sk-canary-123 or pass"canary\\x');
    talk.tell("error", { error: "bad key sk-canary-123" });
    hook.saveState(talk);
    for (const name of readdirSync(dir)) expect(readFileSync(join(dir, name), "utf8")).not.toContain("canary");
  });

  test.each(["", "..", "a/b", "a\\b", "a\0b", "x".repeat(300)])("the id %j is refused", (id) => {
    expect(() => new FileLogHook(id, tmpdir())).toThrow(/sessionId/);
    expect(FileLogHook.loadState(id, tmpdir())).toBeNull();
    expect(FileLogHook.rebuild(id, tmpdir())).toBeNull();
  });
});

describe("coming back", () => {
  test("from the log alone, byte for byte", () => {
    const { dir, talk } = open();
    talk.turn("one", "1 \u2028 eins");
    talk.turn("two", "2");
    talk.change(2, { ...talk.messages[2]!, content: "[dropped]" });
    talk.turn("three", "3");
    const state = FileLogHook.rebuild("s1", dir);
    expect(JSON.stringify(state?.messages)).toBe(JSON.stringify(talk.messages));
    expect(state).toMatchObject({ sessionId: "s1", model: "m-1", compaction: null, taskCount: 3 });
  });

  test("checkpoint plus the log after it", () => {
    const { dir, hook, talk } = open();
    talk.turn("one", "1");
    talk.compactionState = { rounds: 1 };
    talk.permissions.sessionTools.push("write_file");
    hook.saveState(talk, { name: "A name", nameSource: "user", taskCount: 1 });
    talk.permissions.mode = "auto";
    talk.permissions.sessionCommands.push("npm");
    talk.model = "m-2";
    talk.turn("two", "2");
    const state = FileLogHook.loadState("s1", dir);
    expect(state?.messages).toEqual(talk.messages);
    expect(state).toMatchObject({
      sessionId: "s1",
      model: "m-2",
      name: "A name",
      nameSource: "user",
      taskCount: 2,
      permissionMode: "auto",
      allowTools: ["write_file"],
      allowCommands: ["npm"],
      compaction: { rounds: 1 },
    });
    expect(FileLogHook.rebuild("s1", dir)).toMatchObject({
      name: "A name",
      allowCommands: ["npm"],
      messages: talk.messages,
    });
  });

  test("a new history takes the place of the old one", () => {
    const { dir, hook, talk } = open();
    talk.turn("one", "1");
    talk.turn("two", "2");
    hook.saveState(talk);
    talk.replace([talk.messages[0]!, { role: "user", content: "summary" }]);
    talk.turn("three", "3");
    expect(FileLogHook.loadState("s1", dir)?.messages).toEqual(talk.messages);
    expect(FileLogHook.rebuild("s1", dir)?.messages).toEqual(talk.messages);
  });

  test("settings are logged as they change, once", () => {
    const { dir, hook, talk } = open();
    hook.attach(talk);
    talk.turn("one", "1");
    talk.permissions.mode = "plan";
    talk.turn("two", "2");
    const kept = linesOf(dir).filter(({ type }) => type === "session_state");
    expect(kept.map(({ data }) => data.permissionMode)).toEqual(["interactive", "plan"]);
    expect(FileLogHook.rebuild("s1", dir)?.permissionMode).toBe("plan");
  });

  test("no checkpoint, a torn or foreign one: null, and the log still has it all", () => {
    const { dir, hook, talk } = open();
    expect(FileLogHook.loadState("s1", dir)).toBeNull();
    talk.turn("one", "1");
    hook.saveState(talk);
    for (const text of [
      '{"sessionId":"s1","model":"m","messages":[{"rol',
      "",
      "null",
      '{"messages":{}}',
      '{"messages":[1],"model":"m"}',
    ]) {
      writeFileSync(join(dir, "s1_state.json"), text);
      expect(FileLogHook.loadState("s1", dir)).toBeNull();
      const found = restoreSession("s1", dir);
      expect(found).toMatchObject({ source: "log", state: { messages: talk.messages } });
      expect(found.warnings.join(" ")).toContain("checkpoint");
    }
  });

  test("a checkpoint of another writer, with the guide's fields alone", () => {
    const { dir, talk } = open();
    talk.tell("turn_start");
    const saved = {
      sessionId: "s1",
      model: "m",
      messages: [{ role: "user", content: "x" }],
      compaction: null,
      savedAt: "2020-01-01T00:00:00.000Z",
    };
    writeFileSync(join(dir, "s1_state.json"), JSON.stringify(saved));
    expect(FileLogHook.loadState("s1", dir)).toMatchObject({ ...saved, savedAt: expect.any(String) });
  });

  test("a torn last line costs that line alone, and the next one stands by itself", () => {
    const { dir, hook, talk } = open();
    talk.turn("one", "1");
    hook.close();
    const path = join(dir, "s1.jsonl");
    truncateSync(path, statSync(path).size - 10);
    const again = new Conversation(new FileLogHook("s1", dir));
    again.messages = FileLogHook.rebuild("s1", dir)!.messages;
    expect(again.messages).toEqual(talk.messages);
    again.turn("two", "2");
    expect(restoreSession("s1", dir)).toMatchObject({
      state: { messages: again.messages },
      warnings: [expect.any(String)],
    });
  });

  test("a log that was cut behind the checkpoint's back loses nothing that is written later", () => {
    const { dir, hook, talk } = open();
    talk.turn("one", "1");
    hook.saveState(talk);
    hook.close();
    const path = join(dir, "s1.jsonl");
    truncateSync(path, statSync(path).size - 30);
    const again = new Conversation(new FileLogHook("s1", dir));
    again.messages = FileLogHook.loadState("s1", dir)!.messages;
    expect(again.messages).toEqual(talk.messages);
    again.turn("two", "2");
    expect(FileLogHook.loadState("s1", dir)?.messages).toEqual(again.messages);
  });

  test("lost records are missing, not fatal, and are told", () => {
    const { dir, talk } = open();
    talk.turn("one", "1");
    talk.turn("two", "2");
    const path = join(dir, "s1.jsonl");
    const lines = readFileSync(path, "utf8").split("\n");
    const lost = lines.findIndex((line) => line.includes('"content":"1"'));
    lines[lost] = lines[lost]!.slice(0, 50);
    writeFileSync(path, lines.join("\n"));
    const found = restoreSession("s1", dir);
    expect(found.state?.messages.map(({ content }) => content)).toEqual(["You help.", "one", "two", "2"]);
    expect(found.warnings).toHaveLength(2);
  });

  test("wild records change nothing", () => {
    const { dir, hook, talk } = open();
    talk.turn("one", "1");
    const message = { role: "user", content: "x" };
    for (const index of [-1, 1.5, 1e15, "0", null]) hook.record("message_appended", { index, message });
    hook.record("message_appended", { index: 3, message: { content: "no role" } });
    hook.record("history_replaced", { changed: [[99, message], [0], "x", null] });
    hook.record("session_state", { model: 5, allowTools: ["a", 1], permissionMode: null, nameSource: "x" });
    const state = FileLogHook.rebuild("s1", dir);
    expect(state?.messages).toEqual(talk.messages);
    expect(state?.model).toBe("m-1");
    expect(state?.allowTools).toBeUndefined();
  });

  test("a history of any shape comes back from any pair of checkpoint and log", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("say" as const), text: fc.string() }),
      fc.record({ do: fc.constant("replace" as const), keep: fc.nat(5) }),
      fc.record({ do: fc.constant("change" as const), at: fc.nat(5), text: fc.string() }),
      fc.record({ do: fc.constant("save" as const) }),
      fc.record({ do: fc.constant("reopen" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const { dir, hook, talk: first } = open();
        let talk = first;
        let isSaved = false;
        for (const now of steps) {
          if (now.do === "say") talk.say("user", now.text);
          if (now.do === "replace") talk.replace(talk.messages.slice(0, now.keep));
          if (now.do === "change" && talk.messages[now.at]) talk.change(now.at, { role: "tool", content: now.text });
          if (now.do === "save") isSaved = talk.hook.saveState(talk) || isSaved;
          if (now.do === "reopen") {
            talk.hook.close();
            const { messages } = talk;
            talk = new Conversation(new FileLogHook("s1", dir));
            talk.messages = messages;
          }
        }
        const state = isSaved ? FileLogHook.loadState("s1", dir) : FileLogHook.rebuild("s1", dir);
        expect(state?.messages ?? []).toEqual(talk.messages);
        hook.close();
        talk.hook.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe("when a checkpoint is due", () => {
  test("after the first turn, after a compaction, and when the log outgrows it", () => {
    const { hook, talk } = open();
    expect(hook.checkpointDue()).toBe(false);
    talk.turn("one", "x".repeat(20_000));
    expect(hook.checkpointDue()).toBe(true);
    hook.saveState(talk);
    expect(hook.checkpointDue()).toBe(false);
    talk.turn("two", "short");
    expect(hook.checkpointDue()).toBe(false);
    talk.replace(talk.messages.slice(0, 2));
    expect(hook.checkpointDue()).toBe(true);
    hook.saveState(talk);
    expect(hook.checkpointDue()).toBe(false);
    talk.turn("three", "y".repeat(40_000));
    expect(hook.checkpointDue()).toBe(true);
  });

  test("at an exit, when more than 64 KB of log lie behind it, also in a later process", () => {
    const { dir, hook, talk } = open();
    talk.turn("one", "x".repeat(200_000));
    hook.saveState(talk);
    talk.turn("two", "short");
    expect(hook.checkpointDue("exit")).toBe(false);
    hook.close();
    const later = new FileLogHook("s1", dir);
    expect(later.checkpointDue("exit")).toBe(false);
    expect(later.checkpointDue()).toBe(false);
    later.record("note", { text: "y".repeat(70_000) });
    expect(later.checkpointDue("exit")).toBe(true);
    expect(later.checkpointDue()).toBe(false);
  });

  test("what a long session writes in checkpoints stays in proportion to its log", () => {
    const { dir, hook, talk } = open();
    let written = 0;
    for (let turn = 0; turn < 300; turn++) {
      talk.turn(`prompt ${turn}`, "z".repeat(300));
      if (!hook.checkpointDue()) continue;
      hook.saveState(talk);
      written += statSync(join(dir, "s1_state.json")).size;
    }
    expect(written).toBeLessThan(3 * statSync(join(dir, "s1.jsonl")).size);
  });
});

describe("disks that refuse", () => {
  test.skipIf(!existsSync("/dev/full"))("a full disk is told once, and the turn goes on", () => {
    const told: string[] = [];
    const { dir, talk, hook } = open({ onProblem: ({ code, message }) => told.push(`${code} ${message}`) });
    talk.turn("one", "1");
    hook.close();
    renameSync(join(dir, "s1.jsonl"), join(dir, "kept.jsonl"));
    symlinkSync("/dev/full", join(dir, "s1.jsonl"));
    talk.turn("two", "2");
    talk.turn("three", "3");
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^ENOSPC .*disk full/);
    expect(hook.problem?.code).toBe("ENOSPC");
  });

  test("what could not be written follows when the place is there", () => {
    const base = mkdtempSync(join(tmpdir(), "zqagent-blocked-"));
    writeFileSync(join(base, "session"), "a file where the folder should be");
    const hook = new FileLogHook("s1", join(base, "session", "deep"));
    const talk = new Conversation(hook);
    talk.turn("one", "1");
    expect(hook.problem).not.toBeNull();
    expect(hook.saveState(talk)).toBe(false);
    expect(FileLogHook.loadState("s1", join(base, "session", "deep"))).toBeNull();
    renameSync(join(base, "session"), join(base, "moved"));
    talk.turn("two", "2");
    expect(hook.problem).toBeNull();
    expect(FileLogHook.rebuild("s1", join(base, "session", "deep"))?.messages).toEqual(talk.messages);
  });

  test("a listener that throws harms nothing", () => {
    const base = mkdtempSync(join(tmpdir(), "zqagent-blocked-"));
    writeFileSync(join(base, "file"), "");
    const onProblem = (): void => {
      throw new Error("listener");
    };
    const hook = new FileLogHook("s1", join(base, "file", "deep"), { onProblem });
    expect(() => hook.record("note", {})).not.toThrow();
  });

  test("what a killed save left behind is swept away", () => {
    const { dir, hook, talk } = open();
    talk.turn("one", "1");
    appendFileSync(join(dir, "s1_state.json.0011.tmp"), "half");
    appendFileSync(join(dir, "other.tmp"), "not ours");
    hook.saveState(talk);
    expect(readdirSync(dir).sort()).toEqual(["other.tmp", "s1.jsonl", "s1_state.json"]);
  });
});

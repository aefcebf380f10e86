/** Approvals that outlive the process that asked for them (guide 12.4): real processes, ended by SIGKILL. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ScriptedCall } from "../../src/cli/demo/script";
import { FileLogHook } from "../../src/hooks/FileLogHook";
import { Mode } from "../../src/permissions/PermissionEngine";
import type { Message } from "../../src/shared/messages";
import { drain, only, traceOf, until } from "../support/drain";
import { startModelServer } from "../support/modelServer";
import { longCommand, processesWith } from "../support/waiting";
import { engineWith, temporaryFolder } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

const PROGRAM = join(import.meta.dirname, "programs", "suspended.mjs");

type Line = { type: string; data: Record<string, unknown> };

interface Job {
  prompt?: string;
  answers?: Record<string, unknown>;
  /** The type of event at which a checkpoint is written. */
  saves?: string;
  /** The type of event at which the process is killed. */
  killAt?: string;
}

/** A workspace, a session, and a model that makes these calls in its first reply. */
async function openPlace(calls: ScriptedCall[], ...rest: { text: string }[]) {
  const { server, url } = await startModelServer([{ text: "I begin.", calls }, ...rest, { text: "All done." }], {
    strict: true,
  });
  const cwd = temporaryFolder();
  const stateDir = temporaryFolder();
  writeFileSync(join(cwd, "a.txt"), "first\n");
  writeFileSync(join(cwd, "b.txt"), "second\n");
  const env = { ...process.env, OPENAI_API_KEY: "test-key", OPENAI_MODEL: "scripted", OPENAI_BASE_URL: url };
  const run = async ({ killAt, ...job }: Job): Promise<Line[]> => {
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ stateDir, ...job })], { cwd, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    return await linesOf(child, killAt);
  };
  const contentOf = (name: string) => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "utf8") : null);
  return { run, server, contentOf, stateDir };
}

async function linesOf(child: ChildProcess, killAt?: string): Promise<Line[]> {
  const lines: Line[] = [];
  let problems = "";
  child.stderr?.on("data", (chunk) => (problems += chunk));
  const closed = new Promise((resolve) => child.on("close", resolve));
  if (child.stdout)
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(JSON.parse(line));
      if (lines.at(-1)?.type === killAt) child.kill("SIGKILL");
    }
  await closed;
  expect(problems).toBe("");
  return lines;
}

const read = (path: string, id: string) => ({ name: "read_file", args: { path }, id });
const write = (path: string, id: string) => ({ name: "write_file", args: { path, content: "written\n" }, id });
const shell = (command: string, id: string) => ({ name: "run_shell", args: { command }, id });
const mixed = [read("a.txt", "r1"), read("b.txt", "r2"), write("c.txt", "w1"), shell("echo ran >> ran.txt", "s1")];

const asked = (lines: Line[]) => {
  const pending = lines.find(({ type }) => type === "pending")?.data ?? [];
  return (pending as unknown as { toolCallId: string }[]).map(({ toolCallId }) => toolCallId);
};
const messagesOf = (lines: Line[]) => lines.find(({ type }) => type === "messages")?.data as unknown as Message[];
const finished = (lines: Line[]) =>
  lines.filter(({ type }) => type === "tool_finished").map(({ data }) => `${data["reqId"]} ${data["status"]}`);
const resultOf = (lines: Line[], id: string) =>
  String(messagesOf(lines).find(({ tool_call_id }) => tool_call_id === id)?.content);

describe("a process killed while an approval is open", () => {
  test("the next one sees what waits, gets the answers, and goes on; what was done stays done", async () => {
    const place = await openPlace(mixed);
    const first = await place.run({ prompt: "Work.", killAt: "permission_required" });
    expect(asked(first)).toEqual([]);
    expect(finished(first)).toEqual(["r1 ok", "r2 ok"]);
    expect(place.contentOf("c.txt")).toBe(null);

    const second = await place.run({ answers: { w1: "once", s1: "once" } });
    expect(second[0]?.data).toMatchObject([
      { toolName: "write_file", toolCallId: "w1", arguments: { path: "c.txt" }, reason: expect.stringMatching(/./) },
      { toolName: "run_shell", toolCallId: "s1", arguments: { command: "echo ran >> ran.txt" } },
    ]);
    expect(finished(second)).toEqual(["w1 ok", "s1 ok"]);
    expect(second.at(-2)).toMatchObject({ type: "turn_end", data: { status: "completed" } });
    expect(place.contentOf("c.txt")).toBe("written\n");
    expect(place.contentOf("ran.txt")).toBe("ran\n");
    expect([resultOf(second, "r1"), resultOf(second, "r2")]).toEqual(["1|first", "1|second"]);
    expect(faultsOf(messagesOf(second))).toEqual([]);
    expect(place.server.requests.map(({ answered }) => answered)).toEqual([200, 200]);
    expect(FileLogHook.rebuild("s1", place.stateDir)?.messages).toEqual(messagesOf(second));
  });

  test("a denial is told to the model, and what stands behind it does not run", async () => {
    const place = await openPlace(mixed);
    await place.run({ prompt: "Work.", killAt: "permission_required" });
    const second = await place.run({ answers: { w1: { outcome: "deny", reason: "Not there." }, s1: "once" } });
    expect(finished(second)).toEqual(["w1 denied", "s1 denied"]);
    expect(resultOf(second, "w1")).toBe("Denied by the user. The user says: Not there.");
    expect([place.contentOf("c.txt"), place.contentOf("ran.txt")]).toEqual([null, null]);
    expect(messagesOf(second).at(-1)?.content).toBe("All done.");
    expect(faultsOf(messagesOf(second))).toEqual([]);
  });

  test("an edited answer is what is written", async () => {
    const place = await openPlace([write("c.txt", "w1")]);
    await place.run({ prompt: "Work.", killAt: "permission_required" });
    const answer = { outcome: "once", edited: [{ path: "c.txt", after: "as the person wants it\n" }] };
    const second = await place.run({ answers: { w1: answer } });
    expect(place.contentOf("c.txt")).toBe("as the person wants it\n");
    expect(resultOf(second, "w1")).toContain("the user changed the proposal before allowing it");
  });

  test("answered one by one, with a process killed between each of them, every call runs once", async () => {
    const place = await openPlace(mixed);
    await place.run({ prompt: "Work.", killAt: "permission_required", saves: "permission_required" });
    const second = await place.run({ killAt: "permission_required" });
    expect(asked(second)).toEqual(["w1", "s1"]);
    const third = await place.run({ answers: { w1: "once" }, killAt: "tool_finished" });
    expect(finished(third)).toEqual(["w1 ok"]);
    const fourth = await place.run({ answers: { s1: "once" } });
    expect(asked(fourth)).toEqual(["s1"]);
    expect(finished(fourth)).toEqual(["s1 ok"]);
    expect(place.contentOf("ran.txt")).toBe("ran\n");
    expect(faultsOf(messagesOf(fourth))).toEqual([]);
    expect(place.server.requests.map(({ answered }) => answered)).toEqual([200, 200]);
  });
});

describe("a process killed while a call runs", () => {
  test.each(["the log alone", "a checkpoint"])(
    "by %s: the call is not run again, and the model is told",
    async (what) => {
      const { command, mark } = longCommand();
      const place = await openPlace([shell(command, "s1"), write("c.txt", "w1")]);
      const saves = what === "a checkpoint" ? { saves: "tool_started" } : {};
      const first = await place.run({ prompt: "Work.", answers: { s1: "once" }, ...saves, killAt: "tool_started" });
      for (const pid of processesWith(mark)) process.kill(pid, "SIGKILL");
      expect(first.at(-1)?.type).toBe("tool_started");
      const second = await place.run({ answers: { s1: "once", w1: "once" } });
      expect(asked(second)).toEqual(["w1"]);
      expect(finished(second)).toEqual(["s1 interrupted", "w1 ok"]);
      expect(second.filter(({ type }) => type === "tool_started").map(({ data }) => data["reqId"])).toEqual(["w1"]);
      expect(resultOf(second, "s1")).toMatch(/did not finish.*check before you repeat/);
      expect(faultsOf(messagesOf(second))).toEqual([]);
      expect(place.server.requests.at(-1)?.raw).not.toContain('"started"');
    },
  );
});

describe("pendingApprovals", () => {
  const calls = [
    { name: "read", id: "r1" },
    { name: "write", args: { path: "x" }, id: "w1" },
    { name: "shell", args: { command: "make" }, id: "s1" },
    { name: "nothing", id: "n1" },
    { name: "write", args: '{"path": "cut', id: "w2" },
  ];

  test("names what will be asked, in order, and changes nothing", async () => {
    const { engine } = engineWith([{ calls }], { mode: Mode.INTERACTIVE });
    expect(engine.pendingApprovals()).toEqual([]);
    engine.setApprover(() => new Promise(() => {}));
    const stream = engine.run("go");
    await until(stream, "permission_required");
    const before = structuredClone(engine.messages);
    expect(engine.pendingApprovals().map(({ toolCallId }) => toolCallId)).toEqual(["w1", "s1"]);
    expect(engine.messages).toEqual(before);
    engine.permissions.allowToolForSession("write");
    expect(engine.pendingApprovals().map(({ toolName }) => toolName)).toEqual(["shell"]);
    engine.permissions.mode = Mode.AUTO;
    expect(engine.pendingApprovals()).toEqual([]);
    engine.requestInterrupt();
    await drain(stream);
    engine.permissions.mode = Mode.INTERACTIVE;
    expect(engine.pendingApprovals()).toEqual([]);
  });

  test("a call that had begun is not among them; one that only reads runs again", async () => {
    const reply = calls.slice(0, 3).map(({ name, args, id }) => ({
      id,
      type: "function" as const,
      function: { name, arguments: JSON.stringify(args ?? {}) },
    }));
    const messages: Message[] = [
      { role: "user", content: "go" },
      { role: "assistant", content: null, tool_calls: reply, started: ["r1", "w1"] },
    ];
    const { engine, ran, provider } = engineWith([{ text: "ok" }], { messages, mode: Mode.INTERACTIVE });
    expect(engine.messages.at(-1)?.started).toEqual(["r1", "w1"]);
    expect(engine.pendingApprovals().map(({ toolCallId }) => toolCallId)).toEqual(["s1"]);
    engine.setApprover(async () => "deny");
    const events = await drain(engine.takeUp());
    expect(traceOf(events).filter((line) => line.startsWith("tool_finished"))).toEqual([
      "tool_finished read ok",
      "tool_finished write interrupted",
      "tool_finished shell denied",
    ]);
    expect(ran).toEqual(["read {}"]);
    expect(only(events, "turn_end")[0]?.["status"]).toBe("completed");
    expect(JSON.stringify([engine.messages, provider.requests[0]?.messages])).not.toContain('"started"');
  });
});

import { describe, expect, it } from "vitest";
import { callKey, LoopGuard, RepeatWatch } from "../../src/engine/loopGuard";
import { drain, only } from "../support/drain";
import { engineWith } from "./engineUnderTest";

const results = (engine: { messages: { role: string; content: unknown }[] }) =>
  engine.messages.filter((message) => message.role === "tool").map((message) => String(message.content));

describe("a model that goes in circles", () => {
  it("is told at the third identical call, stopped at the fifth, and ended at the eighth", async () => {
    const { engine, ran } = engineWith(() => ({ calls: [{ name: "read", args: { path: "a" } }] }));
    const events = await drain(engine.run("go"));
    expect(ran).toHaveLength(4);
    const told = results(engine);
    expect(told).toHaveLength(8);
    expect(
      told.map((text) => (/third identical/.test(text) ? "told" : /^Stopped/.test(text) ? "stopped" : "ran")),
    ).toEqual(["ran", "ran", "told", "ran", "stopped", "stopped", "stopped", "stopped"]);
    expect(only(events, "error")[0]).toMatchObject({ error_type: "loop_detected", retriable: true });
  });

  it("is noticed in circles of two and three calls too", async () => {
    for (const names of [
      ["read", "ask"],
      ["read", "ask", "shell"],
    ]) {
      let at = 0;
      const { engine } = engineWith(() => ({
        calls: [{ name: names[at++ % names.length] ?? "", args: { path: "a" } }],
      }));
      const events = await drain(engine.run("go"));
      expect(only(events, "error")[0]).toMatchObject({ error_type: "loop_detected" });
      const told = results(engine)
        .map((text, index) => (/third identical/.test(text) ? index + 1 : 0))
        .filter(Boolean);
      expect(told[0]).toBe(3 * names.length);
    }
  });

  it("is left alone while the results change, and while it waits for a task", async () => {
    let n = 0;
    const polling = engineWith(() => (n < 20 ? { calls: [{ name: "poll" }] } : { text: "done" }), {
      tools: { poll: ["read", () => `state ${n++}`] },
    });
    await drain(polling.engine.run("go"));
    expect(results(polling.engine).join()).not.toMatch(/identical/);
    let m = 0;
    const waiting = engineWith(
      () => (m++ < 20 ? { calls: [{ name: "shell_task_output", args: { wait_ms: 1 } }] } : { text: "done" }),
      {},
    );
    waiting.registry.register(
      () => "running",
      { category: "shell", riskLevel: "low", capabilities: [], requiresApproval: false },
      {
        type: "function",
        function: {
          name: "shell_task_output",
          parameters: { type: "object", properties: { wait_ms: { type: "integer" } } },
        },
      },
    );
    const events = await drain(waiting.engine.run("go"));
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "completed" });
  });

  it("gets a hint when the same edit fails three times on one file", async () => {
    let n = 0;
    const tools = { edit: ["write", () => ({ content: "old_string not found in a.", status: "error" })] } as never;
    const { engine } = engineWith(
      () => (n++ < 3 ? { calls: [{ name: "edit", args: { path: "a", n } }] } : { text: "done" }),
      { tools },
    );
    await drain(engine.run("go"));
    expect(results(engine).map((text) => text.includes("Read the file again"))).toEqual([false, false, true]);
  });
});

describe("LoopGuard", () => {
  it("takes arguments in any order as the same", () => {
    expect(callKey("f", { a: 1, b: [{ c: 2, d: 3 }] })).toBe(callKey("f", { b: [{ d: 3, c: 2 }], a: 1 }));
  });

  it("forgets a circle that was left", () => {
    const guard = new LoopGuard();
    for (let round = 0; round < 4; round += 1) guard.note("a", "x");
    expect(guard.judge("a")).toBe("stop");
    guard.note("b", "y");
    expect(guard.judge("a")).toBe("run");
  });
});

describe("RepeatWatch", () => {
  const isRepeating = (text: string, piece = 40) => {
    const watch = new RepeatWatch();
    let found = false;
    for (let at = 0; at < text.length; at += piece) found ||= watch.isRepeating(text.slice(at, at + piece));
    return found;
  };
  it.each([
    ["a sentence again and again", "This is it. ".repeat(400), true],
    ["one character", "=".repeat(3000), true],
    ["a block of 200", `${"0123456789abcdefghij".repeat(9)}-and-then-some-more--`.slice(0, 200).repeat(12), true],
    ["prose", Array.from({ length: 600 }, (_, n) => `Sentence ${n} says ${n * 7}.`).join(" "), false],
    ["a table of like rows", Array.from({ length: 100 }, (_, n) => `| row ${n} | value | value |`).join("\n"), false],
    ["nine rounds", "x".repeat(1900), false],
    ["blank lines", "\n".repeat(4000), false],
  ])("%s", (_, text, wanted) => expect(isRepeating(text)).toBe(wanted));
});

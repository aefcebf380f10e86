import { describe, expect, it } from "vitest";
import { Mode } from "../../src/permissions/PermissionEngine";
import { ApprovalOutcome, type PermissionRequest } from "../../src/shared/contracts";
import type { Message } from "../../src/shared/messages";
import { typedText } from "../../src/shared/reminders";
import { drain, only, traceOf, until } from "../support/drain";
import { engineWith, HistoryLog } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

describe("a turn", () => {
  it("asks, runs what the model calls, and asks again until there is an answer", async () => {
    const hook = new HistoryLog();
    const { engine, ran } = engineWith(
      [
        {
          text: "Looking.",
          reasoning: "hm",
          calls: [
            { name: "read", args: { path: "a" } },
            { name: "write", args: { path: "b" } },
          ],
        },
        { text: "All done." },
      ],
      { hook },
    );
    const events = await drain(engine.run("do it", "task-1"));
    expect(traceOf(events)).toEqual([
      "turn_start",
      "llm_request",
      "reasoning_delta",
      "assistant_delta",
      "assistant_message",
      "tool_proposed read",
      "tool_proposed write",
      "tool_started read",
      "tool_finished read ok",
      "tool_started write",
      "tool_finished write ok",
      "iteration_end",
      "llm_request",
      "assistant_delta",
      "assistant_message",
      "iteration_end",
      "turn_end completed",
    ]);
    expect(only(events, "turn_end")).toEqual([
      { status: "completed", iterations: 2, produced_files: ["b"], taskId: "task-1" },
    ]);
    expect(ran).toHaveLength(2);
    expect(engine.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
    ]);
    expect(hook.messages).toEqual(engine.messages);
    expect(hook.events).toEqual(events.map((event) => event.type));
  });

  it("keeps the conversation from turn to turn", async () => {
    const { engine, provider } = engineWith([{ text: "one" }, { text: "two" }]);
    await drain(engine.run("first"));
    await drain(engine.run("second"));
    expect(provider.requests[1]?.messages.map((message) => message.content)).toEqual(
      ["You are a test.", "first", "one", "second"].map((text, at) =>
        at === 1 ? expect.stringContaining(text) : text,
      ),
    );
  });

  it("asks the approver and does as it says", async () => {
    const asked: PermissionRequest[] = [];
    const { engine, ran } = engineWith([{ calls: [{ name: "write", args: { path: "x" } }] }, { text: "ok" }], {
      mode: Mode.INTERACTIVE,
    });
    engine.setApprover(async (request) => {
      asked.push(request);
      return ApprovalOutcome.ONCE;
    });
    const events = await drain(engine.run("go"));
    expect(traceOf(events)).toContain("permission_required write");
    expect(asked[0]).toMatchObject({ toolName: "write", arguments: { path: "x" } });
    expect(ran).toHaveLength(1);
  });
});

describe("what run() refuses", () => {
  it("a second turn while one is under way, before any event", async () => {
    const { engine } = engineWith([{ text: "one" }, { text: "two" }]);
    const first = engine.run("a");
    await first.next();
    await expect(drain(engine.run("b"))).rejects.toMatchObject({ name: "EngineBusy", code: "engine_busy" });
    await expect(drain(engine.retry())).rejects.toMatchObject({ code: "engine_busy" });
    expect(() => engine.rewind(0)).toThrow(/under way/);
    await drain(first);
    expect(traceOf(await drain(engine.run("b"))).at(-1)).toBe("turn_end completed");
  });

  it("an empty model", async () => {
    const { engine } = engineWith([], { model: "" });
    await expect(drain(engine.run("a"))).rejects.toThrow(/^No model specified\. Pass model, or set OPENAI_MODEL\./);
    expect(engine.isBusy).toBe(false);
  });

  it("attachments that cannot be used", async () => {
    const { engine } = engineWith([]);
    const bad = [{ name: "x.txt", mimeType: "text/plain", dataUrl: "data:text/plain;base64,QQ==" }];
    await expect(drain(engine.run("a", "t", bad))).rejects.toMatchObject({ name: "AttachmentError" });
  });
});

describe("options", () => {
  const rows: [string, Record<string, unknown>][] = [
    ["provider", { provider: {} }],
    ["registry", { registry: null }],
    ["permissions", { permissions: {} }],
    ["model", { model: 5 }],
    ["instructions", { instructions: undefined }],
    ["lang", { lang: "xx" }],
    ["maxIterations", { maxIterations: 0 }],
    ["messages", { messages: [{ content: "no role" }] }],
    ["contextWindow", { contextWindow: Number.NaN }],
    ["thresholdPct", { thresholdPct: 80 }],
    ["softThresholdPct", { softThresholdPct: -1 }],
    ["capTokens", { capTokens: 1.5 }],
    ["toolResultDir", { toolResultDir: "" }],
    ["environment", { environment: "text" }],
  ];
  it.each(rows)("a wrong %s throws with its name", (name, option) => {
    expect(() => engineWith([], option)).toThrow(new RegExp(`^TurnEngine: option ${name} must be `));
  });
});

describe("limits", () => {
  const endless = () => ({ calls: [{ name: "read", args: { n: Math.floor(Math.random() * 1e9) } }] });

  it("end the turn after maxIterations", async () => {
    const { engine } = engineWith(endless, { maxIterations: 3 });
    const events = await drain(engine.run("go"));
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "max_iterations_exceeded", iterations: 3 });
    expect(only(events, "iteration_end").map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  });

  it("leave room for a report where that is wanted", async () => {
    const script = (request: { tools: string[] }) =>
      request.tools.length === 0 ? { text: "So far: nothing." } : endless();
    const { engine, provider } = engineWith(script, { maxIterations: 2, finalizeOnMaxIterations: true });
    const events = await drain(engine.run("go"));
    expect(provider.requests.at(-1)?.opts).toMatchObject({
      toolChoice: "none",
      sessionTools: expect.arrayContaining([]),
    });
    expect(provider.requests.at(-1)?.messages.at(-1)?.content).toMatch(
      /^The step limit is reached\. Do not call tools\./,
    );
    expect(only(events, "assistant_message").at(-1)).toMatchObject({ text: "So far: nothing." });
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "max_iterations_exceeded" });
  });

  it("answer a report that calls tools all the same", async () => {
    const { engine, ran } = engineWith(endless, { maxIterations: 1, finalizeOnMaxIterations: true });
    await drain(engine.run("go"));
    expect(ran).toHaveLength(1);
    expect(faultsOf(engine.messages)).toEqual([]);
  });
});

describe("steering", () => {
  it("comes in between two iterations, in order, as messages of its own", async () => {
    const { engine, provider } = engineWith([{ calls: [{ name: "read" }] }, { text: "ok" }]);
    const stream = engine.run("go");
    await until(stream, "tool_started");
    engine.queueSteering("first");
    engine.queueSteering("never");
    engine.queueSteering("second");
    expect(engine.removeSteering("never")).toBe(true);
    const events = await drain(stream);
    expect(only(events, "queue_steering").map(({ text }) => text)).toEqual(["first", "second"]);
    expect(provider.requests[1]?.messages.slice(-3).map(({ role, content }) => [role, content])).toEqual([
      ["tool", "read done: {}"],
      ["user", "first"],
      ["user", "second"],
    ]);
    expect(engine.removeSteering("first")).toBe(false);
  });

  it("that comes during the last reply makes the turn go on", async () => {
    const { engine } = engineWith([{ text: "I am done", chunk: 2 }, { text: "That too" }]);
    const stream = engine.run("go");
    await until(stream, "assistant_delta");
    engine.queueSteering("one more thing");
    const events = await drain(stream);
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "completed", iterations: 2 });
  });
});

describe("resume", () => {
  const pending: Message[] = [
    { role: "system", content: "Stored prompt." },
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "read", arguments: "{}" } },
        { id: "b", type: "function", function: { name: "write", arguments: '{"path":"x"}' } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "read before" },
  ];

  it("runs exactly the calls that have no result, with approval as usual", async () => {
    const { engine, ran, provider } = engineWith([{ text: "ok" }], { messages: pending, mode: Mode.INTERACTIVE });
    engine.setApprover(async () => ApprovalOutcome.ONCE);
    const events = await drain(engine.resume());
    expect(traceOf(events).slice(0, 5)).toEqual([
      "turn_start",
      "tool_proposed write",
      "permission_required write",
      "tool_started write",
      "tool_finished write ok",
    ]);
    expect(ran).toEqual(['write {"path":"x"}']);
    expect(provider.requests[0]?.messages[0]?.content).toBe("Stored prompt.");
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  it("does nothing where nothing is pending", async () => {
    const { engine } = engineWith([], { messages: [{ role: "user", content: "x" }] });
    expect(await drain(engine.resume())).toEqual([]);
  });

  it("is not needed for a new prompt: pending calls count as interrupted", async () => {
    const hook = new HistoryLog();
    hook.messages = structuredClone(pending);
    const { engine, provider } = engineWith([{ text: "ok" }], { messages: pending, hook });
    await drain(engine.run("something else"));
    expect(provider.requests[0]?.messages[4]?.content).toMatch(/^Interrupted: the tool did not finish/);
    expect(hook.messages).toEqual(engine.messages);
  });
});

describe("what the model is told beside the prompt", () => {
  const texts = (messages: Message[] = []) => messages.map(({ content }) => String(content));

  it("its surroundings once, in front of the first prompt of a new history", async () => {
    let asked = 0;
    const environment = () => {
      asked += 1;
      return "<environment>\nhere\n</environment>";
    };
    const { engine, provider } = engineWith([{ text: "a" }, { text: "b" }], { environment, mode: Mode.INTERACTIVE });
    await drain(engine.run("first"));
    await drain(engine.run("second"));
    expect(texts(provider.requests[1]?.messages)).toEqual([
      "You are a test.",
      "<environment>\nhere\n</environment>\n\nfirst",
      "a",
      "second",
    ]);
    expect(asked).toBe(1);
    expect(engine.messages.map(typedText)).toEqual(["You are a test.", "first", "a", "second", "b"]);
    const restored = engineWith([{ text: "c" }], { environment, messages: engine.messages, mode: Mode.INTERACTIVE });
    await drain(restored.engine.run("third"));
    expect(asked).toBe(1);
  });

  it("a mode that differs from what it knows, once; a restored history is remembered", async () => {
    const { engine, provider, permissions } = engineWith([{ text: "a" }, { text: "b" }, { text: "c" }, { text: "d" }], {
      mode: Mode.PLAN,
    });
    await drain(engine.run("one"));
    await drain(engine.run("two"));
    permissions.mode = Mode.AUTO;
    await drain(engine.run("three"));
    const sent = texts(provider.requests[2]?.messages).filter((text) => !/^.$/.test(text));
    expect(sent).toEqual([
      "You are a test.",
      expect.stringMatching(/^<system-reminder>Mode: plan\..*<\/system-reminder>\n\none$/),
      "two",
      expect.stringMatching(/^<system-reminder>Mode: auto\./),
    ]);
    const restored = engineWith([{ text: "e" }], { messages: engine.messages, mode: Mode.AUTO });
    await drain(restored.engine.run("four"));
    expect(restored.engine.messages.at(-2)?.content).toBe("four");
  });

  it("a mode switched in mid-turn, at the end of the history", async () => {
    const { engine, provider, permissions } = engineWith([{ calls: [{ name: "read" }] }, { text: "ok" }], {
      mode: Mode.INTERACTIVE,
    });
    for await (const event of engine.run("go")) if (event.type === "tool_started") permissions.mode = Mode.PLAN;
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringMatching(/Mode: plan/),
    });
    expect(provider.requests[1]?.messages.at(-1)).not.toHaveProperty("origin");
  });

  it("not a mode that a tool has set and told", async () => {
    const tools = {
      plan: [
        "ask",
        (_: unknown, ctx: { setMode?(mode: string): void }) => {
          ctx.setMode?.("interactive");
          return "Approved.";
        },
      ],
    } as never;
    const { engine, provider, permissions } = engineWith([{ calls: [{ name: "plan" }] }, { text: "ok" }], {
      mode: Mode.PLAN,
      tools,
    });
    await drain(engine.run("go"));
    expect(permissions.mode).toBe("interactive");
    expect(provider.requests[1]?.messages.at(-1)?.role).toBe("tool");
  });

  it("news from the background, before the next request", async () => {
    const news = ["Background task sh_1 exited with code 1."];
    const { engine, provider } = engineWith([{ text: "ok" }, { text: "ok" }], { notices: () => news.splice(0) });
    await drain(engine.run("go"));
    await drain(engine.run("on"));
    expect(texts(provider.requests[1]?.messages).filter((text) => text.includes("sh_1"))).toEqual([
      "<system-reminder>Background task sh_1 exited with code 1.</system-reminder>",
    ]);
  });
});

describe("the same bytes again", () => {
  it("request n+1 begins with request n, through calls, steering, notices, a mode switch and repairs", async () => {
    let turn = 0;
    const news: string[] = [];
    const { engine, provider, permissions } = engineWith(
      () =>
        ++turn % 3 === 0
          ? { text: `answer ${turn}` }
          : {
              text: "hm",
              reasoning: "r",
              calls: [
                { name: "read", args: { n: turn } },
                { name: "nosuch", args: "{bad", id: "same" },
              ],
            },
      { notices: () => news.splice(0), environment: () => "<environment>e</environment>" },
    );
    for (const prompt of ["one", "two", "three", "four"]) {
      for await (const event of engine.run(prompt)) {
        if (event.type !== "tool_started") continue;
        if (prompt === "two") engine.queueSteering("by the way");
        if (prompt === "three") permissions.mode = Mode.INTERACTIVE;
        if (prompt === "four") news.push("news");
      }
    }
    const sent = provider.requests.map(({ messages, schemas }) => JSON.stringify([schemas, messages]).slice(0, -2));
    expect(sent.length).toBeGreaterThanOrEqual(12);
    for (let at = 1; at < sent.length; at += 1)
      expect(sent[at]?.startsWith(sent[at - 1] ?? "?"), `request ${at}`).toBe(true);
  });
});

describe("the system prompt", () => {
  it("can be replaced, and the hook hears of it", async () => {
    const hook = new HistoryLog();
    const { engine, provider } = engineWith([{ text: "a" }, { text: "b" }], { hook });
    await drain(engine.run("one"));
    engine.setSystemPrompt("You are another.");
    await drain(engine.run("two"));
    expect(provider.requests[1]?.messages[0]?.content).toBe("You are another.");
    expect(hook.messages).toEqual(engine.messages);
  });

  it("is put in front of a history that has none", async () => {
    const hook = new HistoryLog();
    const { engine } = engineWith([{ text: "a" }], {
      hook,
      messages: [
        { role: "user", content: "x" },
        { role: "assistant", content: "y" },
      ],
    });
    await drain(engine.run("z"));
    expect(engine.messages[0]?.content).toBe("You are a test.");
    expect(hook.messages).toEqual(engine.messages);
  });
});

describe("rewind", () => {
  it("cuts the history behind a message and leaves it valid", async () => {
    const hook = new HistoryLog();
    const { engine } = engineWith(
      [{ calls: [{ name: "read" }, { name: "read", args: { n: 2 } }] }, { text: "ok" }, { text: "new" }],
      { hook },
    );
    await drain(engine.run("go"));
    engine.rewind(3);
    expect(faultsOf(engine.messages)).toEqual([]);
    expect(hook.messages).toEqual(engine.messages);
    expect(() => engine.rewind(99)).toThrow(/index must be from 0 to/);
    await drain(engine.run("again"));
    expect(engine.messages.at(-1)?.content).toBe("new");
  });
});

describe("attachments of a prompt", () => {
  it("are sent in their own turn, and leave a note in the history", async () => {
    const image = { name: "shot.png", mimeType: "image/png", dataUrl: "data:image/png;base64,AAAA" };
    const ref = { name: "shot.png", mimeType: "image/png", size: 3, path: "attachments/x-0-shot.png" };
    const { engine, provider } = engineWith([{ calls: [{ name: "read" }] }, { text: "a" }, { text: "b" }]);
    const events = await drain(engine.run("look", "t", [image], [ref]));
    await drain(engine.run("next"));
    expect(events[0]?.data).toMatchObject({ attachmentCount: 1, attachments: [ref] });
    const sent = provider.requests.map(({ messages }) => JSON.stringify(messages).includes("base64,AAAA"));
    expect(sent).toEqual([true, true, false]);
    expect(engine.messages[1]).toMatchObject({
      content: expect.stringMatching(/look\n\n\[attachment: shot\.png, image\/png\]$/),
      attachments: [ref],
    });
    expect(provider.requests[2]?.messages[1]).not.toHaveProperty("attachments");
  });
});

describe("a session's name", () => {
  it("is asked of the model and cleaned", async () => {
    const { engine } = engineWith((request: { tools: string[] }) => ({
      text: request.tools.length ? "done" : '"Fix the *parser*."\n',
    }));
    await drain(engine.run("fix it"));
    expect(await engine.generateSessionName()).toBe("Fix the parser");
  });
});

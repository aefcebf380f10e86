import { describe, expect, it } from "vitest";
import type { TurnEngineOpts } from "../../src/engine/options";
import type { Message } from "../../src/shared/messages";
import { typedText } from "../../src/shared/reminders";
import { drain, only, traceOf, until } from "../support/drain";
import { ScriptedProvider } from "../support/scriptedProvider";
import { engineWith, HistoryLog, type Setup } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

const SUMMARY =
  "1. Task: build the thing as the user asked. 2. Rules: none. 3. State: half done. 4. Files: a.ts. ".repeat(4);
const PAGE = Array.from(
  { length: 60 },
  (_, n) => `Line ${n} tells of the fox that jumps ${n * n} times over the lazy dog.`,
).join("\n");

interface Asked {
  mayCall: boolean;
  tools: string[];
  messages: Message[];
}
const isSummary = ({ messages }: Asked) => String(messages.at(-1)?.content).includes("Summarise the conversation");

/** A model that reads long pages forever, and is asked for summaries. */
function reader(summary: (request: Asked) => object = () => ({ text: SUMMARY }), steps = 1000) {
  let n = 0;
  return (request: Asked) => {
    if (isSummary(request)) return summary(request) as never;
    n += 1;
    if (n >= steps) return { text: "The end." };
    return { text: `step ${n}`, usage: null, calls: [{ name: "page", args: { n } }] };
  };
}
const page = {
  page: ["read", (args: Record<string, unknown>) => `page ${String(args["n"])} ${PAGE}`],
} as Setup["tools"];
const small = { contextWindow: 16_000, tools: page ?? {} };

describe("at the hard threshold", () => {
  it("the history is summarised and the turn goes on", async () => {
    const hook = new HistoryLog();
    const { engine, provider } = engineWith(reader(undefined, 40) as never, { ...small, hook });
    const events = await drain(engine.run("Read all the pages, never skip one."));
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "completed" });
    const compacting = only(events, "compacting");
    const compacted = only(events, "compacted");
    expect(compacted.length).toBeGreaterThan(0);
    expect(compacting).toHaveLength(compacted.length);
    expect(compacting[0]).toMatchObject({ trigger: "threshold", contextWindow: 16_000, thresholdPct: 0.8 });
    expect(compacted[0]).toMatchObject({ method: "summarized", keptUserMessages: 1, droppedUserMessages: 0 });
    expect(Number(compacted[0]?.["messagesAfter"])).toBeLessThan(Number(compacted[0]?.["messagesBefore"]));
    const lead = String(engine.messages[1]?.content);
    expect(lead).toContain("<conversation_summary>\n1. Task");
    expect(lead).toContain("Read all the pages, never skip one.");
    expect(lead).toMatch(/Continue the current task from where it stands\. Do not restart finished steps\.$/);
    expect(hook.messages).toEqual(engine.messages);
    for (const { messages } of provider.requests) expect(faultsOf(messages)).toEqual([]);
    expect(engine.compactionState).toMatchObject({
      compactions: compacted.length,
      lastMethod: "summarized",
      canUndo: true,
    });
  });

  it("the summary is asked with the same prompt, tools and history in front, and its text is nobody's to see", async () => {
    const { engine, provider } = engineWith(reader(undefined, 20) as never, small);
    const events = await drain(engine.run("go"));
    const at = provider.requests.findIndex(isSummary);
    const [before, asked] = [provider.requests[at - 1], provider.requests[at]];
    expect(asked?.tools).toEqual(before?.tools);
    expect(asked?.opts).toMatchObject({ toolChoice: "none", maxTokens: 3000 });
    expect(JSON.stringify(before?.messages).startsWith(JSON.stringify(asked?.messages.slice(0, -1)).slice(0, -1))).toBe(
      true,
    );
    expect(only(events, "llm_request").filter(({ compact }) => compact)).toHaveLength(
      provider.requests.filter(isSummary).length,
    );
    expect(only(events, "assistant_message").some(({ text }) => String(text).startsWith("1. Task"))).toBe(false);
  });

  it.each([
    ["empty", { text: "" }],
    ["too short", { text: "Fine." }],
    ["a tool call", { text: "", calls: [{ name: "page" }] }],
    ["the text of a tool call", { text: `<tool_call>${SUMMARY}</tool_call>` }],
    [
      "longer than the history",
      { text: "word and word or else ".repeat(4000).replace(/word/g, () => String(Math.random())) },
    ],
  ])("a summary that is %s is not used", async (_, reply) => {
    const { engine } = engineWith(reader(() => reply, 20) as never, small);
    const events = await drain(engine.run("the only prompt"));
    expect(only(events, "compacted")[0]).toMatchObject({ method: "trimmed" });
    expect(String(engine.messages[1]?.content)).toContain("no summary could be made");
    expect(String(engine.messages[1]?.content)).toContain("the only prompt");
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "completed" });
  });

  it("a summary that does not fit is asked in a smaller form", async () => {
    const overflow = {
      status: 400,
      body: { error: { message: "maximum context length is 16000 tokens", code: "context_length_exceeded" } },
    };
    let asked = 0;
    const { engine, provider } = engineWith(
      reader(() => (++asked <= 2 ? overflow : { text: SUMMARY }), 20) as never,
      small,
    );
    const events = await drain(engine.run("go"));
    expect(only(events, "compacted")[0]).toMatchObject({ method: "summarized" });
    const forms = provider.requests.filter(({ messages }) => /Summarise/.test(JSON.stringify(messages.slice(-1))));
    expect(forms.slice(0, 3).map(({ tools, messages }) => [tools.length > 0, messages.length])).toEqual([
      [true, expect.any(Number)],
      [false, 2],
      [false, 2],
    ]);
  });
});

describe("after an overflow", () => {
  const refusal = {
    status: 400,
    body: {
      error: {
        message: "This model's maximum context length is 9000 tokens. However, you requested 12000 tokens.",
        code: "context_length_exceeded",
      },
    },
  };

  it("room is made, the window is learned, and the request is sent again", async () => {
    let refused = 0;
    const script = (request: Asked) => {
      if (isSummary(request)) return { text: SUMMARY };
      const words = JSON.stringify(request.messages).length;
      if (words > 20_000 && refused++ < 1) return refusal;
      return refused > 0
        ? { text: "done" }
        : { usage: null, calls: [{ name: "page", args: { n: request.messages.length } }] };
    };
    const { engine } = engineWith(script as never, { tools: page ?? {} });
    const events = await drain(engine.run("go"));
    expect(only(events, "compacting")[0]).toMatchObject({ trigger: "overflow" });
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "completed" });
    expect(engine.compactionState.contextWindow).toBe(9_000);
  });

  it("that keeps coming the turn ends with an error that may be tried again", async () => {
    let refused = 0;
    const script = (request: Asked) => {
      if (isSummary(request)) return { text: SUMMARY };
      if (request.messages.length > 16 || refused > 0) {
        refused += 1;
        return refusal;
      }
      return { usage: null, calls: [{ name: "page", args: { n: request.messages.length } }] };
    };
    const { engine } = engineWith(script as never, { tools: page ?? {} });
    const events = await drain(engine.run("go"));
    expect(only(events, "compacted").length).toBeLessThanOrEqual(2);
    expect(only(events, "error")).toEqual([
      expect.objectContaining({ error_type: "context_overflow", retriable: true }),
    ]);
    expect(faultsOf(engine.messages)).toEqual([]);
  });
});

describe("compaction stops itself", () => {
  it("when prompt and tools alone fill the window", async () => {
    const { engine, provider } = engineWith([{ text: "hi" }], { contextWindow: 2_000, instructions: PAGE.repeat(3) });
    const events = await drain(engine.run("go"));
    expect(only(events, "error")[0]).toMatchObject({
      error_type: "compaction_failed",
      error: expect.stringMatching(/^The system prompt and tools alone take \d+% of this model's window/),
    });
    expect(provider.requests).toHaveLength(0);
    expect(only(events, "compacting")).toEqual([]);
  });

  it.each<[string, Partial<TurnEngineOpts>, RegExp]>([
    ["the host", { contextWindow: 2_000 }, /or raise contextWindow\.$/],
    ["the endpoint", {}, /or give the model more context on its server .*context-length setting/],
  ])("and says how the window gets larger where %s named it", async (_who, opts, wanted) => {
    const stating = Object.assign(new ScriptedProvider([{ text: "hi" }]), { contextWindow: () => 2_000 });
    const { engine } = engineWith([], { provider: stating, instructions: PAGE.repeat(3), ...opts });
    const [error] = only(await drain(engine.run("go")), "error");
    expect(error).toMatchObject({ error_type: "compaction_failed", error: expect.stringMatching(wanted) });
    expect(stating.requests).toHaveLength(0);
  });

  it("when the endpoint reports a full window whatever is sent", async () => {
    let n = 0;
    const script = (request: Asked) =>
      isSummary(request)
        ? { text: SUMMARY }
        : { calls: [{ name: "page", args: { n: n++ } }], usage: { input: 14_400, output: 10 } };
    const { engine } = engineWith(script as never, small);
    const events = await drain(engine.run("go"));
    expect(only(events, "compacted").length).toBeLessThanOrEqual(2);
    expect(only(events, "error")[0]).toMatchObject({ error_type: "compaction_failed" });
  });

  it("when counts are nonsense they are not believed", async () => {
    const { engine } = engineWith([{ text: "a", usage: { input: Number.NaN, output: -5 } }, { text: "b" }]);
    await drain(engine.run("go"));
    expect(engine.compactionState.tokens).toBeGreaterThan(0);
    expect(engine.compactionState.estimated).toBe(true);
  });
});

describe("compact()", () => {
  async function talked(summary?: (request: Asked) => object, hook = new HistoryLog()) {
    const script = (request: Asked) =>
      isSummary(request) ? (summary?.(request) ?? { text: SUMMARY }) : { text: `Answer. ${PAGE}` };
    const made = engineWith(script as never, { hook });
    for (const prompt of ["one", "two", "three", "four"]) await drain(made.engine.run(prompt));
    return { ...made, hook };
  }

  it("summarises now, tells the hook, and can be taken back with what came since", async () => {
    const { engine, hook, provider } = await talked();
    const before = [...engine.messages];
    const outcome = await engine.compact("the numbers");
    expect(outcome).toMatchObject({ method: "summarized", messagesBefore: 9 });
    expect(String(provider.requests.at(-1)?.messages.at(-1)?.content)).toContain(
      "Pay special attention to: the numbers",
    );
    expect(hook.events.slice(-3)).toEqual(["compacting", "llm_request", "compacted"]);
    await drain(engine.run("five"));
    expect(engine.uncompact()).toBe(true);
    expect(engine.messages.slice(0, 9)).toEqual(before);
    expect(engine.messages.slice(9).map(typedText)[0]).toBe("five");
    expect(hook.messages).toEqual(engine.messages);
    expect(engine.uncompact()).toBe(false);
  });

  it("leaves the history alone when the summary fails", async () => {
    const { engine } = await talked(() => ({ status: 401, body: { error: { message: "bad key" } } }));
    const before = [...engine.messages];
    await expect(engine.compact()).rejects.toMatchObject({ errorType: "auth" });
    expect(engine.messages).toEqual(before);
    expect(engine.isBusy).toBe(false);
  });

  it("says when there is nothing to do", async () => {
    const { engine } = engineWith([{ text: "hi" }]);
    expect(await engine.compact()).toBeNull();
  });

  it("waits for the end of the iteration while a turn runs", async () => {
    let n = 0;
    const script = (request: Asked) =>
      isSummary(request)
        ? { text: SUMMARY }
        : n++ < 6
          ? { text: PAGE, calls: [{ name: "page", args: { n } }] }
          : { text: "done" };
    const { engine } = engineWith(script as never, { tools: page ?? {} });
    const stream = engine.run("go");
    for (let round = 0; round < 4; round += 1) await until(stream, "tool_started");
    const waiting = engine.compact();
    const events = await drain(stream);
    expect(await waiting).toMatchObject({ method: "summarized" });
    expect(traceOf(events).slice(0, 4)).toEqual([
      "tool_finished page ok",
      "iteration_end",
      "compacting",
      "llm_request",
    ]);
    expect(only(events, "turn_end")[0]).toMatchObject({ status: "completed" });
  });

  it("asked for in a turn that ends first is answered too", async () => {
    const { engine } = engineWith([{ text: "x", fault: "hang" }]);
    const stream = engine.run("go");
    await until(stream, "llm_request");
    const waiting = engine.compact();
    engine.requestInterrupt();
    await drain(stream);
    expect(await waiting).toBeNull();
  });
});

describe("a summary message", () => {
  it("keeps surroundings, files and the todo list, also over a second compaction", async () => {
    let n = 0;
    const script = (request: Asked) => {
      if (isSummary(request)) return { text: SUMMARY };
      n += 1;
      if (n === 1)
        return {
          calls: [
            { name: "write", args: { path: "src/a.ts" } },
            { name: "read_file", args: { path: "src/b.ts" } },
            { name: "todo_write", args: {} },
          ],
        };
      return { text: `Answer ${n}. ${PAGE}` };
    };
    const tools: Setup["tools"] = { read_file: ["read", () => "text"], todo_write: ["ask", () => "[>] first step"] };
    const { engine } = engineWith(script as never, {
      tools,
      environment: () => "<environment>\nworkspace: /w\n</environment>",
    });
    for (const prompt of ["one", "two", "three", "four"]) await drain(engine.run(prompt));
    for (let round = 0; round < 2; round += 1) {
      await engine.compact();
      const lead = String(engine.messages[1]?.content);
      expect(lead).toMatch(/^<environment>\nworkspace: \/w\n<\/environment>\n\n<conversation_summary>/);
      expect(lead).toContain("Todo list:\n[>] first step");
      expect(lead).toContain("Files changed: src/a.ts");
      expect(lead).toContain("Files read: src/b.ts");
      expect(typedText(engine.messages[1] as Message)).toBe("");
      for (const prompt of ["five", "six"]) await drain(engine.run(prompt));
    }
  });
});

describe("over a long session", () => {
  it("every constraint of the person's is still there after three compactions", async () => {
    let compactions = 0;
    const script = (request: Asked) => {
      if (isSummary(request)) {
        compactions += 1;
        return { text: SUMMARY };
      }
      return { text: `Understood. ${PAGE}`, usage: null };
    };
    const { engine, provider } = engineWith(script as never, { contextWindow: 24_000 });
    const constraints = Array.from({ length: 50 }, (_, n) => `Constraint ${n}: never touch module M${n * 37}.`);
    for (const constraint of constraints) await drain(engine.run(constraint));
    while (compactions < 3) await drain(engine.run("go on"));
    const sent = JSON.stringify(provider.requests.at(-1)?.messages);
    expect(constraints.filter((constraint) => !sent.includes(constraint))).toEqual([]);
    expect(provider.requests.every(({ messages }) => faultsOf(messages).length === 0)).toBe(true);
  });

  it("of 300 turns in a small window it ends, with its first words, its task list and the newest prompts", async () => {
    const script = (request: Asked) => {
      if (isSummary(request)) return { text: SUMMARY };
      const last = request.messages.at(-1);
      if (last?.role === "tool") return { text: "ok", usage: null };
      const n = Number(/turn (\d+)/.exec(String(last?.content))?.[1] ?? 0);
      return n % 50 === 7
        ? { usage: null, calls: [{ name: "todo_write", args: { n } }] }
        : { usage: null, calls: [{ name: "page", args: { n } }] };
    };
    const { engine, provider, registry } = engineWith(script as never, { ...small, hook: new HistoryLog() });
    registry.register(
      (args) => `[x] list of ${String(args["n"])}`,
      { category: "task", riskLevel: "low", capabilities: [], requiresApproval: false },
      {
        type: "function",
        function: { name: "todo_write", parameters: { type: "object", properties: { n: { type: "integer" } } } },
      },
    );
    for (let n = 0; n < 300; n += 1) {
      const events = await drain(engine.run(`turn ${n} ${n === 0 ? "is the first" : "goes on"}`));
      expect(traceOf(events).at(-1), `turn ${n}`).toBe("turn_end completed");
    }
    const sent = provider.requests.at(-1)?.messages ?? [];
    const all = JSON.stringify(sent);
    expect(all).toContain("turn 0 is the first");
    expect(all).toContain("[x] list of 257");
    for (let n = 295; n < 300; n += 1) expect(all).toContain(`turn ${n} goes on`);
    for (const { messages } of provider.requests) expect(faultsOf(messages)).toEqual([]);
  });
});

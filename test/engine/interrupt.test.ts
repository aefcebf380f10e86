import { describe, expect, it } from "vitest";
import { Mode } from "../../src/permissions/PermissionEngine";
import { ApprovalOutcome } from "../../src/shared/contracts";
import type { WsEvent } from "../../src/shared/events";
import type { Message } from "../../src/shared/messages";
import { drain, only, traceOf, until } from "../support/drain";
import { engineWith, HistoryLog } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

const fourCalls = [
  {
    text: "Now I work.",
    reasoning: "let me see",
    calls: [
      { name: "read", args: { path: "a" } },
      { name: "read", args: { path: "b" } },
      { name: "write", args: { path: "c" } },
      { name: "shell", args: { command: "make" } },
    ],
  },
  { text: "Done." },
  { text: "Next answer." },
];

function build() {
  const hook = new HistoryLog();
  const made = engineWith(fourCalls, { hook, mode: Mode.INTERACTIVE });
  made.engine.setApprover(async () => ApprovalOutcome.ONCE);
  return { ...made, hook };
}

async function countEvents(): Promise<number> {
  return (await drain(build().engine.run("go"))).length;
}

describe("a turn that stops after any of its events", () => {
  it("leaves a valid history when it is interrupted", async () => {
    const total = await countEvents();
    expect(total).toBeGreaterThan(20);
    for (let stop = 1; stop <= total; stop += 1) {
      const { engine, hook, provider } = build();
      const events: WsEvent[] = [];
      for await (const event of engine.run("go")) {
        events.push(event);
        if (events.length === stop) engine.requestInterrupt();
      }
      expect(only(events, "turn_end"), `stop ${stop}`).toHaveLength(1);
      expect(events.at(-1)?.type).toBe("turn_end");
      expect(faultsOf(engine.messages), `stop ${stop}: ${traceOf(events).join(", ")}`).toEqual([]);
      expect(hook.messages).toEqual(engine.messages);
      orderHolds(events);
      await drain(engine.run("and then?"));
      expect(faultsOf(provider.requests.at(-1)?.messages ?? [])).toEqual([]);
    }
  });

  it("leaves a valid history when the reader leaves", async () => {
    const total = await countEvents();
    for (let stop = 1; stop <= total; stop += 1) {
      const { engine, hook, provider } = build();
      let seen = 0;
      for await (const _ of engine.run("go")) {
        seen += 1;
        if (seen === stop) break;
      }
      expect(engine.isBusy).toBe(false);
      expect(faultsOf(engine.messages), `stop ${stop}`).toEqual([]);
      expect(hook.messages).toEqual(engine.messages);
      expect(
        hook.events.filter((type) => type === "turn_end"),
        `stop ${stop}`,
      ).toHaveLength(1);
      await drain(engine.run("and then?"));
      expect(faultsOf(provider.requests.at(-1)?.messages ?? [])).toEqual([]);
    }
  });
});

describe("a process that dies after any event", () => {
  it("leaves a log from which the next one can go on, by resume or by a new prompt", async () => {
    const total = await countEvents();
    for (let stop = 1; stop <= total; stop += 1) {
      const dying = build();
      let seen = 0;
      let kept: Message[] = [];
      for await (const _ of dying.engine.run("go")) {
        seen += 1;
        if (seen === stop) kept = structuredClone(dying.hook.messages) as Message[];
      }
      const next = engineWith([{ text: "Going on." }, { text: "And on." }], { messages: kept, mode: Mode.AUTO });
      const events = await drain(next.engine.resume());
      expect(faultsOf(next.engine.messages), `resume after ${stop}`).toEqual([]);
      expect(only(events, "turn_end").length).toBeLessThanOrEqual(1);
      await drain(next.engine.run("what now?"));
      const fresh = engineWith([{ text: "Going on." }], { messages: kept });
      await drain(fresh.engine.run("what now?"));
      for (const { messages } of [...next.provider.requests, ...fresh.provider.requests]) {
        expect(faultsOf(messages), `after ${stop}`).toEqual([]);
      }
    }
  });
});

/** proposed → permission? → started → finished, once each. */
function orderHolds(events: readonly WsEvent[]): void {
  const rank: Record<string, number> = { tool_proposed: 1, permission_required: 2, tool_started: 3, tool_finished: 4 };
  const at = new Map<unknown, number>();
  for (const { type, data } of events) {
    const next = rank[type];
    if (next === undefined) continue;
    const before = at.get(data["reqId"]) ?? 0;
    expect(next, `${type} of ${String(data["reqId"])}`).toBeGreaterThan(before);
    at.set(data["reqId"], next);
  }
  for (const [call, last] of at) expect(last, `${String(call)} is finished`).toBe(4);
}

describe("an interrupt", () => {
  it("ends a wait for approval, and nothing is run", async () => {
    const { engine, ran } = engineWith([{ calls: [{ name: "write", args: { path: "c" } }] }], {
      mode: Mode.INTERACTIVE,
    });
    engine.setApprover(() => new Promise(() => {}));
    const stream = engine.run("go");
    await until(stream, "permission_required");
    const rest = drain(stream);
    engine.requestInterrupt();
    const events = await rest;
    expect(traceOf(events)).toEqual(["tool_finished write interrupted", "interrupted", "turn_end interrupted"]);
    expect(engine.messages.at(-1)?.content).toBe("Not run: the user interrupted.");
    expect(ran).toEqual([]);
  });

  it("ends a stream that says nothing more, and keeps what came", async () => {
    const { engine } = engineWith([{ text: "Half an answer and more", chunk: 4, fault: "hang" }]);
    const stream = engine.run("go");
    await until(stream, "assistant_delta");
    const rest = drain(stream);
    engine.requestInterrupt();
    expect(traceOf(await rest).at(-1)).toBe("turn_end interrupted");
    expect(engine.messages.at(-1)).toMatchObject({ role: "assistant", content: expect.stringContaining("Half") });
  });

  it("ends the wait before a retry", async () => {
    process.env.NETWORK_RETRY_BASE_MS = "60000";
    const { engine } = engineWith([{ text: "x", fault: "reset" }]);
    const stream = engine.run("go");
    await until(stream, "llm_retry");
    const rest = drain(stream);
    engine.requestInterrupt();
    expect(traceOf(await rest)).toEqual(["interrupted", "turn_end interrupted"]);
    delete process.env.NETWORK_RETRY_BASE_MS;
  });

  it("lets a running tool give back what it has", async () => {
    const { engine } = engineWith([{ calls: [{ name: "slow" }, { name: "read" }] }], {
      tools: {
        slow: [
          "shell",
          (_, ctx) =>
            new Promise((resolve) => ctx?.signal?.addEventListener("abort", () => resolve("half the output"))),
        ],
      },
    });
    const stream = engine.run("go");
    await until(stream, "tool_started");
    const rest = drain(stream);
    engine.requestInterrupt();
    expect(traceOf(await rest)).toEqual([
      "tool_finished slow interrupted",
      "tool_finished read interrupted",
      "interrupted",
      "turn_end interrupted",
    ]);
    expect(engine.messages.slice(-2).map((message) => message.content)).toEqual([
      "half the output",
      "Not run: the user interrupted.",
    ]);
  });

  it("gives up on a tool that does not listen, and hears nothing of it later", async () => {
    let speak = () => {};
    const { engine } = engineWith([{ calls: [{ name: "deaf" }] }, { text: "next" }], {
      tools: {
        deaf: [
          "shell",
          (_, ctx) => {
            speak = () => ctx?.emit?.("tool_output", { reqId: "x", name: "deaf", chunk: "late", taskId: "t" });
            return new Promise(() => {});
          },
        ],
      },
    });
    const stream = engine.run("go");
    await until(stream, "tool_started");
    const rest = drain(stream);
    engine.requestInterrupt();
    await rest;
    expect(engine.messages.at(-1)?.content).toMatch(/did not finish.*check before you repeat/);
    speak();
    expect(traceOf(await drain(engine.run("more")))).not.toContain("tool_output deaf");
  });

  it("does nothing between two turns", async () => {
    const { engine } = engineWith([{ text: "one" }]);
    engine.requestInterrupt();
    expect(traceOf(await drain(engine.run("go"))).at(-1)).toBe("turn_end completed");
  });

  it("reaches a tool when the reader leaves while it runs", async () => {
    let wasAborted = false;
    const { engine } = engineWith([{ calls: [{ name: "slow" }] }], {
      tools: {
        slow: [
          "shell",
          (_, ctx) =>
            new Promise((resolve) =>
              ctx?.signal?.addEventListener("abort", () => {
                wasAborted = true;
                resolve("partial");
              }),
            ),
        ],
      },
    });
    for await (const event of engine.run("go")) if (event.type === "tool_started") break;
    expect(engine.messages.at(-1)?.content).toMatch(/Not run|partial/);
    expect(wasAborted || engine.messages.at(-1)?.content === "Not run: the turn was ended.").toBe(true);
  });

  it("leaves queued words to the host", async () => {
    const { engine } = engineWith([{ text: "x", fault: "hang" }]);
    const stream = engine.run("go");
    await until(stream, "llm_request");
    engine.queueSteering("not lost");
    const rest = drain(stream);
    engine.requestInterrupt();
    await rest;
    expect(engine.takeSteering()).toEqual([{ text: "not lost" }]);
  });
});

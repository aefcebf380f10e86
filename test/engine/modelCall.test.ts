import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProviderClient } from "../../src/shared/contracts";
import { ModelError, ZqError } from "../../src/shared/errors";
import type { StreamChunk } from "../../src/shared/messages";
import { drain, only, traceOf } from "../support/drain";
import { engineWith } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

beforeEach(() => {
  process.env.NETWORK_RETRY_BASE_MS = "1";
});
afterEach(() => {
  for (const name of ["NETWORK_RETRY_BASE_MS", "NETWORK_RETRY_MAX"]) delete process.env[name];
});

const nothing: StreamChunk = { content: null, reasoning: null, toolCalls: null, usage: null, finishReason: null };

/** A provider of a few lines, for what no script can say. */
function providerOf(stream: ProviderClient["stream"]): ProviderClient {
  return { stream, chat: async () => null };
}

describe("a model call", () => {
  it("is made again when the line breaks; the text of the dead attempt is not kept twice", async () => {
    const { engine } = engineWith([
      { text: "Half of it is here", chunk: 4, fault: "reset" },
      { text: "Whole answer." },
    ]);
    const events = await drain(engine.run("go"));
    expect(traceOf(events).filter((line) => line !== "iteration_end")).toEqual([
      "turn_start",
      "llm_request",
      "assistant_delta",
      "llm_retry",
      "llm_request",
      "assistant_delta",
      "assistant_message",
      "turn_end completed",
    ]);
    expect(only(events, "llm_retry")[0]).toMatchObject({ attempt: 1, max: 2, iteration: 1 });
    expect(engine.messages.slice(2)).toEqual([{ role: "assistant", content: "Whole answer." }]);
  });

  it("fails after the retries, keeps what came, and can be tried again", async () => {
    const { engine } = engineWith([
      ...Array.from({ length: 3 }, () => ({ text: "Half of it", chunk: 2, fault: "cut" as const })),
      { text: "Whole." },
    ]);
    const events = await drain(engine.run("go"));
    expect(only(events, "error")).toEqual([
      expect.objectContaining({ error_type: "network", retriable: true, iteration: 1 }),
    ]);
    expect(traceOf(events).slice(-2)).toEqual(["error", "turn_end error"]);
    expect(engine.messages.at(-1)?.role).toBe("assistant");
    const again = await drain(engine.retry());
    expect(traceOf(again)).toEqual([
      "turn_start",
      "llm_request",
      "assistant_delta",
      "assistant_message",
      "iteration_end",
      "turn_end completed",
    ]);
    expect(engine.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(await drain(engine.retry())).toEqual([]);
  });

  it("keeps to NETWORK_RETRY_MAX", async () => {
    process.env.NETWORK_RETRY_MAX = "0";
    const { engine } = engineWith([{ text: "x", fault: "reset" }]);
    expect(only(await drain(engine.run("go")), "llm_retry")).toEqual([]);
  });

  it("is not made again for what will not pass", async () => {
    const { engine, provider } = engineWith([{ status: 401, body: { error: { message: "bad key" } } }]);
    const events = await drain(engine.run("go"));
    expect(only(events, "error")[0]).toMatchObject({ error_type: "auth", retriable: false });
    expect(provider.requests).toHaveLength(1);
    expect(await drain(engine.retry())).toEqual([]);
  });

  it("asks once more after an empty reply, then says so", async () => {
    const { engine, provider } = engineWith([{ text: "" }, { text: "here" }, { text: "" }, { text: "" }]);
    expect(traceOf(await drain(engine.run("go"))).at(-1)).toBe("turn_end completed");
    const events = await drain(engine.run("go"));
    expect(only(events, "error")[0]).toMatchObject({ error_type: "empty_response", retriable: true });
    expect(provider.requests).toHaveLength(4);
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  it("stops a model that repeats itself", async () => {
    const { engine } = engineWith([{ text: "I will now do this. ".repeat(1000), chunk: 30 }]);
    const events = await drain(engine.run("go"));
    expect(only(events, "error")[0]).toMatchObject({ error_type: "repeating_output", retriable: true });
    expect(only(events, "assistant_delta").length).toBeLessThan(200);
    expect(engine.messages.at(-1)?.role).toBe("user");
  });

  const throwers: [string, unknown, string, boolean][] = [
    ["a string", "boom", "network", true],
    ["nothing", undefined, "network", true],
    ["a TypeError", new TypeError("terminated"), "network", true],
    ["a model error", new ModelError("quota", "no money", { retriable: false }), "quota", false],
    ["an error of ours", new ZqError("no_key", "OPENAI_API_KEY is not set."), "no_key", false],
  ];
  it.each(throwers)(
    "that throws %s ends the turn with an error and a valid history",
    async (_, thrown, error_type, retriable) => {
      const { engine } = engineWith([], {
        provider: providerOf(async () => {
          throw thrown;
        }),
      });
      const events = await drain(engine.run("go"));
      expect(only(events, "error")[0]).toMatchObject({ error_type, retriable });
      expect(traceOf(events).at(-1)).toBe("turn_end error");
      expect(faultsOf(engine.messages)).toEqual([]);
    },
  );

  it("whose stream ends without an end is incomplete", async () => {
    const provider = providerOf(async () =>
      (async function* () {
        yield { ...nothing, content: "half" };
      })(),
    );
    const { engine } = engineWith([], { provider });
    expect(only(await drain(engine.run("go")), "error")[0]).toMatchObject({ error_type: "stream_incomplete" });
  });

  it("takes calls without a finish reason, and an error after the end, as whole", async () => {
    let asked = 0;
    const provider = providerOf(async () =>
      (async function* () {
        asked += 1;
        if (asked > 1) yield { ...nothing, content: "done", finishReason: "stop" };
        else {
          yield {
            ...nothing,
            toolCalls: [{ id: "a", type: "function" as const, function: { name: "read", arguments: "{}" } }],
          };
          throw new Error("reset after the end");
        }
      })(),
    );
    const { engine } = engineWith([], { provider });
    expect(traceOf(await drain(engine.run("go")))).toContain("tool_finished read ok");
  });

  it("shows what the provider waits for", async () => {
    const provider = providerOf(async (_model, _messages, _tools, opts) => {
      opts.onRecovered?.({
        errorType: "rate_limit",
        retriable: true,
        fallback: false,
        recover: "wait",
        retryAfterMs: 5,
        attempt: 1,
        maxAttempts: 3,
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
      return (async function* () {
        yield { ...nothing, content: "ok", finishReason: "stop" };
      })();
    });
    const { engine } = engineWith([], { provider });
    expect(only(await drain(engine.run("go")), "llm_retry")).toEqual([
      expect.objectContaining({ attempt: 1, max: 3, waitMs: 5, reason: expect.stringContaining("rate_limit") }),
    ]);
  });

  it("passes on usage, and estimates it where there is none", async () => {
    const { engine } = engineWith([
      { text: "a", usage: { input: 900, output: 5, cached: 800 } },
      { text: "bb", usage: null },
    ]);
    expect(only(await drain(engine.run("go")), "assistant_message")[0]).toMatchObject({
      usage: { input: 900, output: 5, cached: 800 },
      finish: "stop",
    });
    expect(only(await drain(engine.run("go")), "assistant_message")[0]).toMatchObject({ usage: { estimated: true } });
  });
});

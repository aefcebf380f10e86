import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";
import type { ProviderClient } from "../../src/shared/contracts";
import { ModelError } from "../../src/shared/errors";
import type { StreamChunk } from "../../src/shared/messages";
import { drain, only, traceOf, until } from "../support/drain";
import { startModelServer } from "../support/modelServer";
import { engineWith } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

beforeEach(() => {
  process.env.NETWORK_RETRY_BASE_MS = "1";
  process.env.OPENAI_MAX_RETRIES = "0";
});
afterEach(() => {
  for (const name of ["NETWORK_RETRY_BASE_MS", "OPENAI_MAX_RETRIES"]) delete process.env[name];
});

const limited = (ms: number) => ({
  status: 429,
  headers: { "retry-after-ms": String(ms) },
  body: { error: { message: "Rate limit reached", code: "rate_limit_exceeded" } },
});

async function engineOver(script: Parameters<typeof startModelServer>[0], waitLimitMs?: number) {
  const { server, url } = await startModelServer(script, { strict: true });
  const provider = new OpenAIProvider({ apiKey: "test-key", baseURL: url });
  return { ...engineWith([], { provider, ...(waitLimitMs !== undefined && { waitLimitMs }) }), server };
}

describe("a long limit", () => {
  it("is not slept through, and says how long it lasts", async () => {
    const { engine, server } = await engineOver([limited(3 * 3_600_000)]);
    const [error] = only(await drain(engine.run("go")), "error");
    expect(error).toMatchObject({
      error_type: "rate_limit",
      retriable: true,
      status: 429,
      retryAfterMs: 3 * 3_600_000,
      detail: "Rate limit reached",
    });
    expect(server.requests).toHaveLength(1);
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  it("is waited for where the host allows it, and the prompt is in the history once", async () => {
    const { engine, server } = await engineOver([limited(5), limited(5), { text: "At last." }], 60_000);
    const events = await drain(engine.run("go"));
    expect(only(events, "llm_retry")).toMatchObject([
      { error_type: "rate_limit", waitMs: 1_005, attempt: 1 },
      { error_type: "rate_limit", waitMs: 1_005, attempt: 2 },
    ]);
    expect(traceOf(events).at(-1)).toBe("turn_end completed");
    expect(engine.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    for (const request of server.requests)
      expect(request.messages.filter(({ role }) => role === "user")).toHaveLength(1);
  });

  it("ends the turn when the whole of the waiting would be longer than allowed", async () => {
    const { engine, server } = await engineOver([limited(500), limited(500), { text: "never" }], 2_000);
    const events = await drain(engine.run("go"));
    expect(only(events, "llm_retry")).toHaveLength(1);
    expect(only(events, "error")).toMatchObject([{ error_type: "rate_limit" }]);
    expect(server.requests).toHaveLength(2);
  });

  it("is left at once by an interrupt", async () => {
    const { engine, server } = await engineOver([limited(3_600_000)], 24 * 3_600_000);
    const stream = engine.run("go");
    const retry = await until(stream, "llm_retry");
    expect(retry.data["waitMs"]).toBe(3_601_000);
    const began = performance.now();
    engine.requestInterrupt();
    expect(traceOf(await drain(stream))).toEqual(["interrupted", "turn_end interrupted"]);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a turn is taken up", () => {
  it("by retry() after a limit: the prompt is not sent twice", async () => {
    const { engine, server } = await engineOver([limited(3_600_000), { text: "Now." }]);
    await drain(engine.run("go"));
    expect(traceOf(await drain(engine.retry())).at(-1)).toBe("turn_end completed");
    expect(server.requests[1]?.messages.filter(({ role }) => role === "user")).toHaveLength(1);
    expect(await drain(engine.retry())).toEqual([]);
  });

  it("by retry() after tools ran: they do not run again", async () => {
    const { engine, ran } = await engineOver([
      { calls: [{ name: "write", args: { path: "a" } }] },
      limited(3_600_000),
      { text: "Done." },
    ]);
    await drain(engine.run("go"));
    expect(ran).toHaveLength(1);
    await drain(engine.retry());
    expect(ran).toHaveLength(1);
    expect(engine.messages.at(-1)).toMatchObject({ role: "assistant", content: "Done." });
  });

  it("by takeUp() where the history of a dead process ends with a prompt or a result", async () => {
    const { engine } = engineWith([{ text: "Here." }], { messages: [{ role: "user", content: "go" }] });
    expect(await drain(engine.retry())).toEqual([]);
    expect(traceOf(await drain(engine.takeUp())).at(-1)).toBe("turn_end completed");
    const own = engine.messages.filter(({ origin }) => origin === undefined);
    expect(own.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(await drain(engine.takeUp())).toEqual([]);
  });

  it("by takeUp() where calls were left open: they run", async () => {
    const call = { id: "a", type: "function" as const, function: { name: "read", arguments: "{}" } };
    const { engine, ran } = engineWith([{ text: "Read." }], {
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: null, tool_calls: [call] },
      ],
    });
    expect(traceOf(await drain(engine.takeUp())).at(-1)).toBe("turn_end completed");
    expect(ran).toEqual(["read {}"]);
  });

  it("by takeUp() also after an error that would not pass by itself: the person has mended it", async () => {
    const { engine } = engineWith([{ status: 401, body: { error: { message: "bad key" } } }, { text: "In." }]);
    await drain(engine.run("go"));
    expect(await drain(engine.retry())).toEqual([]);
    expect(traceOf(await drain(engine.takeUp())).at(-1)).toBe("turn_end completed");
  });
});

describe("text that turns out to be thinking", () => {
  const nothing: StreamChunk = { content: null, reasoning: null, toolCalls: null, usage: null, finishReason: null };
  const provider: ProviderClient = {
    chat: async () => null,
    stream: async () =>
      (async function* () {
        yield { ...nothing, content: "Let me " };
        yield { ...nothing, content: "think." };
        yield { ...nothing, content: "Answer.", reclassify: true as const };
        yield { ...nothing, finishReason: "stop" };
      })(),
  };

  it("is moved to the reasoning of the message, and told", async () => {
    const { engine } = engineWith([], { provider });
    const events = await drain(engine.run("go"));
    expect(engine.messages.at(-1)).toEqual({ role: "assistant", content: "Answer.", reasoning: "Let me think." });
    expect(only(events, "reasoning_delta")).toMatchObject([{ text: "Let me think.", reclassified: true }]);
    expect(only(events, "assistant_message")).toMatchObject([{ text: "Answer.", reasoning: "Let me think." }]);
  });
});

it("an error that is no refusal carries no words of a server", async () => {
  const { engine } = engineWith([], {
    provider: {
      chat: async () => null,
      stream: async () => {
        throw new ModelError("network", "No reply.", { retriable: false });
      },
    },
  });
  const [error] = only(await drain(engine.run("go")), "error");
  expect(error).not.toHaveProperty("detail");
  expect(error).toMatchObject({ error: "No reply." });
});

import { describe, expect, test } from "vitest";
import type { StreamOpts } from "../../src/shared/contracts";
import type { StreamChunk } from "../../src/shared/messages";
import { ScriptedProvider } from "../support/scriptedProvider";

const OPTS: StreamOpts = { reqId: "r", logTime: "" };
const read = async (provider: ScriptedProvider, opts = OPTS) => {
  const chunks: StreamChunk[] = [];
  for await (const chunk of await provider.stream("m", [{ role: "user", content: "hi" }], [], opts)) chunks.push(chunk);
  return chunks;
};

describe("ScriptedProvider", () => {
  test("plays a reply in pieces, the calls last, and copies what it was asked", async () => {
    const provider = new ScriptedProvider([
      { text: "Hello", chunk: 3, calls: [{ name: "f", args: { a: 1 }, id: "c" }] },
    ]);
    const chunks = await read(provider);
    expect(chunks.map((chunk) => chunk.content)).toEqual(["Hel", "lo", null]);
    expect(chunks.at(-1)).toMatchObject({
      finishReason: "tool_calls",
      toolCalls: [{ id: "c", function: { name: "f", arguments: '{"a":1}' } }],
    });
    expect(provider.requests[0]).toMatchObject({
      model: "m",
      messages: [{ content: "hi" }],
      tools: [],
      opts: { reqId: "r" },
    });
  });

  test.each([
    [{ status: 429 }, "rate_limit"],
    [{ status: 400, body: { error: { message: "x", code: "context_length_exceeded" } } }, "context_overflow"],
    [{ text: "Hello", fault: "cut" as const }, "network"],
    [{ text: "Hello", fault: "garbage" as const }, "malformed_response"],
  ])("%j fails as over HTTP", async (reply, errorType) => {
    await expect(read(new ScriptedProvider([reply]))).rejects.toMatchObject({ errorType });
  });

  test.each(["hang", "hang-before-headers"] as const)("%s ends with an abort", async (fault) => {
    const controller = new AbortController();
    const reading = read(new ScriptedProvider([{ text: "Hello", fault }]), { ...OPTS, signal: controller.signal });
    controller.abort();
    await expect(reading).rejects.toThrow();
  });
});

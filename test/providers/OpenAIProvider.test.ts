import { getEventListeners } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { OpenAIProvider, type OpenAIProviderOptions } from "../../src/providers/OpenAIProvider";
import type { Recovery, StreamOpts, ToolSchema } from "../../src/shared/contracts";
import type { Message, StreamChunk } from "../../src/shared/messages";
import { type ModelRequest, type Reply, startModelServer } from "../support/modelServer";

const OPTS: StreamOpts = { reqId: "r1", logTime: "2026-12-01T10:00:00.000Z" };
const USER: Message[] = [
  { role: "system", content: "be kind" },
  { role: "user", content: "hi" },
];
const tool = (
  name: string,
  parameters: ToolSchema["function"]["parameters"] = { type: "object", properties: {} },
): ToolSchema => ({ type: "function", function: { name, description: name, parameters } });
const TOOLS = [tool("read_file"), tool("web_search")];
const PNG = "data:image/png;base64,AAAA";

function providerFor(url: string, options: OpenAIProviderOptions & { mode?: string } = {}): OpenAIProvider {
  const { mode, env, ...rest } = options;
  return new OpenAIProvider({
    baseURL: url,
    env: { OPENAI_API_KEY: "sk-secret-key-123", NETWORK_RETRY_BASE_MS: "5", OPENAI_FORCE_API_MODE: mode, ...env },
    ...rest,
  });
}

async function read(stream: Promise<AsyncIterable<StreamChunk>>) {
  const seen = { text: "", reasoning: "", chunks: [] as StreamChunk[] };
  for await (const chunk of await stream) {
    seen.text += chunk.content ?? "";
    seen.reasoning += chunk.reasoning ?? "";
    seen.chunks.push(chunk);
  }
  return { ...seen, last: seen.chunks.at(-1)! };
}

/** A server that refuses as long as `isBad` holds, and says `text` otherwise. */
function refusing(isBad: (request: ModelRequest) => boolean, refusal: Reply) {
  return (request: ModelRequest): Reply => (isBad(request) ? refusal : { text: "ok" });
}

const refusal = (message: string, more: object = {}): Reply => ({
  status: 400,
  body: { error: { message, type: "invalid_request_error", ...more } },
});

describe.each(["responses", "chat"])("a reply by %s", (mode) => {
  test("streams text and thinking; the last chunk carries calls, usage and the finish", async () => {
    const { url, server } = await startModelServer(
      [
        {
          text: "Let me look.",
          reasoning: "hm, where",
          chunk: 4,
          calls: [{ name: "read_file", args: { path: "a" }, id: "c1" }],
          usage: { input: 9, output: 4, cached: 3, reasoning: 2 },
        },
      ],
      { strict: true },
    );
    const { text, reasoning, last, chunks } = await read(providerFor(url, { mode }).stream("m", USER, TOOLS, OPTS));
    expect([text, reasoning]).toEqual(["Let me look.", "hm, where"]);
    expect(chunks.length).toBeGreaterThan(5);
    expect(last).toMatchObject({
      toolCalls: [{ id: "c1", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } }],
      usage: { input: 9, output: 4, cached: 3, reasoning: 2 },
      finishReason: "tool_calls",
    });
    expect(chunks.slice(0, -1).every((chunk) => chunk.toolCalls === null && chunk.finishReason === null)).toBe(true);
    expect(server.requests[0]).toMatchObject({
      api: mode,
      model: "m",
      tools: ["read_file", "web_search"],
      messages: USER,
    });
  });

  test("the whole history goes out valid: calls answered, images behind the results, thinking with its calls", async () => {
    const { url, server } = await startModelServer([{ text: "ok" }], { strict: true });
    const history: Message[] = [
      ...USER,
      {
        role: "assistant",
        content: "",
        reasoning: "think",
        reasoning_details: [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "SEAL" }],
        tool_calls: [
          { id: "a", type: "function", function: { name: "read_file", arguments: "{bad" } },
          { id: "b", type: "function", function: { name: "read_file", arguments: "" } },
        ],
      },
      {
        role: "tool",
        tool_call_id: "a",
        name: "read_file",
        content: [
          { type: "text", text: "[image]" },
          { type: "image_url", image_url: { url: PNG } },
        ],
      },
      { role: "assistant", content: " " },
      { role: "user", content: "and\0 now\ud800?" },
    ];
    await read(providerFor(url, { mode }).stream("m", history, TOOLS, OPTS));
    const [, , caller, first, second, shown] = server.requests[0]!.messages;
    expect(caller?.tool_calls?.map((call) => call.function.arguments)).toEqual(["{}", "{}"]);
    expect(first).toMatchObject({ role: "tool", tool_call_id: "a", content: "[image]" });
    expect(second).toMatchObject({
      role: "tool",
      tool_call_id: "b",
      content: expect.stringContaining("did not finish"),
    });
    expect(JSON.stringify(shown)).toContain(PNG);
    expect(JSON.stringify(shown)).toContain("and now\uFFFD?");
    if (mode === "chat") expect(caller).toMatchObject({ reasoning_content: "think", content: "" });
    else
      expect(server.requests[0]!.body.input).toContainEqual({
        type: "reasoning",
        id: "rs_1",
        summary: [],
        encrypted_content: "SEAL",
      });
    expect(JSON.stringify(server.requests[0]!.body)).not.toMatch(/"name":"read_file","role"|"origin"/);
  });

  test("sealed thinking comes back with the message and travels with the next request", async () => {
    const { url, server } = await startModelServer([
      { reasoning: "deep", calls: [{ name: "read_file" }] },
      { text: "ok" },
    ]);
    const provider = providerFor(url, { mode });
    const { last } = await read(provider.stream("m", USER, TOOLS, OPTS));
    const answered: Message[] = [
      ...USER,
      {
        role: "assistant",
        content: "",
        reasoning: "deep",
        reasoning_details: last.reasoningDetails ?? [],
        tool_calls: last.toolCalls!,
      },
      { role: "tool", tool_call_id: last.toolCalls![0]!.id, content: "x" },
    ];
    await read(provider.stream("m", answered, TOOLS, OPTS));
    expect(JSON.stringify(server.requests[1]!.body)).toContain(
      mode === "chat" ? '"reasoning_content":"deep"' : Buffer.from("deep").toString("base64"),
    );
  });

  test("request n+1 begins with the bytes of request n", async () => {
    const { url, server } = await startModelServer(() => ({ calls: [{ name: "read_file" }] }), { strict: true });
    const provider = providerFor(url, { mode });
    const history = [...USER];
    for (let round = 0; round < 10; round += 1) {
      const { last } = await read(provider.stream("m", history, TOOLS, OPTS));
      history.push(
        { role: "assistant", content: "", tool_calls: last.toolCalls! },
        { role: "tool", tool_call_id: last.toolCalls![0]!.id, content: `r${round}` },
      );
    }
    const prefix = (raw: string) => raw.slice(0, raw.lastIndexOf("]", raw.indexOf('"stream"')));
    const sent = server.requests.map((request) => request.raw);
    for (const [index, raw] of sent.slice(1).entries()) expect(raw.startsWith(prefix(sent[index]!))).toBe(true);
  });

  test.each(["cut", "reset"] as const)(
    "a connection that is %s is a network error after the text that came",
    async (fault) => {
      const { url } = await startModelServer([{ text: "Half of it, and more.", chunk: 4, everyMs: 1, fault }]);
      await expect(read(providerFor(url, { mode }).stream("m", USER, TOOLS, OPTS))).rejects.toMatchObject({
        errorType: "network",
        retriable: true,
      });
    },
  );

  test("broken events are a malformed response", async () => {
    const { url } = await startModelServer([{ text: "Half", fault: "garbage" }]);
    await expect(read(providerFor(url, { mode }).stream("m", USER, TOOLS, OPTS))).rejects.toMatchObject({
      errorType: "malformed_response",
      retriable: true,
    });
  });

  test.each([
    ["before the headers", { fault: "hang-before-headers" }],
    ["in the middle of the reply", { text: "one two three", chunk: 2, fault: "hang" }],
    ["while it waits to send again", { status: 503, headers: { "retry-after": "50" } }],
  ] as [string, Reply][])("an abort %s ends the call and the connection", async (_, reply) => {
    const { url, server } = await startModelServer(() => reply);
    const controller = new AbortController();
    let recovered: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      recovered = resolve;
    });
    const call = read(
      providerFor(url, { mode }).stream("m", USER, TOOLS, {
        ...OPTS,
        signal: controller.signal,
        onRecovered: recovered,
      }),
    );
    const settled = call.catch((error: Error) => error);
    await server.waitForRequest();
    if (reply.status) await waiting;
    else if (reply.text) await sleep(30);
    controller.abort(new Error("stopped by the user"));
    expect(await settled).toMatchObject({ message: "stopped by the user" });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

describe("choosing the API", () => {
  test("Responses first; where it is missing Chat, remembered for the model and handed on as data", async () => {
    const { url, server } = await startModelServer(() => ({ text: "ok" }), { chatOnly: true });
    const told: Recovery[] = [];
    const provider = providerFor(url);
    await read(provider.stream("m", USER, [], { ...OPTS, onRecovered: (info) => told.push(info) }));
    await read(provider.stream("m", USER, [], OPTS));
    expect(told).toMatchObject([{ errorType: "endpoint_unsupported", fallback: "cache" }]);
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "chat", "chat"]);
    const learned = JSON.parse(JSON.stringify(provider.learned));
    expect(learned).toEqual({ [`${url} m`]: { api: "chat", at: expect.any(Number) } });
    await read(providerFor(url, { knownEndpoints: learned }).stream("m", USER, [], OPTS));
    await read(providerFor(url, { knownEndpoints: learned }).stream("other", USER, [], OPTS));
    expect(server.requests.slice(3).map((request) => `${request.model} ${request.api}`)).toEqual([
      "m chat",
      "other responses",
      "other chat",
    ]);
  });

  test("where Chat is missing as well nothing is remembered, and the error names the address", async () => {
    const { url, server } = await startModelServer(() => ({ status: 404, body: "404 page not found" }));
    const provider = providerFor(url);
    await expect(read(provider.stream("m", USER, [], OPTS))).rejects.toMatchObject({
      errorType: "endpoint_unsupported",
      message: expect.stringContaining(url),
    });
    expect(server.requests).toHaveLength(2);
    expect(provider.learned).toEqual({});
  });

  test("a start page under the Responses path is taken for a missing one", async () => {
    const answer = (request: ModelRequest): Reply =>
      request.api === "chat" ? { text: "ok" } : { status: 200, body: "<!doctype html><title>Portal</title>" };
    const { url, server } = await startModelServer(answer);
    const provider = providerFor(url);
    for (let turn = 0; turn < 2; turn += 1) await read(provider.stream("m", USER, [], OPTS));
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "chat", "chat"]);
  });

  test("a forced mode never falls back", async () => {
    const { url, server } = await startModelServer(() => ({ text: "ok" }), { chatOnly: true });
    await expect(read(providerFor(url, { mode: "responses" }).stream("m", USER, [], OPTS))).rejects.toMatchObject({
      errorType: "endpoint_unsupported",
    });
    await read(providerFor(url, { mode: "chat" }).stream("m", USER, [], OPTS));
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "chat"]);
  });

  test("a refused parameter sends this request to Chat, and the next one to Responses without it", async () => {
    const bad = (request: ModelRequest) => request.api === "responses" && "include" in request.body;
    const { url, server } = await startModelServer(
      refusing(bad, refusal("Encrypted content is not supported with this model.", { param: "include" })),
    );
    const told: Recovery[] = [];
    const provider = providerFor(url);
    for (let turn = 0; turn < 2; turn += 1)
      await read(provider.stream("m", USER, [], { ...OPTS, onRecovered: (info) => told.push(info) }));
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "chat", "responses"]);
    expect(told).toMatchObject([{ errorType: "unsupported_param", fallback: "once" }]);
  });

  test("where Chat is missing, Responses goes on without the refused parameter", async () => {
    const answer = (request: ModelRequest): Reply => {
      if (request.api === "chat") return { status: 404, body: "404 page not found" };
      return "include" in request.body
        ? refusal("Unknown parameter: 'include'.", { param: "include" })
        : { text: "ok" };
    };
    const { url, server } = await startModelServer(answer);
    const provider = providerFor(url);
    for (let turn = 0; turn < 2; turn += 1) expect((await read(provider.stream("m", USER, [], OPTS))).text).toBe("ok");
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "chat", "responses", "responses"]);
  });

  test("a lesson that no longer holds is given up", async () => {
    const answer = (request: ModelRequest): Reply =>
      request.api === "chat" ? { status: 404, body: "This model is only supported in v1/responses." } : { text: "ok" };
    const { url, server } = await startModelServer(answer);
    const known = providerFor(url, { knownEndpoints: { [`${url} m`]: { api: "chat" } } });
    for (let turn = 0; turn < 2; turn += 1) await read(known.stream("m", USER, [], OPTS));
    expect(server.requests.map((request) => request.api)).toEqual(["chat", "responses", "responses"]);
    expect(known.learned[`${url} m`]?.api).toBeUndefined();
  });

  test("Chat that answers with a refusal is there all the same", async () => {
    const { url } = await startModelServer(() => ({ status: 401 }), { chatOnly: true });
    const provider = providerFor(url);
    await expect(read(provider.stream("m", USER, [], OPTS))).rejects.toMatchObject({ errorType: "auth" });
    expect(provider.learned[`${url} m`]?.api).toBe("chat");
  });

  test("DeepSeek on Responses: the server's own web search, no local one, no effort level", async () => {
    const { url, server } = await startModelServer(() => ({ text: "ok" }));
    await read(providerFor(url).stream("deepseek-x", USER, TOOLS, { ...OPTS, reasoningEffort: "high" }));
    expect(server.requests[0]!.body.tools).toMatchObject([
      { type: "function", name: "read_file" },
      { type: "web_search" },
    ]);
    expect(server.requests[0]!.body.reasoning).toBeUndefined();
    await read(
      providerFor(url, { mode: "chat" }).stream("deepseek-x", USER, TOOLS, { ...OPTS, reasoningEffort: "high" }),
    );
    expect(server.requests[1]!.tools).toEqual(["read_file", "web_search"]);
    expect(server.requests[1]!.body.reasoning_effort).toBeUndefined();
  });

  test("DeepSeek's web search refused: the local one is back at the next request", async () => {
    const bad = (request: ModelRequest) =>
      request.tools.includes("web_search") && JSON.stringify(request.body.tools).includes('{"type":"web_search"}');
    const { url, server } = await startModelServer(refusing(bad, refusal("'type' of tool must be 'function'")));
    const provider = providerFor(url);
    for (let turn = 0; turn < 2; turn += 1) await read(provider.stream("deepseek-x", USER, TOOLS, OPTS));
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "chat", "responses"]);
    expect(server.requests[2]!.body.tools).toMatchObject([{ name: "read_file" }, { name: "web_search" }]);
  });
});

describe("what goes out", () => {
  test("Responses: no state on the server, sealed reasoning asked for, effort as asked", async () => {
    const { url, server } = await startModelServer(() => ({ text: "ok" }));
    await read(
      providerFor(url).stream("m", USER, TOOLS, {
        ...OPTS,
        reasoningEffort: "low",
        maxTokens: 50,
        temperature: 0.2,
        sessionId: "s1",
      }),
    );
    const { body, path } = server.requests[0]!;
    expect(path).toBe("/v1/responses");
    expect(body).toMatchObject({
      store: false,
      include: ["reasoning.encrypted_content"],
      instructions: "be kind",
      reasoning: { effort: "low" },
      max_output_tokens: 50,
      temperature: 0.2,
      stream: true,
    });
    expect(body).not.toHaveProperty("previous_response_id");
    expect(body, "a cache key is OpenAI's alone").not.toHaveProperty("prompt_cache_key");
  });

  test("Chat: nothing that is not needed", async () => {
    const { url, server } = await startModelServer(() => ({ text: "ok" }));
    const provider = providerFor(url, { mode: "chat" });
    await read(provider.stream("m", USER, [], { ...OPTS, toolChoice: "none" }));
    expect(Object.keys(server.requests[0]!.body).sort()).toEqual(["messages", "model", "stream", "stream_options"]);
    await read(provider.stream("m", USER, [], { ...OPTS, toolChoice: "none", sessionTools: TOOLS, maxTokens: 9 }));
    expect(server.requests[1]!.body).toMatchObject({ tool_choice: "none", max_tokens: 9 });
    expect(server.requests[1]!.tools).toEqual(["read_file", "web_search"]);
  });

  test("the constructor's limits hold where a call names none; headers and query go with every request", async () => {
    const { url, server } = await startModelServer(() => ({ text: "ok" }));
    const provider = providerFor(`${url}/chat/completions?api-version=1`, {
      mode: "chat",
      maxTokens: 7,
      temperature: 0,
      headers: { "x-team": "a" },
      query: { q: "2" },
    });
    await read(provider.stream("m", USER, [], OPTS));
    expect(server.requests[0]!.body).toMatchObject({ max_tokens: 7, temperature: 0 });
    expect(server.requests[0]!.path).toBe("/v1/chat/completions?api-version=1&q=2");
    expect(server.requests[0]!.headers).toMatchObject({ "x-team": "a", authorization: "Bearer sk-secret-key-123" });
  });
});

describe("refusals on the way", () => {
  test("is told before it waits, keeps to the delay that was asked for, and gives up in time", async () => {
    const { url, server } = await startModelServer(() => ({
      status: 429,
      headers: { "retry-after-ms": "20" },
      body: { error: { message: "slow down" } },
    }));
    const told: Recovery[] = [];
    const before: number[] = [];
    const onRecovered = (info: Recovery) => {
      told.push(info);
      before.push(server.requests.length);
    };
    await expect(read(providerFor(url).stream("m", USER, [], { ...OPTS, onRecovered }))).rejects.toMatchObject({
      errorType: "rate_limit",
      retriable: true,
      retryAfterMs: 20,
      status: 429,
    });
    expect(told).toMatchObject([
      { errorType: "rate_limit", retryAfterMs: 20, attempt: 1, maxAttempts: 2 },
      { attempt: 2 },
    ]);
    expect(before).toEqual([1, 2]);
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "responses", "responses"]);
  });

  test("OPENAI_MAX_RETRIES=0 sends once", async () => {
    const { url, server } = await startModelServer(() => ({ status: 500 }));
    await expect(
      read(providerFor(url, { env: { OPENAI_MAX_RETRIES: "0" } }).stream("m", USER, [], OPTS)),
    ).rejects.toMatchObject({ errorType: "server" });
    expect(server.requests).toHaveLength(1);
  });

  const history = (...more: Message[]): Message[] => [
    ...USER,
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "call_long_id", type: "function", function: { name: "read_file", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "call_long_id", content: "x" },
    ...more,
  ];
  const text = (request: ModelRequest) => JSON.stringify(request.body);

  test.each([
    [
      "a field that is named only after a colon",
      {},
      (request: ModelRequest) => "stream_options" in request.body,
      refusal("Unknown name: stream_options"),
    ],
    [
      "an output limit under both names",
      { maxTokens: 5 },
      (request: ModelRequest) => /max_(completion_)?tokens/.test(text(request)),
      refusal("Unsupported parameters: max_tokens, max_completion_tokens"),
    ],
    [
      "a limit that is too high",
      { maxTokens: 9000 },
      (request: ModelRequest) => Number(request.body.max_tokens) > 4096,
      refusal("max_tokens is too large: 9000. This model supports at most 4096 completion tokens."),
    ],
    [
      "everything but the bare request",
      { temperature: 1 },
      (request: ModelRequest) => "temperature" in request.body,
      refusal("Bad Request"),
    ],
    [
      "thinking that is sent back",
      {},
      (request: ModelRequest) => text(request).includes("reasoning_content"),
      refusal("'messages.2': property 'reasoning_content' is unsupported"),
    ],
    [
      "ids that are too long",
      {},
      (request: ModelRequest) => text(request).includes("call_long_id"),
      refusal("tool_call_id must have a length of 9"),
    ],
    [
      "a stream",
      {},
      (request: ModelRequest) => request.stream || "stream_options" in request.body,
      refusal("'stream' is not supported by this model"),
    ],
    [
      "a system prompt",
      {},
      (request: ModelRequest) => request.messages.some((message) => message.role === "system"),
      refusal("System role not supported"),
    ],
    [
      "calls without their thinking, and then with an empty one",
      {},
      (request: ModelRequest) =>
        request.messages.some((message) => message.tool_calls && !message["reasoning_content"]),
      refusal("The reasoning_content must be passed back"),
    ],
    [
      "an empty string as content",
      {},
      (request: ModelRequest) => text(request).includes('"content":""'),
      refusal("text content blocks must be non-empty"),
    ],
  ] as [string, Partial<StreamOpts>, (request: ModelRequest) => boolean, Reply][])(
    "%s: mended, and remembered",
    async (_, more, isBad, reply) => {
      const { url, server } = await startModelServer(refusing(isBad, reply));
      const provider = providerFor(url, { mode: "chat" });
      const messages = history({
        role: "assistant",
        content: "",
        reasoning: "t",
        tool_calls: [{ id: "other", type: "function", function: { name: "read_file", arguments: "{}" } }],
      });
      expect((await read(provider.stream("m", messages, TOOLS, { ...OPTS, ...more }))).text).toBe("ok");
      const first = server.requests.length;
      expect(first).toBeGreaterThan(1);
      await read(provider.stream("m", messages, TOOLS, { ...OPTS, ...more }));
      if (more.maxTokens !== 9000) expect(server.requests).toHaveLength(first + 1);
    },
  );

  test("a lesson that did not help is not kept", async () => {
    const { url } = await startModelServer(() => refusal("Unknown parameter: 'stream_options'"));
    const provider = providerFor(url, { mode: "chat" });
    await expect(read(provider.stream("m", USER, TOOLS, OPTS))).rejects.toMatchObject({
      errorType: "unsupported_param",
    });
    expect(provider.learned).toEqual({});
  });

  test("a tool that stays refused is left out, and only that", async () => {
    const bad = (request: ModelRequest) => request.tools.includes("mcp__x__odd");
    const { url, server } = await startModelServer(
      refusing(bad, refusal("Invalid schema for function 'mcp__x__odd': no")),
    );
    const told: Recovery[] = [];
    await read(
      providerFor(url).stream("m", USER, [...TOOLS, tool("mcp__x__odd")], {
        ...OPTS,
        onRecovered: (info) => told.push(info),
      }),
    );
    expect(server.requests.at(-1)!.tools).toEqual(["read_file", "web_search"]);
    expect(told.at(-1)?.recover).toContain("mcp__x__odd");
  });

  test("large results are cut where the body is too large, then the error stands", async () => {
    const big = history(
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "z", type: "function", function: { name: "read_file", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "z", content: "y".repeat(50_000) },
    );
    const { url, server } = await startModelServer(
      refusing((request) => text(request).length > 20_000, { status: 413, body: "<html><title>413</title></html>" }),
    );
    await read(providerFor(url).stream("m", big, TOOLS, OPTS));
    expect(server.requests.at(-1)!.raw.length).toBeLessThan(20_000);
    expect(text(server.requests.at(-1)!)).toContain("50000 characters");
    const never = await startModelServer(() => ({ status: 413, body: "<html><title>413</title></html>" }));
    await expect(read(providerFor(never.url).stream("m", big, TOOLS, OPTS))).rejects.toMatchObject({
      errorType: "payload_too_large",
    });
  });

  test("reasoning that the server cannot open is forgotten for good", async () => {
    const sealed: Message[] = [
      ...USER,
      { role: "assistant", content: "a", reasoning_details: [{ type: "reasoning", encrypted_content: "OLD" }] },
      { role: "user", content: "b" },
    ];
    const { url, server } = await startModelServer(
      refusing(
        (request) => text(request).includes("OLD"),
        refusal("The encrypted content could not be verified.", { code: "invalid_encrypted_content" }),
      ),
    );
    const provider = providerFor(url);
    for (let turn = 0; turn < 2; turn += 1) await read(provider.stream("m", sealed, TOOLS, OPTS));
    expect(server.requests.map((request) => request.api)).toEqual(["responses", "responses", "responses"]);
  });

  test("once text has reached the caller nothing is sent again", async () => {
    const { url, server } = await startModelServer([{ text: "Half", finish: "error" }]);
    await expect(read(providerFor(url, { mode: "chat" }).stream("m", USER, [], OPTS))).rejects.toMatchObject({
      errorType: "server",
      retriable: true,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("output that was rejected is asked for again twice, with a remark", async () => {
    const { url, server } = await startModelServer(() =>
      refusal("Failed to call a function.", { code: "tool_use_failed" }),
    );
    await expect(read(providerFor(url, { mode: "chat" }).stream("m", USER, [], OPTS))).rejects.toMatchObject({
      errorType: "output_rejected",
      retriable: true,
    });
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]!.messages.at(-1)?.content).toContain("was rejected");
  });
});

describe("thinking without an opening tag", () => {
  test("is reclassified when the closing tag comes, and known from then on", async () => {
    const { url } = await startModelServer(() => ({ text: "weigh it\n</think>\n\nThe answer.", chunk: 3 }));
    const provider = providerFor(url, { mode: "chat" });
    const first = await read(provider.stream("m", USER, [], OPTS));
    const at = first.chunks.findIndex((chunk) => chunk.reclassify);
    expect(
      first.chunks
        .slice(at)
        .map((chunk) => chunk.content ?? "")
        .join(""),
    ).toBe("The answer.");
    expect(await read(provider.stream("m", USER, [], OPTS))).toMatchObject({
      text: "The answer.",
      reasoning: "weigh it",
    });
    expect(await provider.chat("m", USER, {}, OPTS)).toBe("The answer.");
  });
});

describe("chat, models and the key", () => {
  test("chat is a request without tools; nothing said is null", async () => {
    const { url, server } = await startModelServer([{ text: "A name" }, { text: "" }, { status: 401 }]);
    const provider = providerFor(url);
    expect(await provider.chat("m", USER, { temperature: 0 }, OPTS, { maxTokens: 30 })).toBe("A name");
    expect(server.requests[0]!.body).toMatchObject({ max_output_tokens: 30, temperature: 0 });
    expect(server.requests[0]!.tools).toEqual([]);
    const unset = { reasoningEffort: undefined, temperature: undefined };
    const opts = { ...OPTS, reasoningEffort: "low", temperature: 1, maxTokens: 40 };
    expect(await provider.chat("m", USER, unset, opts, { maxTokens: undefined })).toBeNull();
    expect(server.requests[1]!.body).toMatchObject({
      max_output_tokens: 40,
      temperature: 1,
      reasoning: { effort: "low" },
    });
    await expect(provider.chat("m", USER, {}, OPTS)).rejects.toMatchObject({ errorType: "auth" });
  });

  test("models lists what the endpoint lists", async () => {
    const { url } = await startModelServer([], { models: [{ id: "a", context_length: 4096 }] });
    expect(await providerFor(url).models()).toMatchObject([{ id: "a", context_length: 4096 }]);
  });

  test("no key, no address: a clear error at the first call, and none before", async () => {
    await expect(new OpenAIProvider({ apiKey: "two words" }).stream("m", USER, [], OPTS)).rejects.toThrow(/characters/);
    const without = new OpenAIProvider({ env: {} });
    await expect(without.stream("m", USER, [], OPTS)).rejects.toThrow(/^OPENAI_API_KEY is not set\./);
    await expect(without.chat("m", USER, {}, OPTS)).rejects.toMatchObject({ errorType: "auth", retriable: false });
    await expect(providerFor("localhost:1234").stream("m", USER, [], OPTS)).rejects.toThrow(/base URL/);
  });

  test("the key is never printed", async () => {
    const { url } = await startModelServer(() => ({ status: 401, body: "the key sk-secret-key-123 is wrong" }));
    await expect(read(providerFor(url).stream("m", USER, [], OPTS))).rejects.toThrow(/^(?!.*secret)/);
  });

  test("after a call no timer and no listener is left", async () => {
    const { url } = await startModelServer(() => ({ text: "ok" }));
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const controller = new AbortController();
    const provider = providerFor(url);
    const before = timers();
    await read(provider.stream("m", USER, [], { ...OPTS, signal: controller.signal }));
    // The runner has timers of its own that come and go; one of ours would stay for minutes.
    await vi.waitFor(() => expect(timers()).toBeLessThanOrEqual(before));
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("leaving the loop closes the connection", async () => {
    const { url, server } = await startModelServer([{ text: "one two three four", chunk: 2, fault: "hang" }]);
    for await (const chunk of await providerFor(url).stream("m", USER, [], OPTS)) if (chunk.content) break;
    expect(server.requests).toHaveLength(1);
    await server.close();
  });
});

describe("the audit log", () => {
  function folder(): string {
    const dir = mkdtempSync(join(tmpdir(), "zqagent-audit-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
  }

  const filesIn = (dir: string) =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".json"))
      .sort();

  test("one file for each request and answer, by date and reqId, for the owner alone and without the key", async () => {
    const dir = folder();
    const { url } = await startModelServer([
      { status: 500, body: "sk-secret-key-123 failed" },
      { text: "Hello", calls: [{ name: "read_file" }] },
    ]);
    const picture: Message = {
      role: "user",
      content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(4000)}` } }],
    };
    const provider = providerFor(url, { logDir: dir });
    await read(provider.stream("m", [...USER, picture], TOOLS, { ...OPTS, reqId: "../r/1" }));
    await provider.settled();
    const files = filesIn(dir);
    expect(files).toEqual(
      ["request", "response"]
        .flatMap((kind) => ["", ".2"].map((attempt) => join("2026-12-01", `__r_1${attempt}.${kind}.json`)))
        .sort(),
    );
    const read1 = (name: string) => readFileSync(join(dir, "2026-12-01", name), "utf8");
    expect(JSON.parse(read1("__r_1.2.response.json"))).toMatchObject({
      reqId: "../r/1",
      status: 200,
      text: "Hello",
      finishReason: "tool_calls",
    });
    expect(JSON.parse(read1("__r_1.request.json"))).toMatchObject({ path: "/responses", body: { model: "m" } });
    const all = files.map((file) => readFileSync(join(dir, file), "utf8")).join();
    expect(all).not.toContain("secret");
    expect(all).not.toContain("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    for (const file of files) expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  });

  test("a log that cannot be written harms nothing", async () => {
    const dir = join(folder(), "a-file");
    writeFileSync(dir, "");
    const { url } = await startModelServer([{ text: "ok" }]);
    expect((await read(providerFor(url, { logDir: dir }).stream("m", USER, [], OPTS))).text).toBe("ok");
  });
});

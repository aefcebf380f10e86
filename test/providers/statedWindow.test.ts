/** The context window as the endpoint itself states it: asked once, beside the work, and remembered. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type CreateEngineOpts, createDefaultEngine } from "../../src/createDefaultEngine";
import { type KnownEndpoints, OpenAIProvider } from "../../src/providers/OpenAIProvider";
import { isOwnServer } from "../../src/providers/statedWindow";
import { keepEndpoints, readEndpoints } from "../../src/sessions/endpointMemory";
import { drain, only } from "../support/drain";

type Answer = unknown | ((response: ServerResponse) => void);

/** A chat endpoint that answers "ok" to everything; `side` says what its other paths give, by `GET /path`. */
async function startEndpoint(side: Record<string, Answer> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    for await (const _ of request) void _;
    const name = `${request.method} ${request.url}`;
    if (name === "POST /v1/chat/completions") return sayOk(response);
    asked.push(name);
    const found = side[name];
    if (typeof found === "function") return found(response);
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(typeof found === "string" ? found : JSON.stringify(found ?? { error: { message: "no such path" } }));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, baseURL: `http://127.0.0.1:${port}/v1` };
}

function sayOk(response: ServerResponse): void {
  const choice = (delta: unknown, finish: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`${choice({ content: "ok" }, null)}${choice({}, "stop")}data: [DONE]\n\n`);
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "zqagent-window-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Setup extends Partial<CreateEngineOpts> {
  known?: KnownEndpoints;
}

function engineAt(baseURL: string, { known, ...opts }: Setup = {}) {
  const provider = new OpenAIProvider({
    ...{ apiKey: "test-key", baseURL, apiMode: "chat" as const },
    ...(known && { knownEndpoints: known }),
  });
  const engine = createDefaultEngine({
    workspace: folder(),
    model: "mystery-1",
    lang: "en",
    provider,
    askContextWindow: true,
    ...opts,
  });
  return { engine, provider };
}

/** Two turns, the second of which asks, and the answer. */
async function afterTwoTurns(baseURL: string, setup?: Setup) {
  const { engine, provider } = engineAt(baseURL, setup);
  for (const prompt of ["one", "two"])
    expect(only(await drain(engine.run(prompt)), "turn_end")[0]?.["status"]).toBe("completed");
  await provider.learnContextWindow("mystery-1");
  const { contextWindow, windowAssumed } = engine.compactionState;
  return { engine, provider, contextWindow, windowAssumed };
}

const list = (...data: unknown[]) => ({ "GET /v1/models": { object: "list", data } });
const mine = { id: "mystery-1" };
const notes = (provider: OpenAIProvider) => Object.values(provider.learned)[0];

test("nothing is asked before the second request, once then, and never again", async () => {
  const { asked, baseURL } = await startEndpoint(
    list({ id: "other", max_model_len: 1 }, { ...mine, max_model_len: 32_768 }),
  );
  const { engine } = engineAt(baseURL);
  await drain(engine.run("one"));
  expect(asked).toEqual([]);
  expect(engine.compactionState).toMatchObject({ contextWindow: 128_000, windowAssumed: true });
  for (const prompt of ["two", "three", "four"]) await drain(engine.run(prompt));
  await expect.poll(() => engine.compactionState.contextWindow).toBe(32_768);
  expect(engine.compactionState.windowAssumed).toBe(false);
  expect(asked).toEqual(["GET /v1/models"]);
});

const loaded = (entry: unknown) => ({ ...list(mine), "GET /api/ps": { models: [entry] } });

test.each<[string, Record<string, Answer>, number]>([
  ["context_length", list({ ...mine, context_length: 8_192 }), 8_192],
  ["max_model_len", list({ ...mine, max_model_len: 16_384 }), 16_384],
  [
    "loaded_context_length before what the model could",
    list({ ...mine, loaded_context_length: 4_096, context_length: 131_072 }),
    4_096,
  ],
  ["meta.n_ctx_train", list({ ...mine, meta: { n_ctx_train: 40_960 } }), 40_960],
  ["a bare list", { "GET /v1/models": [{ ...mine, context_length: 9_000 }] }, 9_000],
  ["a model that is loaded", loaded({ name: "mystery-1:latest", context_length: 24_576 }), 24_576],
  [
    "the model's own settings",
    { ...loaded({ name: "mystery-1", size: 1 }), "POST /api/show": { parameters: 'stop   "x"\nnum_ctx     8192' } },
    8_192,
  ],
  ["such a server that says nothing", { ...loaded({ name: "other" }), "POST /api/show": { parameters: "" } }, 4_096],
])("%s", async (_what, side, wanted) => {
  const { baseURL } = await startEndpoint(side);
  expect(await afterTwoTurns(baseURL)).toMatchObject({ contextWindow: wanted, windowAssumed: false });
});

describe("without an answer all stays as it was", () => {
  test.each<[string, Record<string, Answer>, number | undefined]>([
    ["no such list", {}, 0],
    ["a list without the model", list({ id: "other", context_length: 5 }), 0],
    ["figures that are none", list({ ...mine, context_length: "large", max_model_len: -1 }), 0],
    ["garbage", { "GET /v1/models": "<html>" }, 0],
    [
      "an endpoint out of order",
      { "GET /v1/models": (response: ServerResponse) => response.writeHead(503).end() },
      undefined,
    ],
    ["a line that breaks", { "GET /v1/models": (response: ServerResponse) => response.destroy() }, undefined],
  ])("%s", async (_what, side, noted) => {
    const { baseURL } = await startEndpoint(side);
    const { provider, ...window } = await afterTwoTurns(baseURL);
    expect(window).toMatchObject({ contextWindow: 128_000, windowAssumed: true });
    expect(notes(provider)?.contextWindow).toBe(noted);
  });

  test("an answer that never comes holds up nothing", async () => {
    const { asked, baseURL } = await startEndpoint({ "GET /v1/models": () => undefined });
    const { engine } = engineAt(baseURL);
    for (const prompt of ["one", "two", "three"])
      expect(only(await drain(engine.run(prompt)), "turn_end")[0]?.["status"]).toBe("completed");
    expect(asked).toEqual(["GET /v1/models"]);
  });
});

describe("is not asked", () => {
  test("where the host has named the window", async () => {
    const { asked, baseURL } = await startEndpoint(list({ ...mine, context_length: 8_192 }));
    const { engine } = engineAt(baseURL, { contextWindow: 50_000 });
    for (const prompt of ["one", "two", "three"]) await drain(engine.run(prompt));
    expect([engine.compactionState.contextWindow, asked]).toEqual([50_000, []]);
  });

  test("of an endpoint elsewhere that was asked before, or whose model is in our table", async () => {
    const baseURL = "http://203.0.113.1:9/v1";
    for (const [model, known] of [
      ["mystery-1", { [`${baseURL} mystery-1`]: { at: 1, contextWindow: 0 } }],
      ["gpt-4o", {}],
    ] as const) {
      const provider = new OpenAIProvider({ apiKey: "test-key", baseURL, knownEndpoints: known });
      await provider.learnContextWindow(model);
      expect(provider.learned).toEqual(known);
    }
  });

  test("the user's own table goes before what the endpoint says", async () => {
    const { baseURL } = await startEndpoint(list({ ...mine, context_length: 8_192 }));
    const table = join(folder(), "models.json");
    writeFileSync(table, '{"mystery-*": {"contextWindow": 20000}}');
    process.env.ZQAGENT_MODELS = table;
    onTestFinished(() => void delete process.env.ZQAGENT_MODELS);
    expect((await afterTwoTurns(baseURL)).contextWindow).toBe(20_000);
  });
});

test("what was said holds from the first request of the next run, and a server of one's own is asked anew", async () => {
  const { baseURL } = await startEndpoint(list({ ...mine, context_length: 8_192 }));
  const first = await afterTwoTurns(baseURL);
  const home = folder();
  await keepEndpoints(home, first.provider.learned);
  const known = readEndpoints(home);
  expect(Object.values(known)[0]?.contextWindow).toBe(8_192);
  expect(engineAt(baseURL, { known }).engine.compactionState).toMatchObject({
    contextWindow: 8_192,
    windowAssumed: false,
  });
  const [[key = "", kept] = []] = Object.entries(known);
  const stale = { [key]: { ...kept, contextWindow: 2_048 } };
  const instructions = "You answer.";
  expect((await afterTwoTurns(baseURL, { known: stale, instructions })).contextWindow).toBe(8_192);
  await keepEndpoints(home, { [`${baseURL} odd`]: { at: Date.now(), contextWindow: -5 } });
  expect(Object.keys(readEndpoints(home))).toEqual([key]);
});

test("a window too small for prompt and tools is told, and asked for again each time: its server may have been mended", async () => {
  let size = 2_048;
  const models = (response: ServerResponse) =>
    response.end(JSON.stringify({ data: [{ ...mine, context_length: size }] }));
  const { baseURL } = await startEndpoint({ "GET /v1/models": models });
  const known = { [`${baseURL} mystery-1`]: { at: Date.now(), contextWindow: 2_048 } };
  const { engine } = engineAt(baseURL, { known });
  const [error] = only(await drain(engine.run("one")), "error");
  expect(error).toMatchObject({ error_type: "compaction_failed", error: expect.stringContaining("of 2048 tokens") });
  size = 65_536;
  expect(only(await drain(engine.retry()), "turn_end")[0]?.["status"]).toBe("completed");
  expect(engine.compactionState.contextWindow).toBe(65_536);
});

test.each([
  ["http://localhost:11434/v1", true],
  ["http://127.0.0.1:8080/v1", true],
  ["http://[::1]:8080/v1", true],
  ["http://192.168.1.20:8000/v1", true],
  ["http://gpu-box:8000/v1", true],
  ["https://models.lan/v1", true],
  ["https://api.example.com/v1", false],
  ["http://203.0.113.9/v1", false],
  ["no address", false],
])("%s is a server of one's own: %s", (url, wanted) => {
  expect(isOwnServer(url)).toBe(wanted);
});

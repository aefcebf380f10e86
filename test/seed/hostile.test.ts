/** Wrong options, tools and providers that misbehave in every way: the engine says so and its history stays valid. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AgentRegistry,
  type CreateEngineOpts,
  createDefaultEngine,
  FileLogHook,
  Mode,
  normalizeAttachments,
  OpenAIProvider,
  PermissionEngine,
  type ProviderClient,
  type StreamChunk,
  type ToolContext,
  type ToolMetadata,
  ToolRegistry,
  type ToolSchema,
  TurnEngine,
  type TurnEngineOpts,
  type WsEvent,
} from "../../src/index";
import { faultsOf } from "../engine/validHistory";
import { drain, only } from "../support/drain";
import { ScriptedProvider } from "../support/scriptedProvider";

const workspace = mkdtempSync(join(tmpdir(), "zqagent-hostile-"));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

beforeEach(() => {
  process.env.NETWORK_RETRY_MAX = "0";
});

const rightOptions = (): TurnEngineOpts => ({
  provider: new ScriptedProvider([{ text: "Hello." }]),
  registry: new ToolRegistry(),
  permissions: new PermissionEngine({ workspaceRoot: workspace }),
  model: "scripted",
  instructions: "Help.",
});

describe("a wrong option throws at construction with its name", () => {
  const wrongEverywhere: [string, unknown][] = [
    ["provider", {}],
    ["model", 5],
    ["instructions", 5],
    ["lang", "tlh"],
    ["maxIterations", 0],
    ["maxIterations", "many"],
    ["reasoningEffort", 3],
    ["messages", "hello"],
    ["messages", [{ content: "nobody's" }]],
    ["messages", [{ role: "assistant", content: null, tool_calls: [{ id: "c1" }] }]],
    ["hook", "hook"],
    ["contextWindow", -1],
    ["thresholdPct", 80],
    ["softThresholdPct", Number.NaN],
    ["capTokens", 1.5],
    ["toolResultDir", 7],
    ["toolResultDir", ""],
    ["toolResultDir", " "],
    ["messages", [{ role: "user", content: 5 }]],
    ["messages", [{ role: "user", content: [null] }]],
    ["messages", [null]],
    ["hook", []],
    ["waitLimitMs", -1],
    ["waitLimitMs", Number.NaN],
    ["maxIterations", Number.NaN],
    ["contextWindow", Number.POSITIVE_INFINITY],
    ["thresholdPct", 0],
    ["capTokens", -1],
    ["lang", ""],
    ["notices", "none"],
  ];

  test.each([
    ...wrongEverywhere,
    ["registry", {}],
    ["permissions", null],
    ["genSessionNamePrompt", 1],
    ["finalizeOnMaxIterations", "yes"],
    ["approver", "me"],
    ["sessionId", 7],
    ["environment", "here"],
    ["dispose", true],
  ] as [string, unknown][])("new TurnEngine: %s = %j", (option, value) => {
    const opts = { ...rightOptions(), [option]: value } as TurnEngineOpts;
    expect(() => new TurnEngine(opts)).toThrow(new RegExp(`\\b${option}\\b`));
  });

  test.each([
    ...wrongEverywhere,
    ["workspace", undefined],
    ["workspace", 5],
    ["workspace", " "],
    ["model", false],
    ["model", Number.NaN],
    ["model", 0],
    ["mode", ""],
    ["shellPolicy", ""],
    ["sandbox", { extraWritable: [""] }],
    ["sandbox", { network: "no" }],
    ["vcs", { mode: "auto", sessionId: "" }],
    ["vcs", { mode: "auto", onNotice: "me" }],
    ["web", { allowHosts: [""] }],
    ["web", { search: { backend: 5 } }],
    ["web", { search: { url: 5 } }],
    ["logDir", ""],
    ["mode", "yolo"],
    ["allowedCommands", "ls"],
    ["allowedCommands", [1]],
    ["shellPolicy", "never"],
    ["sandbox", { mode: "sometimes" }],
    ["sandbox", { extraWritable: "/data" }],
    ["sandbox", true],
    ["vcs", { mode: "svn" }],
    ["vcs", { mode: "shadow", sessionId: 7 }],
    ["vcs", "auto"],
    ["agentType", "poet"],
    ["subagentHookFactory", {}],
    ["logDir", 9],
    ["defaultApproval", "maybe"],
    ["notices", []],
  ] as [string, unknown][])("createDefaultEngine: %s = %j", (option, value) => {
    const opts = { workspace, model: "scripted", [option]: value } as CreateEngineOpts;
    expect(() => createDefaultEngine(opts)).toThrow(new RegExp(`\\b${option}\\b`));
  });

  test.each([undefined, null, 5])("no options at all: %j", (nothing) => {
    expect(() => createDefaultEngine(nothing as never)).toThrow(/createDefaultEngine/);
    expect(() => new TurnEngine(nothing as never)).toThrow(/TurnEngine/);
    expect(() => new PermissionEngine(nothing as never)).toThrow(/PermissionEngine/);
  });

  test.each<[string, () => unknown]>([
    ["workspaceRoot", () => new PermissionEngine({ workspaceRoot: "" })],
    ["sandbox", () => new PermissionEngine({ workspaceRoot: workspace, sandbox: "auto" as never })],
    ["mode", () => new PermissionEngine({ workspaceRoot: workspace, mode: "fast" as never })],
    ["sessionId", () => new FileLogHook("../up", workspace)],
    ["func", () => new ToolRegistry().register("f" as never, metadata, schema)],
    ["metadata", () => new ToolRegistry().register(() => "", undefined as never, schema)],
    ["prompt", () => new AgentRegistry().add({ name: "x", description: "" })],
    ["attachments", () => normalizeAttachments("a.png")],
    ["apiKey", () => new OpenAIProvider({ apiKey: 5 as never })],
    ["baseURL", () => new OpenAIProvider({ baseURL: {} as never })],
  ])("%s of the other classes", (name, make) => {
    expect(make).toThrow(new RegExp(`\\b${name}\\b`));
  });

  test("absent, undefined and null where the guide allows it are right", () => {
    createDefaultEngine({
      workspace,
      model: undefined,
      messages: undefined,
      hook: undefined,
      capTokens: null,
    } as never);
    new TurnEngine({ ...rightOptions(), capTokens: null, approver: null });
  });

  const names = Object.keys({
    ...{ model: 1, provider: 1, mode: 1, maxIterations: 1, reasoningEffort: 1, allowedCommands: 1, shellPolicy: 1 },
    ...{ sandbox: 1, vcs: 1, instructions: 1, agentType: 1, lang: 1, messages: 1, hook: 1, subagentHookFactory: 1 },
    ...{ contextWindow: 1, thresholdPct: 1, softThresholdPct: 1, capTokens: 1, toolResultDir: 1, logDir: 1, web: 1 },
    ...{ defaultApproval: 1, waitLimitMs: 1, notices: 1 },
  } satisfies Partial<Record<keyof CreateEngineOpts, 1>>);
  test.each(names)("%s = null counts as absent, or is named", async (name) => {
    const provider = new ScriptedProvider([{ text: "Hello." }]);
    try {
      const engine = createDefaultEngine({ workspace, model: "m", provider, [name]: null });
      if (name !== "model" && name !== "provider") await drain(engine.run("Hello"));
    } catch (error) {
      const message = expect.stringMatching(new RegExp(`\\b${name}\\b`));
      expect(error).toMatchObject({ code: "invalid_option", message });
    }
  });

  test("a message without content is one that has none", async () => {
    const call = { id: "c1", type: "function" as const, function: { name: "odd", arguments: "{}" } };
    const messages = [{ role: "user" }, { role: "assistant", tool_calls: [call] }] as never[];
    const engine = new TurnEngine({ ...rightOptions(), messages });
    await drain(engine.run("Go"));
    expect(faultsOf(engine.messages)).toEqual([]);
  });
});

const metadata: ToolMetadata = { category: "test", riskLevel: "low", capabilities: [], requiresApproval: false };
const schema: ToolSchema = {
  type: "function",
  function: { name: "odd", description: "Odd.", parameters: { type: "object", properties: {} } },
};

/** One turn in which the model calls the tool once. */
async function turnWith(
  tool: (ctx?: ToolContext) => unknown,
  meet?: (event: WsEvent, engine: TurnEngine) => void,
  opts: Partial<TurnEngineOpts> = {},
) {
  const registry = new ToolRegistry();
  registry.register((_args, ctx) => tool(ctx), metadata, schema);
  const provider = new ScriptedProvider([{ calls: [{ name: "odd" }] }, { text: "Done." }]);
  const engine = new TurnEngine({ ...rightOptions(), provider, registry, model: "gpt-4o", ...opts });
  const events: WsEvent[] = [];
  for await (const event of engine.run("Go")) {
    events.push(event);
    meet?.(event, engine);
  }
  expect(faultsOf(engine.messages)).toEqual([]);
  return { engine, events, result: String(engine.messages.find(({ role }) => role === "tool")?.content) };
}

const circle: Record<string, unknown> = {};
circle["self"] = circle;

describe("a tool", () => {
  test.each<[string, () => unknown, RegExp]>([
    ["an Error", () => thrower(new RangeError("Too far.")), /^\{"error":"Too far\.","error_type":"RangeError"\}$/],
    ["a string", () => thrower("just words"), /^\{"error":"just words","error_type":"Error"\}$/],
    ["null", () => thrower(null), /"error":"null"/],
    ["undefined", () => thrower(undefined), /"error":"undefined"/],
    ["an object", () => thrower({ message: "Inside.", code: 7 }), /"error":"Inside\."/],
    ["an object without a prototype", () => thrower(Object.create(null)), /"error":"/],
    ["a symbol", () => thrower(Symbol("odd")), /"error":"Symbol\(odd\)"/],
    ["a rejected promise", () => Promise.reject(new TypeError("Late.")), /"error":"Late\.","error_type":"TypeError"/],
    [
      "an error whose message throws",
      () => {
        const error = new Error("x");
        Object.defineProperty(error, "message", { get: () => thrower("again") });
        throw error;
      },
      /"error":"/,
    ],
  ])("that throws %s gives the model an error to read", async (_what, tool, wanted) => {
    const { events, result } = await turnWith(tool);
    expect(result).toMatch(wanted);
    expect(only(events, "tool_finished")).toMatchObject([{ status: "error" }]);
    expect(events.at(-1)?.data["status"]).toBe("completed");
  });

  test.each<[string, unknown, RegExp, string]>([
    ["undefined", undefined, /^null$/, "ok"],
    ["null", null, /^null$/, "ok"],
    ["a function", () => 1, /^null$/, "ok"],
    ["a symbol", Symbol("odd"), /^null$/, "ok"],
    ["a BigInt", { count: 12n }, /"count":"12"/, "ok"],
    ["a bare BigInt", 12n, /12/, "ok"],
    ["a circle", circle, /"error":".*circular/i, "error"],
    ["an error object", { error: "No luck." }, /No luck\./, "error"],
    ["an empty string", "", /^/, "ok"],
    ["content that is no text", { content: 5 }, /^\{"content":5\}$/, "ok"],
    ["a status of its own", { content: "Fine.", status: "splendid" }, /^Fine\.$/, "ok"],
    ["attachments that are none", { content: "Look.", attachments: "abc" }, /^Look\./, "ok"],
    ["attachments of nothing", { content: "Look.", attachments: [null, 5, {}] }, /^Look\./, "ok"],
    ["half a character", "a\ud83d", /^a/, "ok"],
    [
      "a getter that throws",
      Object.defineProperty({}, "content", { get: () => thrower("no"), enumerable: true }),
      /no/,
      "error",
    ],
  ])("that returns %s gives the model a result to read", async (_what, value, wanted, status) => {
    const { engine, events, result } = await turnWith(() => value);
    expect(result).toMatch(wanted);
    expect(only(events, "tool_finished")).toMatchObject([{ status }]);
    expect(events.at(-1)?.data["status"]).toBe("completed");
    expect(() => JSON.stringify([events, engine.messages])).not.toThrow();
  });

  const plain = { text: "t", list: [1, { deep: null }] };
  const shared = { once: 1 };
  test.each<[string, () => unknown, unknown]>([
    ["data", () => plain, plain],
    ["the same thing twice", () => ({ a: shared, b: [shared] }), { a: { once: 1 }, b: [{ once: 1 }] }],
    ["a circle", () => circle, { self: "[circular]" }],
    ["a BigInt", () => ({ count: 12n }), { count: "12" }],
    ["functions and symbols", () => ({ run: () => 1, mark: Symbol("odd"), list: [() => 1] }), { list: [null] }],
    ["a date", () => ({ at: new Date(0) }), { at: "1970-01-01T00:00:00.000Z" }],
    ["an Error", () => ({ cause: new RangeError("Too far.") }), { cause: { name: "RangeError", message: "Too far." } }],
    [
      "a getter that throws",
      () => Object.defineProperty({ fine: 1 }, "odd", { get: () => thrower("no"), enumerable: true }),
      { fine: 1, odd: "[unreadable]" },
    ],
    ["a JSON form that throws", () => ({ toJSON: () => thrower("no") }), "[unreadable]"],
    ["a proxy that shows nothing", () => new Proxy({}, { ownKeys: () => thrower("no") }), "[unreadable]"],
    ["a bare function", () => () => 1, undefined],
  ])("whose display is %s: events, log and other processes can carry it", async (_what, make, wanted) => {
    const stateDir = mkdtempSync(join(workspace, "state-"));
    const hook = new FileLogHook("s1", stateDir);
    const { engine, events } = await turnWith(() => ({ content: "Fine.", display: make() }), undefined, { hook });
    const [finished] = only(events, "tool_finished");
    expect(finished?.["display"]).toEqual(wanted);
    expect(structuredClone(events)).toEqual(JSON.parse(JSON.stringify(events)));
    const lines = readFileSync(join(stateDir, "s1.jsonl"), "utf8").trimEnd().split("\n");
    const logged = lines.map((line) => JSON.parse(line)).find(({ type }) => type === "tool_finished");
    expect(logged?.data).toEqual(JSON.parse(JSON.stringify(finished)));
    expect(FileLogHook.rebuild("s1", stateDir)?.messages).toEqual(engine.messages);
  });

  test("that says odd things while it runs: whoever reads the stream can carry them", async () => {
    const said = [circle, { chunk: 5n }, null, 7, "text", { chunk: () => 1 }];
    const { events } = await turnWith((ctx) => {
      for (const data of said) ctx?.emit?.("tool_output", data as never);
      return "Done.";
    });
    expect(only(events, "tool_output")).toEqual([{ self: "[circular]" }, { chunk: "5" }, {}, {}, {}, {}]);
    expect(() => JSON.stringify(structuredClone(events))).not.toThrow();
  });

  test("beside others, behind a hook that hangs: an interrupt waits for none of them", async () => {
    const registry = new ToolRegistry();
    registry.register(() => "fine", { ...metadata, category: "network", requiresApproval: true }, schema);
    const provider = new ScriptedProvider([{ calls: [1, 2, 3].map((n) => ({ name: "odd", args: { n } })) }]);
    let started = 0;
    const hang = () => new Promise<void>(() => (started += 1));
    const hook = { settle: (next: unknown) => (next === "end" ? Promise.resolve() : hang()) };
    const permissions = new PermissionEngine({ workspaceRoot: workspace, mode: Mode.AUTO });
    const engine = new TurnEngine({ ...rightOptions(), provider, registry, permissions, hook });
    const turn = drain(engine.run("Go"));
    await vi.waitFor(() => expect(started).toBe(3));
    const began = performance.now();
    engine.requestInterrupt();
    expect((await turn).at(-1)?.data["status"]).toBe("interrupted");
    expect(performance.now() - began).toBeLessThan(2_500);
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  test.each<[string, (ctx?: ToolContext) => unknown]>([
    [
      "heeds the abort",
      (ctx) => new Promise((_, reject) => ctx?.signal?.addEventListener("abort", () => reject(ctx.signal?.reason))),
    ],
    ["does not", () => new Promise(() => {})],
  ])("that never ends and %s: an interrupt ends the turn within three seconds", async (_what, tool) => {
    let began = 0;
    const { events } = await turnWith(tool, (event, engine) => {
      if (event.type !== "tool_started") return;
      began = performance.now();
      setImmediate(() => engine.requestInterrupt());
    });
    expect(performance.now() - began).toBeLessThan(3_500);
    expect(only(events, "tool_finished")).toMatchObject([{ status: "interrupted" }]);
    expect(events.at(-1)?.data["status"]).toBe("interrupted");
  });

  test("that never ends is left behind at an interrupt, and what it says later disturbs no other turn", async () => {
    let running: TurnEngine | undefined;
    let speak = () => {};
    const tool = () => {
      setImmediate(() => running?.requestInterrupt());
      return new Promise((resolve) => {
        speak = () => resolve("late");
      });
    };
    const { engine, events, result } = await turnWith(tool, (_event, one) => {
      running = one;
    });
    expect(result).toMatch(/^Interrupted/);
    expect(only(events, "tool_finished")).toMatchObject([{ status: "interrupted" }]);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["interrupted", "turn_end"]);
    speak();
    expect((await drain(engine.run("Again"))).at(-1)?.data["status"]).toBe("completed");
    expect(faultsOf(engine.messages)).toEqual([]);
    expect(JSON.stringify(engine.messages)).not.toContain("late");
  });
});

function thrower(what: unknown): never {
  throw what;
}

const end: StreamChunk = { content: null, reasoning: null, toolCalls: null, usage: null, finishReason: "stop" };

async function* failingAfter(text: string, what: unknown): AsyncGenerator<StreamChunk> {
  yield { ...end, content: text, finishReason: null };
  throw what;
}

/** A provider that does this at the first request, and answers well afterwards. */
function providerThat(acts: () => unknown): ProviderClient {
  let isFirst = true;
  return {
    stream: (async () => {
      if (isFirst) {
        isFirst = false;
        return acts();
      }
      return (async function* () {
        yield { ...end, content: "Well again." };
      })();
    }) as ProviderClient["stream"],
    chat: async () => null,
  };
}

/** Made anew each time: what cannot be looked at must not come into the hands of the test runner. */
const thrown: [string, () => unknown][] = [
  ["a string", () => "The line is down."],
  ["null", () => null],
  ["undefined", () => undefined],
  ["an Error", () => new Error("The line is down.")],
  ["an error without words", () => new Error("")],
  ["an object", () => ({ status: 500, message: "The line is down." })],
  ["an object without a prototype", () => Object.create(null)],
  ["a number", () => 42],
  ["a symbol", () => Symbol("down")],
  ["a function", () => () => "down"],
  ["a BigInt", () => 42n],
  ["a circle", () => circle],
  ["an object whose message throws", () => Object.defineProperty({}, "message", { get: () => thrower("again") })],
  ["an Error of which nothing can be read", () => unreadableError()],
  ["a proxy that does not let itself be looked at", () => closedProxy()],
];

function unreadableError(): Error {
  const error = new Error("x");
  for (const name of ["stack", "message", "name"]) Object.defineProperty(error, name, { get: () => thrower("again") });
  return error;
}

function closedProxy(): unknown {
  const closed = () => thrower("no");
  return new Proxy({}, { has: closed, get: closed, getPrototypeOf: closed, ownKeys: closed });
}

async function expectError(provider: ProviderClient) {
  const engine = new TurnEngine({ ...rightOptions(), provider });
  const events = await drain(engine.run("Hello"));
  const [error] = only(events, "error");
  expect(error).toMatchObject({ error: expect.stringMatching(/./), error_type: expect.stringMatching(/./) });
  expect(typeof error?.["retriable"]).toBe("boolean");
  expect(events.slice(-2).map(({ type }) => type)).toEqual(["error", "turn_end"]);
  expect(events.at(-1)?.data["status"]).toBe("error");
  expect(faultsOf(engine.messages)).toEqual([]);
  expect(() => JSON.stringify(events)).not.toThrow();
  const next = await drain(engine.run("And now?"));
  expect(next.at(-1)?.data["status"]).toBe("completed");
  expect(faultsOf(engine.messages)).toEqual([]);
}

describe("a provider", () => {
  test.each(thrown)("whose stream() rejects with %s ends the turn with an error event", async (_what, make) => {
    await expectError(providerThat(() => thrower(make())));
  });

  test.each(thrown)("whose stream() throws %s at once does too", async (_what, make) => {
    const good = providerThat(() => thrower(make()));
    let isFirst = true;
    const stream: ProviderClient["stream"] = (...args) => {
      if (!isFirst) return good.stream(...args);
      isFirst = false;
      void good.stream(...args).catch(() => {});
      return thrower(make());
    };
    await expectError({ ...good, stream });
  });

  test.each(thrown)("that breaks off in mid-reply with %s does too", async (_what, make) => {
    await expectError(providerThat(() => failingAfter("I was about", make())));
  });

  const chunks = (...made: unknown[]) =>
    (async function* () {
      yield* made;
    })();
  test.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["no stream", () => ({ content: "Hello." })],
    ["an empty stream", () => chunks()],
    ["a stream without an end", () => chunks({ ...end, content: "Hello.", finishReason: null })],
    ["chunks that are null", () => chunks(null)],
    ["calls that are no list", () => chunks({ ...end, toolCalls: "read_file" })],
    ["calls without a function", () => chunks({ ...end, toolCalls: [{}], finishReason: "tool_calls" })],
    ["calls that are null", () => chunks({ ...end, toolCalls: [null], finishReason: "tool_calls" })],
    ["an iterator that throws when it is opened", () => ({ [Symbol.asyncIterator]: () => thrower("no") })],
  ])("that gives %s does too", async (_what, acts) => {
    await expectError(providerThat(acts));
  });

  test.each<[string, Record<string, unknown>]>([
    ["content that is a number", { content: 5 }],
    ["content that is an object", { content: { text: "Hello." } }],
    ["reasoning that is a list", { reasoning: ["Hm."], content: "Hello." }],
    ["usage that is a text", { usage: "a lot", content: "Hello." }],
    ["usage that is full of nonsense", { usage: { input: "many", output: Number.NaN }, content: "Hello." }],
    ["a reason to finish that is a number", { finishReason: 7, content: "Hello." }],
    ["reasoning details that are no list", { reasoningDetails: "Hm.", content: "Hello." }],
    ["arguments that are an object", { toolCalls: [{ id: "c1", function: { name: "odd", arguments: { a: 1 } } }] }],
    ["arguments that are missing", { toolCalls: [{ function: { name: "odd" } }] }],
    ["arguments in a circle", { toolCalls: [{ id: "c1", function: { name: "odd", arguments: circle } }] }],
    ["calls with a circle beside", { toolCalls: [{ id: "c1", function: { name: "odd", arguments: "{}" }, circle }] }],
    ["reasoning details in a circle", { reasoningDetails: [circle, 1n], content: "Hello." }],
    ["usage with a circle beside the figures", { usage: { input: 1, output: 1, circle }, content: "Hello." }],
    [
      "ids that are the same",
      { toolCalls: ["c1", "c1"].map((id) => ({ id, function: { name: "odd", arguments: "{}" } })) },
    ],
  ])("that gives %s breaks neither the stream nor the history", async (_what, chunk) => {
    const registry = new ToolRegistry();
    registry.register(() => "fine", metadata, schema);
    const provider = providerThat(() => chunks({ ...end, ...chunk }));
    const engine = new TurnEngine({ ...rightOptions(), provider, registry });
    const events = await drain(engine.run("Hello"));
    expect(events.filter(({ type }) => type === "turn_end")).toHaveLength(1);
    for (const text of [...only(events, "assistant_delta"), ...only(events, "reasoning_delta")].map(
      (data) => data["text"],
    )) {
      expect(typeof text).toBe("string");
    }
    for (const { usage } of only(events, "assistant_message") as { usage?: { input: unknown; output: unknown } }[]) {
      expect([typeof usage?.input, typeof usage?.output]).toEqual(["number", "number"]);
      expect(JSON.stringify(usage)).not.toContain("null");
    }
    expect(() => JSON.stringify(events)).not.toThrow();
    expect(faultsOf(engine.messages)).toEqual([]);
    expect((await drain(engine.run("And now?"))).at(-1)?.data["status"]).toBe("completed");
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ["throws", () => thrower("no")],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["never ends", () => new Promise(() => {})],
  ])("whose stream %s when it is left has answered all the same", async (_what, leave) => {
    const all = [{ ...end, content: "Hello.", finishReason: null }, end].values();
    const stream = { next: async () => all.next(), return: leave };
    const provider = providerThat(() => ({ [Symbol.asyncIterator]: () => stream }));
    const engine = new TurnEngine({ ...rightOptions(), provider });
    expect((await drain(engine.run("Hello"))).at(-1)?.data["status"]).toBe("completed");
    expect(engine.messages.at(-1)).toMatchObject({ role: "assistant", content: "Hello." });
  });

  test("that never answers is left behind at an interrupt", async () => {
    const provider = providerThat(() => new Promise(() => {}));
    const engine = new TurnEngine({ ...rightOptions(), provider });
    const events: WsEvent[] = [];
    for await (const event of engine.run("Hello")) {
      events.push(event);
      if (event.type === "llm_request") engine.requestInterrupt();
    }
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["interrupted", "turn_end"]);
    expect(faultsOf(engine.messages)).toEqual([]);
    expect((await drain(engine.run("Again"))).at(-1)?.data["status"]).toBe("completed");
  });
});

describe("an approver", () => {
  const command = { calls: [{ name: "run_shell", args: { command: "true" } }] };
  const engineAsking = (approver: () => unknown) => {
    const provider = new ScriptedProvider([command, { text: "Done." }]);
    const engine = createDefaultEngine({ workspace, model: "scripted", provider });
    engine.setApprover(approver as never);
    return engine;
  };

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["null", null],
    ["true", true],
    ["a word of its own", "yes"],
    ["an empty object", {}],
    ["an outcome of its own", { outcome: "certainly" }],
    ["a reason that is no text", { outcome: "deny", reason: 5 }],
  ])("that answers %s denies", async (_what, answer) => {
    const engine = engineAsking(() => answer);
    const events = await drain(engine.run("Run"));
    expect(only(events, "tool_finished")).toMatchObject([{ status: "denied" }]);
    expect(events.at(-1)?.data["status"]).toBe("completed");
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["a text", "abc"],
    ["a list of nothing", [null, {}]],
  ])("that allows with edits which are %s: the call does not run, and the mistake comes out", async (_what, edited) => {
    const engine = engineAsking(() => ({ outcome: "once", edited }));
    await expect(drain(engine.run("Run"))).rejects.toThrow(/\bedited\b/);
    expect(JSON.stringify(engine.messages)).toContain("Not run");
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  test.each(thrown)("that throws %s: it comes out of the loop, after turn_end", async (_what, make) => {
    const value = make();
    const engine = engineAsking(() => thrower(value));
    const types: string[] = [];
    let out: unknown = "nothing";
    try {
      for await (const { type } of engine.run("Run")) types.push(type);
    } catch (error) {
      out = error;
    }
    expect(Object.is(out, value)).toBe(true);
    expect(types.slice(-2)).toEqual(["error", "turn_end"]);
    expect(faultsOf(engine.messages)).toEqual([]);
  });
});

describe("the sentences that the guide's questions quote (21)", () => {
  test("no model", async () => {
    const engine = createDefaultEngine({ workspace });
    await expect(drain(engine.run("Hello"))).rejects.toThrow(/^No model specified\./);
  });

  test("no key", async () => {
    const events = await drain(createDefaultEngine({ workspace, model: "scripted" }).run("Hello"));
    expect(only(events, "error")[0]?.["error"]).toMatch(/^OPENAI_API_KEY is not set\./);
    expect(events.at(-1)?.data["status"]).toBe("error");
  });

  test("no approver: it comes out of the loop, after turn_end, with the history whole", async () => {
    const provider = new ScriptedProvider([{ calls: [{ name: "run_shell", args: { command: "true" } }] }]);
    const engine = createDefaultEngine({ workspace, model: "scripted", provider, mode: Mode.INTERACTIVE });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of engine.run("Run")) types.push(type);
    })();
    await expect(reading).rejects.toThrow(
      /^Tool run_shell requires approval, but no approver was injected when assembling the engine\./,
    );
    expect(types.at(-1)).toBe("turn_end");
    expect(faultsOf(engine.messages)).toEqual([]);
  });
});

/** Instances of the kinds that no recorded case shows: other vendors, other orders, other borders. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallCollector } from "../../src/providers/callCollector";
import { ChatDecoder } from "../../src/providers/chatDecoder";
import { exchange } from "../../src/providers/exchange";
import { isCutOff } from "../../src/providers/jsonShape";
import { Refused, type ReplyDecoder } from "../../src/providers/reply";
import { ResponsesDecoder } from "../../src/providers/responsesDecoder";
import { SseParser } from "../../src/providers/sse";
import { TextCalls } from "../../src/providers/textCalls";
import { ThinkTags } from "../../src/providers/thinkTags";
import { usageFrom } from "../../src/providers/usage";

const NAMES = new Set(["read_file", "grep", "git_status"]);
const isTool = (name: string) => NAMES.has(name);
const context = { isTool, takenIds: new Set<string>(["used"]), thinksUnopened: false };

function run(decoder: ReplyDecoder, events: (object | string)[]) {
  const pieces = events.flatMap((event) =>
    decoder.event({ name: "", data: typeof event === "string" ? event : JSON.stringify(event) }),
  );
  const end = decoder.end();
  const all = [...pieces, ...end.pieces];
  return {
    text: all.map((piece) => piece.content ?? "").join(""),
    reasoning: all.map((piece) => piece.reasoning ?? "").join(""),
    last: end.last,
  };
}

function refusalOf(decoder: ReplyDecoder, events: (object | string)[]) {
  try {
    run(decoder, events);
  } catch (error) {
    if (error instanceof Refused) return `${error.verdict.errorType} ${error.verdict.retriable}`;
    throw error;
  }
  return "no refusal";
}

const chat = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const fragments = (...calls: unknown[]) => calls.map((call) => chat({ tool_calls: [call] }));

function collect(pieces: object[]) {
  const collector = new CallCollector(isTool);
  for (const piece of pieces) collector.add(piece);
  return collector.finish(new Set(["used"])).map((call) => [call.id, call.function.name, call.function.arguments]);
}

const fn = (name?: string | null, args?: unknown) => ({
  ...(name === undefined ? {} : { name }),
  ...(args === undefined ? {} : { arguments: args }),
});

describe("collecting calls", () => {
  test.each([
    ["a call with nothing but a name", [{ function: fn("git_status") }], [["*", "git_status", "{}"]]],
    [
      "null everywhere",
      [
        { index: 0, id: "a", function: fn("grep", null) },
        { index: 0, id: null, function: fn(null, '{"a":1}') },
      ],
      [["a", "grep", '{"a":1}']],
    ],
    [
      "two calls without ids and indexes, each whole",
      [{ function: fn("grep", '{"a":1}') }, { function: fn("grep", '{"a":2}') }],
      [
        ["*", "grep", '{"a":1}'],
        ["*", "grep", '{"a":2}'],
      ],
    ],
    [
      "two whole objects under one index",
      [
        { index: 0, id: "a", function: fn("grep", '{"a":1}') },
        { index: 0, function: fn("", '{"a":2}') },
      ],
      [
        ["a", "grep", '{"a":1}'],
        ["*", "grep", '{"a":2}'],
      ],
    ],
    [
      "the second object in pieces",
      [
        { index: 0, id: "a", function: fn("grep", '{"a":1}') },
        { index: 0, function: fn("", '{"a"') },
        { index: 0, function: fn("", ":2}") },
      ],
      [
        ["a", "grep", '{"a":1}'],
        ["*", "grep", '{"a":2}'],
      ],
    ],
    [
      "an empty object as placeholder",
      [
        { index: 0, id: "a", function: fn("grep", "{}") },
        { index: 0, function: fn("", '{"a"') },
        { index: 0, function: fn("", ":2}") },
      ],
      [["a", "grep", '{"a":2}']],
    ],
    [
      "arguments that grow from the start each time",
      [
        { index: 0, id: "a", function: fn("grep", '{"a') },
        { index: 0, function: fn("", '{"a":1}') },
      ],
      [["a", "grep", '{"a":1}']],
    ],
    [
      "a new id with each fragment",
      [
        { index: 0, id: "a", function: fn("grep", '{"a"') },
        { index: 0, id: "b", function: fn("", ":1}") },
      ],
      [["a", "grep", '{"a":1}']],
    ],
    [
      "an id that comes late",
      [
        { index: 0, function: fn("grep", '{"a"') },
        { index: 0, id: "a", function: fn(undefined, ":1}") },
      ],
      [["a", "grep", '{"a":1}']],
    ],
    ["an id that the history uses", [{ index: 0, id: "used", function: fn("grep", "{}") }], [["*", "grep", "{}"]]],
    [
      "one id for two calls of one reply",
      [
        { index: 0, id: "a", function: fn("grep", "{}") },
        { index: 1, id: "a", function: fn("git_status", "") },
      ],
      [
        ["a", "grep", "{}"],
        ["*", "git_status", "{}"],
      ],
    ],
    [
      "interleaved by index",
      [
        { index: 3, id: "a", function: fn("grep", '{"a"') },
        { index: 9, id: "b", function: fn("read_file", '{"b"') },
        { index: 3, function: fn(undefined, ":1}") },
        { index: 9, function: fn(undefined, ":2}") },
      ],
      [
        ["a", "grep", '{"a":1}'],
        ["b", "read_file", '{"b":2}'],
      ],
    ],
    [
      "a name that grows from the start",
      [
        { index: 0, id: "a", function: fn("read") },
        { index: 0, function: fn("read_file", "{}") },
      ],
      [["a", "read_file", "{}"]],
    ],
    [
      "a name that nobody knows is kept",
      [{ index: 0, id: "a", function: fn("search_web", "{}") }],
      [["a", "search_web", "{}"]],
    ],
    ["no name at all is no call", [{ index: 0, id: "a", function: fn("", "{}") }, null as unknown as object], []],
    ["an object in place of text", [{ index: 0, id: "a", function: fn("grep", { a: 1 }) }], [["a", "grep", '{"a":1}']]],
  ])("%s", (_, pieces, wanted) => {
    const calls = collect(pieces);
    expect(calls.map(([id, ...rest], index) => [wanted[index]?.[0] === "*" ? "*" : id, ...rest])).toEqual(wanted);
    expect(new Set([...calls.map(([id]) => id), "used"]).size).toBe(calls.length + 1);
    for (const [id] of calls) expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test("unknown keys stay with their call", () => {
    const { last } = run(new ChatDecoder(context), [
      ...fragments({
        index: 0,
        id: "a",
        function: { name: "grep", arguments: "{}" },
        extra_content: { google: { thought_signature: "S" } },
      }),
      "[DONE]",
    ]);
    expect(last.toolCalls).toEqual([
      {
        id: "a",
        type: "function",
        extra_content: { google: { thought_signature: "S" } },
        function: { name: "grep", arguments: "{}" },
      },
    ]);
  });

  const args = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,6}$/),
    fc.oneof(fc.string(), fc.integer(), fc.array(fc.string(), { maxLength: 2 })),
    { minKeys: 1, maxKeys: 3 },
  );
  const style = fc.constantFrom("index and id", "id only", "index only");
  test("any arguments in any pieces, addressed in any of three ways", () => {
    fc.assert(
      fc.property(
        fc.array(args, { minLength: 1, maxLength: 4 }),
        style,
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (wanted, way, sizes) => {
          const pieces = wanted.flatMap((value, index) => {
            const at = {
              ...(way === "id only" ? {} : { index }),
              ...(way === "index only" ? {} : { id: `call_${index}` }),
            };
            const text = JSON.stringify(value);
            const list: object[] = [{ ...at, function: { name: "grep", arguments: "" } }];
            for (let start = 0; start < text.length; ) {
              const size = sizes.next().value;
              list.push({
                ...(way === "id only" ? at : { index }),
                function: { arguments: text.slice(start, start + size) },
              });
              start += size;
            }
            return list;
          });
          expect(collect(pieces).map(([, , text]) => JSON.parse(text!))).toEqual(wanted);
        },
      ),
    );
  });
});

describe("Chat", () => {
  test.each([
    [
      "legacy function_call",
      [
        chat({ function_call: { name: "grep", arguments: '{"a"' } }),
        chat({ function_call: { arguments: ":1}" } }),
        chat({}, { finish_reason: "function_call" }),
      ],
      "tool_calls",
    ],
    [
      "a late whole message",
      [chat({ content: "Hel" }), { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] }],
      "stop",
    ],
    ["a refusal as text", [chat({ refusal: "No." }), chat({}, { finish_reason: "stop" })], "stop"],
    [
      "an index as text",
      fragments(
        { index: "0", id: 7, function: fn("grep", '{"a"') },
        { index: "0", function: fn(undefined, ":1}") },
      ).concat([chat({}, { finish_reason: "stop" })]),
      "tool_calls",
    ],
    ["the text field of old", [{ choices: [{ text: "Hi", finish_reason: "stop" }] }], "stop"],
    ["one part that is no list", [chat({ content: { type: "text", text: "Hi" } }), "[DONE]"], "stop"],
    ["an unknown label with text", [chat({ content: "x" }), chat({}, { finish_reason: "eos_token" })], "stop"],
    ["max_tokens as label", [chat({ content: "x" }), chat({}, { finish_reason: "max_tokens" })], "length"],
    [
      "a null after the label",
      [chat({ content: "x" }), chat({}, { finish_reason: "length" }), chat({}, { finish_reason: null })],
      "length",
    ],
    [
      "a cut call under a good label",
      [
        ...fragments({ index: 0, id: "a", function: fn("grep", '{"a": "b') }),
        chat({}, { finish_reason: "tool_calls" }),
      ],
      "length",
    ],
  ])("%s", (_, events, finish) => {
    const { last } = run(new ChatDecoder(context), events);
    expect(last.finishReason).toBe(finish);
  });

  test.each([
    [
      "an error event of another name",
      [{ type: "error", message: "x", code: "rate_limit_exceeded" }],
      "rate_limit true",
    ],
    ["an error without a status", [{ error: { message: "Something broke" } }], "server true"],
    ["an error as text", [{ error: "model `x` not found" }], "model_not_found false"],
    ["a filter label", [chat({ content: "x" }), chat({}, { finish_reason: "sensitive" })], "content_filter false"],
    ["a label for a broken call", [chat({}, { finish_reason: "MALFORMED_FUNCTION_CALL" })], "output_rejected true"],
    [
      "a lack of capacity",
      [chat({ content: "x" }), chat({}, { finish_reason: "insufficient_system_resource" })],
      "overloaded true",
    ],
    ["nothing but an end mark", ["[DONE]"], "empty_response true"],
    ["white space alone", [chat({ content: "\n" }), "[DONE]"], "empty_response true"],
    ["no end mark", [chat({ content: "x" })], "stream_incomplete true"],
    ["an event that is no JSON", ['{"choices":'], "malformed_response true"],
  ])("%s is refused", (_, events, wanted) => {
    expect(refusalOf(new ChatDecoder(context), events)).toBe(wanted);
  });

  test("only the first choice counts", () => {
    const both = {
      choices: [
        { index: 1, delta: { content: "B" } },
        { index: 0, delta: { content: "A" } },
      ],
    };
    expect(run(new ChatDecoder(context), [both, "[DONE]"]).text).toBe("A");
  });

  test("reasoning details grow by text and keep what is opaque", () => {
    const detail = (more: object) => chat({ reasoning_details: [{ type: "reasoning.text", index: 0, ...more }] });
    const sealed = chat({ reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "X" }] });
    const { last, reasoning } = run(new ChatDecoder(context), [
      detail({ text: "a" }),
      detail({ text: "b" }),
      detail({ signature: "S", text: null }),
      sealed,
      chat({ content: "ok" }),
      "[DONE]",
    ]);
    expect(last.reasoningDetails).toEqual([
      { type: "reasoning.text", index: 0, text: "ab", signature: "S" },
      { type: "reasoning.encrypted", index: 1, data: "X" },
    ]);
    expect(reasoning).toBe("ab");
  });
});

test.each([
  ["a proxy's excuse", "upstream connect error", "malformed_response true"],
  ["comments alone", ": keep-alive\n\n: keep-alive\n\n", "empty_response true"],
  ["an error event in plain words", "event: error\ndata: the model is overloaded\n\n", "overloaded true"],
  [
    "a list of chunks",
    JSON.stringify([chat({ content: "A" }), chat({ content: "B" }, { finish_reason: "stop" })]),
    "AB",
  ],
  ["half an object", '{"choices": [', "malformed_response false"],
])("a body with status 200: %s", async (_, body, wanted) => {
  const answer = {
    status: 200,
    headers: {},
    url: "http://t",
    body: (async function* () {
      yield Buffer.from(body);
    })(),
  };
  let text = "";
  try {
    for await (const chunk of exchange({
      call: async () => answer,
      api: "chat",
      raw: "",
      signal: new AbortController().signal,
      context,
    }))
      text += chunk.content ?? "";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    text = `${error.verdict.errorType} ${error.verdict.retriable}`;
  }
  expect(text).toBe(wanted);
});

describe("Responses", () => {
  const done = (response: object) => ({ type: "response.completed", response: { status: "completed", ...response } });
  const call = (more: object = {}) => ({
    type: "function_call",
    id: "fc",
    call_id: "c",
    name: "grep",
    arguments: "{}",
    ...more,
  });

  test.each([
    [
      "text only in the final output",
      [done({ output: [{ type: "message", content: [{ type: "output_text", text: "Hi" }] }] })],
      "Hi",
      [],
    ],
    [
      "text in part streamed",
      [
        { type: "response.output_text.delta", delta: "H" },
        done({ output: [{ type: "message", content: [{ type: "output_text", text: "Hi" }] }] }),
      ],
      "Hi",
      [],
    ],
    [
      "text only in the finished item",
      [
        {
          type: "response.output_item.done",
          item: { type: "message", content: [{ type: "output_text", text: "Hi" }] },
        },
        done({}),
      ],
      "Hi",
      [],
    ],
    ["a refusal", [{ type: "response.refusal.delta", delta: "No." }, done({})], "No.", []],
    ["a call only in the final output", [done({ output: [call()] })], "", [["c", "grep", "{}"]]],
    [
      "a call told three times",
      [
        { type: "response.output_item.added", output_index: 0, item: call({ arguments: "" }) },
        { type: "response.output_item.done", output_index: 0, item: call() },
        done({ output: [call()] }),
      ],
      "",
      [["c", "grep", "{}"]],
    ],
    [
      "deltas by position, item ids missing",
      [
        { type: "response.output_item.added", output_index: 0, item: call({ id: undefined, arguments: "" }) },
        {
          type: "response.output_item.added",
          output_index: 1,
          item: call({ id: undefined, call_id: "d", arguments: "" }),
        },
        { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"b":2}' },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a":1}' },
        done({}),
      ],
      "",
      [
        ["c", "grep", '{"a":1}'],
        ["d", "grep", '{"b":2}'],
      ],
    ],
    ["arguments as an object", [done({ output: [call({ arguments: { a: 1 } })] })], "", [["c", "grep", '{"a":1}']]],
    ["a call id in use", [done({ output: [call({ call_id: "used" })] })], "", [["*", "grep", "{}"]]],
  ])("%s", (_, events, text, calls) => {
    const seen = run(new ResponsesDecoder(context), events);
    expect(seen.text).toBe(text);
    const made = (seen.last.toolCalls ?? []).map((entry, index) => [
      calls[index]?.[0] === "*" ? "*" : entry.id,
      entry.function.name,
      entry.function.arguments,
    ]);
    expect(made).toEqual(calls);
  });

  test("summaries come in parts with a blank line between them", () => {
    const delta = (index: number, text: string) => ({
      type: "response.reasoning_summary_text.delta",
      item_id: "rs",
      summary_index: index,
      delta: text,
    });
    expect(
      run(new ResponsesDecoder(context), [
        delta(0, "a"),
        delta(0, "b"),
        delta(1, "c"),
        { type: "response.output_text.delta", delta: "x" },
        done({}),
      ]).reasoning,
    ).toBe("ab\n\nc");
  });

  test.each([
    [
      "a cut",
      [
        {
          type: "response.incomplete",
          response: {
            status: "incomplete",
            incomplete_details: { reason: "max_output_tokens" },
            output: [call({ arguments: '{"a' })],
          },
        },
      ],
      "length",
    ],
    ["one object", [], ""],
  ])("%s", (_, events, finish) => {
    if (finish) expect(run(new ResponsesDecoder(context), events).last.finishReason).toBe(finish);
    const decoder = new ResponsesDecoder(context);
    decoder.whole({
      object: "response",
      status: "completed",
      output: [call()],
      usage: { input_tokens: 3, output_tokens: 1 },
    });
    expect(decoder.end().last).toMatchObject({ finishReason: "tool_calls", usage: { input: 3, output: 1 } });
  });

  test.each([
    ["an error event", [{ type: "error", code: "rate_limit_exceeded", message: "slow" }], "rate_limit true"],
    ["a nested error event", [{ type: "error", error: { type: "server_error", message: "x" } }], "server true"],
    [
      "a failed response without a reason",
      [{ type: "response.failed", response: { status: "failed" } }],
      "server true",
    ],
    ["a cancelled one", [{ type: "response.cancelled", response: { status: "cancelled" } }], "stream_incomplete true"],
    ["only Chat's end mark", [{ type: "response.output_text.delta", delta: "x" }, "[DONE]"], "stream_incomplete true"],
    ["a completed one with nothing in it", [done({ output: [] })], "empty_response true"],
    ["a plain error", [{ error: "Unexpected endpoint or method. (POST /v1/responses)" }], "endpoint_unsupported false"],
  ])("%s is refused", (_, events, wanted) => {
    expect(refusalOf(new ResponsesDecoder(context), events)).toBe(wanted);
  });
});

describe("tags in the text", () => {
  const split = (tags: ThinkTags, pieces: string[]) => {
    const parts = [...pieces.map((piece) => tags.push(piece)), tags.end()];
    let content = "";
    let reasoning = "";
    for (const part of parts) {
      if (part.hadNoOpening) [reasoning, content] = [reasoning + content, ""];
      content += part.content;
      reasoning += part.reasoning;
    }
    return { content, reasoning };
  };
  const cases: [string, string, string][] = [
    ["<think>a b</think>\n\nc", "c", "a b"],
    ["  <thinking>\na\n</thinking>c", "c", "\na"],
    ["<think>never closed", "", "never closed"],
    ["<think></think>c", "c", ""],
    ["plain <think>x</think>", "plain <think>x</think>", ""],
    ["<thin ice", "<thin ice", ""],
    ["a\n</think>\nc", "c", "a"],
    ["use `</think>` here", "use `</think>` here", ""],
    ["<p>a</p>", "<p>a</p>", ""],
    ["", "", ""],
  ];

  test.each(cases)("%j", (text, content, reasoning) => {
    expect(split(new ThinkTags(), [text])).toEqual({ content, reasoning });
  });

  test("wherever the text is cut", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
        ([text, content, reasoning], cuts) => {
          const ends = [...new Set([...cuts, text.length])].filter((end) => end <= text.length).sort((a, b) => a - b);
          const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
          expect(split(new ThinkTags(), pieces)).toEqual({ content, reasoning });
        },
      ),
    );
  });

  test("an endpoint that is known to begin inside", () => {
    expect(split(new ThinkTags(true), ["a ", "b\n</thi", "nk>\nc"])).toEqual({ content: "c", reasoning: "a b" });
  });
});

describe("calls left in the text", () => {
  const read = (pieces: string[]) => {
    const calls = new TextCalls(isTool);
    const passed = pieces.map((piece) => calls.push(piece)).join("");
    const end = calls.end("");
    return {
      text: passed + end.content,
      calls: end.calls.map((call) => `${call.function.name} ${call.function.arguments}`),
    };
  };
  const block = '<tool_call>\n{"name":"grep","arguments":{"a":1}}\n</tool_call>';
  const cases: [string, string, string[]][] = [
    [`Look.\n${block}`, "Look.", ['grep {"a":1}']],
    [`${block}\n${block}`, "", ['grep {"a":1}', 'grep {"a":1}']],
    ["<function=grep>\n<parameter=a>\nx\ny\n</parameter>\n</function>", "", ['grep {"a":"x\\ny"}']],
    [`Like this: ${block}`, `Like this: ${block}`, []],
    [`${block}\nand more`, `${block}\nand more`, []],
    [
      '<tool_call>\n{"name":"rm_rf","arguments":{}}\n</tool_call>',
      '<tool_call>\n{"name":"rm_rf","arguments":{}}\n</tool_call>',
      [],
    ],
    ["<tool_call>\n{broken\n</tool_call>", "<tool_call>\n{broken\n</tool_call>", []],
    ["a\n<table>\n\nb\n", "a\n<table>\n\nb\n", []],
  ];

  test.each(cases)("%j", (text, wanted, calls) => {
    expect(read([text])).toEqual({ text: wanted, calls });
    expect(read([...text])).toEqual({ text: wanted, calls });
  });
});

describe("server-sent events", () => {
  const events = (text: string, sizes: number[]) => {
    const parser = new SseParser();
    const bytes = Buffer.from(text);
    const found = [];
    let start = 0;
    for (const size of [...sizes, bytes.length]) {
      if (start < bytes.length) found.push(...parser.push(bytes.subarray(start, start + size)));
      start += size;
    }
    return [...found, ...parser.end()];
  };

  test.each([
    ["data:a\n\ndata: b\r\n\r\ndata:  c\r\r", ["a", "b", " c"]],
    [": note\n\ndata\n\nid: 1\nevent: x\ndata: a\ndata: b\n\n", ["", "a\nb"]],
    ["\uFEFFdata: é\n\ndata: last", ["é", "last"]],
    ["event: only\n\n", []],
  ])("%j", (text, wanted) => {
    expect(events(text, []).map((event) => event.data)).toEqual(wanted);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 })), (sizes) => {
        expect(events(text, sizes).map((event) => event.data)).toEqual(wanted);
      }),
    );
  });

  test("keeps the name of an event, for that event alone", () => {
    expect(events("event: error\ndata: a\n\ndata: b\n\n", [])).toEqual([
      { name: "error", data: "a" },
      { name: "", data: "b" },
    ]);
  });
});

test.each([
  ['{"a":1}', false],
  ["{}", false],
  ["", false],
  ['{"a": "x', true],
  ['{"a": [1,', true],
  ['{"a": "\\"', true],
  ['{"a": "\\\\"}', false],
  ["not json", false],
])("isCutOff %j is %s", (text, wanted) => {
  expect(isCutOff(text)).toBe(wanted);
});

test.each([
  [
    { prompt_tokens: 5, completion_tokens: 2 },
    { input: 5, output: 2 },
  ],
  [
    { input_tokens: 5, output_tokens: 2, input_tokens_details: { cached_tokens: 3 } },
    { input: 5, output: 2, cached: 3 },
  ],
  [
    { prompt_tokens: 5, completion_tokens: 0, prompt_cache_hit_tokens: 4 },
    { input: 5, output: 0, cached: 4 },
  ],
  [{ prompt_tokens: 0, completion_tokens: 0 }, null],
  [{ prompt_tokens: "5" }, null],
  [undefined, null],
])("usage %j", (data, wanted) => {
  expect(usageFrom(data, null)).toEqual(wanted);
});

/** Streams in every framing and shape: ends, labels, errors on the way, bodies that are no streams, usage and thinking. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { DialectCase, Json } from "../dialectCase";
import { calls, chat, chunk, DONE, final, fragment, GOOD, openai, retriable, sse, stream, wanted } from "./build";

const good = { text: "Done.", finish: "stop" };
const text = (finish: unknown = "stop") => [chunk({ role: "assistant", content: "Done." }), chunk({}, finish), DONE];
const RAW = [chunk({ content: "Done." }), chunk({}, "stop")].map((part) => sse(part)).join("") + DONE;
const WHOLE = {
  id: "c-1",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }],
};
const A = wanted("read_file", { path: "a.txt" });
const CALL = calls(fragment(0, "call_a", "read_file", '{"path":"a.txt"}'));

const framing: DialectCase[] = [
  chat("sse-framing/cr-alone", [RAW.replaceAll("\n", "\r")], good),
  chat("sse-framing/crlf-cut-between", [RAW.replaceAll("\n", "\r\n").slice(0, -3), "\r", "\n"], good),
  chat("sse-framing/many-blank-lines-in-front", ["\n".repeat(700), "\n".repeat(700), RAW], good),
  chat(
    "sse-framing/comments-between-all",
    [": PROCESSING\n\n", sse(chunk({ content: "Done." })), ": PROCESSING\n\n", ":\n\n", sse(chunk({}, "stop")), DONE],
    good,
  ),
  chat(
    "sse-framing/named-events",
    [sse(chunk({ content: "Done." }), "message"), sse(chunk({}, "stop"), "message"), sse("[DONE]", "done")],
    good,
  ),
  chat(
    "sse-framing/one-line-break-between",
    [
      sse(chunk({ content: "Do" })).trimEnd(),
      "\n",
      sse(chunk({ content: "ne." })).trimEnd(),
      "\n",
      sse(chunk({}, "stop")),
      DONE,
    ],
    good,
  ),
  chat(
    "sse-framing/pretty-json",
    [
      JSON.stringify(chunk({ content: "Done." }), null, 1)
        .split("\n")
        .map((line) => `data: ${line}\n`)
        .join(""),
      "\n",
      sse(chunk({}, "stop")),
      DONE,
    ],
    good,
  ),
  chat(
    "sse-framing/mark-without-blank-line",
    [sse(chunk({ content: "Done." })), sse(chunk({}, "stop")), "data: [DONE]"],
    good,
  ),
  chat("sse-framing/mark-in-quotes", [sse(chunk({ content: "Done." })), 'data: "[DONE]"\n\n'], good),
  chat("sse-framing/tabs-and-empty-data", ["data\n\n", "data:\n\n", "data: \n\n", "data: : ping\n\n", RAW], good),
  chat("sse-framing/mark-of-order-cut", [{ hex: "ef" }, { hex: "bbbf" }, RAW], good),
  chat("sse-framing/ping-events", [sse({ type: "ping" }, "ping"), RAW], good),
  chat("sse-framing/all-in-one-write", [RAW], good),
  chat(
    "sse-framing/bytes-one-by-one",
    [...Buffer.from(RAW.replace("Done.", "Grüße 你好 👍"))]
      .map((byte) => ({ hex: byte.toString(16).padStart(2, "0") }))
      .slice(0, 200),
    { error: { class: "stream_incomplete", retriable: true } },
  ),
];

const packed = (name: string, encoding: string, pack: (data: Buffer) => Buffer): DialectCase =>
  chat(
    `sse-framing/${name}`,
    stream([{ hex: pack(Buffer.from(RAW)).toString("hex") }], {
      headers: { "content-type": "text/event-stream", "content-encoding": encoding },
    }),
    good,
  );

const compressed = [
  packed("gzip", "gzip", gzipSync),
  packed("deflate", "deflate", deflateSync),
  packed("brotli", "br", brotliCompressSync),
  packed("gzip-in-capitals", "GZIP", gzipSync),
];

const ends: DialectCase[] = [
  chat("stream-end/mark-alone", [DONE], retriable("empty_response")),
  chat("stream-end/comments-alone", [": a\n\n", ": b\n\n"], retriable("empty_response")),
  chat(
    "stream-end/white-space-alone",
    [chunk({ content: "\n\n" }), chunk({}, "stop"), DONE],
    retriable("empty_response"),
  ),
  chat(
    "stream-end/usage-and-no-mark",
    [chunk({ content: "Half" }), chunk({}, null, { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })],
    retriable("stream_incomplete"),
  ),
  chat(
    "stream-end/half-a-call",
    [calls(fragment(0, "call_a", "write_file", '{"path":"a.txt","content":"x'))],
    retriable("stream_incomplete"),
  ),
  chat("stream-end/a-whole-call-and-no-mark", [CALL], retriable("stream_incomplete")),
  chat("stream-end/finish-and-no-mark", [CALL, chunk({}, "tool_calls")], {
    text: "",
    finish: "tool_calls",
    toolCalls: [A],
  }),
  chat(
    "stream-end/half-an-event-at-the-end",
    [chunk({ content: "Done." }), chunk({}, "stop"), 'data: {"id":"c-1","cho'],
    good,
  ),
  chat("truncation/reset-after-a-whole-call", stream([CALL, chunk({}, "tool_calls")], { end: "reset" }), {
    error: { class: "network", retriable: true },
  }),
  chat("truncation/max-tokens-with-text", text("max_tokens"), { text: "Done.", finish: "length" }),
  chat("truncation/max-tokens-in-capitals", text("MAX_TOKENS"), { text: "Done.", finish: "length" }),
  chat("truncation/model-length", text("model_length"), { text: "Done.", finish: "length" }),
  chat("truncation/whole-call-with-length", [CALL, chunk({}, "length"), DONE], {
    text: "",
    finish: "length",
    toolCalls: [],
  }),
];

const labels: [string, unknown, DialectCase["expect"]][] = [
  ["capitals", "STOP", good],
  ["end-turn", "end_turn", good],
  ["eos", "eos_token", good],
  ["an-object", { type: "stop", matched: 2 }, good],
  ["recitation", "RECITATION", final("content_filter")],
  ["safety", "SAFETY", final("content_filter")],
  ["filter-of-a-call", "function_call_filter: MALFORMED_FUNCTION_CALL", retriable("output_rejected")],
  ["filter-with-reason", "content_filter: PROHIBITED_CONTENT", final("content_filter")],
  ["guardrail", "guardrail_intervened", final("content_filter")],
  ["sensitive", "sensitive", final("content_filter")],
  ["error", "error", retriable("server")],
  ["resources", "insufficient_system_resource", retriable("overloaded")],
  ["window", "model_context_window_exceeded", final("context_overflow")],
];
const finishes = [
  ...labels.map(([name, label, expect]) => chat(`finish-mismatch/${name}`, text(label), expect)),
  chat("finish-mismatch/tool-use", [CALL, chunk({}, "tool_use"), DONE], {
    text: "",
    finish: "tool_calls",
    toolCalls: [A],
  }),
  chat("finish-mismatch/end-turn-with-calls", [CALL, chunk({}, "end_turn"), DONE], {
    text: "",
    finish: "tool_calls",
    toolCalls: [A],
  }),
  chat("finish-mismatch/calls-then-stop", [CALL, chunk({}, "tool_calls"), chunk({}, "stop"), DONE], {
    text: "",
    finish: "tool_calls",
    toolCalls: [A],
  }),
  chat(
    "finish-mismatch/stop-then-null-and-empty",
    [chunk({ content: "Done." }), chunk({}, "stop"), chunk({}, null), chunk({}, ""), DONE],
    good,
  ),
  chat("finish-mismatch/finish-first", [chunk({ content: "Do" }, "stop"), chunk({ content: "ne." }, null), DONE], good),
];

const inBand: [string, unknown[], DialectCase["expect"]][] = [
  [
    "limit-before-text",
    [
      {
        error: {
          code: 429,
          message: "Provider returned error",
          metadata: { raw: "m-1 is temporarily rate-limited upstream. Please retry shortly.", provider_name: "x" },
        },
        user_id: "u",
      },
    ],
    retriable("rate_limit"),
  ],
  [
    "in-a-choice",
    [
      chunk({ content: "Wor" }),
      {
        choices: [
          { index: 0, delta: {}, error: { code: 429, message: "Rate limit exceeded" }, finish_reason: "error" },
        ],
      },
    ],
    { text: "Wor", ...retriable("rate_limit") },
  ],
  [
    "vendor-field",
    [chunk({ content: "Wor" }), chunk({}, null, { x_groq: { id: "r", error: "over capacity" } })],
    { text: "Wor", ...retriable("overloaded") },
  ],
  [
    "event-error-overloaded",
    [sse({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "error")],
    retriable("overloaded"),
  ],
  [
    "field-error",
    [sse(chunk({ content: "Wor" })), 'error: {"code":500,"message":"Compute error.","type":"server_error"}\n\n'],
    { text: "Wor", ...retriable("server") },
  ],
  [
    "bare-json-behind-events",
    [
      sse(chunk({ content: "Wor" })),
      '{"error":{"message":"This model\'s maximum context length is 8192 tokens","code":"context_length_exceeded"}}',
    ],
    { text: "Wor", ...final("context_overflow") },
  ],
  ["a-word", [{ error: "upstream timeout" }], retriable("server")],
  ["true-and-a-message", [{ error: true, message: "Internal Server Error" }], retriable("server")],
  [
    "list-of-errors",
    [{ success: false, errors: [{ code: 5007, message: "No such model m-1" }], result: null }],
    final("model_not_found"),
  ],
  ["detail", [{ detail: "Internal server error" }], retriable("server")],
  ["status-in-the-body", [{ statusCode: 529, message: "try later" }], retriable("overloaded")],
  [
    "vendor-status",
    [{ base_resp: { status_code: 1002, status_msg: "rate limit, retry later" } }],
    retriable("rate_limit"),
  ],
  [
    "vendor-status-sensitive",
    [{ base_resp: { status_code: 1026, status_msg: "input new_sensitive" } }],
    final("content_filter"),
  ],
  [
    "overflow",
    [
      chunk({ role: "assistant", content: "" }),
      {
        error: {
          message: "the request exceeds the available context size (8192 tokens), try increasing it",
          type: "exceed_context_size_error",
          code: 400,
        },
      },
    ],
    final("context_overflow"),
  ],
  ["key", [{ error: { message: "Incorrect API key provided", code: 401 } }], final("auth")],
  [
    "errors-that-are-none",
    [chunk({ content: "Done." }, null, { error: {} }), chunk({}, "stop", { error: null, errors: [], code: 0 }), DONE],
    good,
  ],
];
const errors = [
  ...inBand.map(([name, events, expect]) =>
    chat(`in-band-error/${name}`, events, expect, { setup: { env: { OPENAI_MAX_RETRIES: "0" } } }),
  ),
  chat(
    "in-band-error/rejected-call",
    stream([
      sse(
        openai("Failed to call a function. Please adjust your prompt.", {
          code: "tool_use_failed",
          failed_generation: "<function",
        }),
        "error",
      ),
    ]),
    retriable("output_rejected"),
  ),
];

const shapes: DialectCase[] = [
  chat(
    "chunk-shape/filter-offsets-without-delta",
    [
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      chunk({ content: "Done." }),
      {
        choices: [
          {
            index: 0,
            finish_reason: null,
            content_filter_results: { hate: { filtered: false } },
            content_filter_offsets: { check_offset: 1 },
          },
        ],
      },
      chunk({}, "stop"),
      DONE,
    ],
    good,
  ),
  chat(
    "chunk-shape/nulls-everywhere",
    [
      { id: null, choices: null, usage: null },
      { choices: [null] },
      { choices: [{ index: 0, delta: null }] },
      chunk({
        role: null,
        content: "Done.",
        tool_calls: null,
        function_call: null,
        refusal: null,
        reasoning_content: null,
        audio: null,
      }),
      chunk({}, "stop", { usage: null }),
      DONE,
    ],
    good,
  ),
  chat(
    "chunk-shape/message-grows",
    ["Do", "Done", "Done."].map((content) => ({
      choices: [
        { index: 0, message: { role: "assistant", content }, finish_reason: content === "Done." ? "stop" : null },
      ],
    })),
    good,
  ),
  chat(
    "chunk-shape/content-one-part",
    [chunk({ content: { type: "text", text: "Done." } }), chunk({}, "stop"), DONE],
    good,
  ),
  chat(
    "chunk-shape/content-text-and-reference",
    [
      chunk({
        content: [
          { type: "text", text: "Done" },
          { type: "reference", reference_ids: [1] },
          { type: "text", text: "." },
        ],
      }),
      chunk({}, "stop"),
      DONE,
    ],
    good,
  ),
  chat(
    "chunk-shape/completion-text",
    [{ choices: [{ index: 0, text: "Done." }] }, { choices: [{ index: 0, text: "", finish_reason: "stop" }] }, DONE],
    good,
  ),
  chat(
    "chunk-shape/second-choice",
    [
      {
        choices: [
          { index: 1, delta: { content: "Other" } },
          { index: 0, delta: { content: "Done." } },
        ],
      },
      chunk({}, "stop"),
      DONE,
    ],
    good,
  ),
  chat(
    "chunk-shape/no-index",
    [{ choices: [{ delta: { content: "Done." } }] }, { choices: [{ delta: {}, finish_reason: "stop" }] }, DONE],
    good,
  ),
  chat(
    "chunk-shape/noise",
    [
      chunk({ content: "Done.", annotations: [], audio: { id: "a" } }, null, {
        service_tier: "default",
        obfuscation: "xyz",
        choices: [
          {
            index: 0,
            delta: { content: "Done." },
            logprobs: { content: [{ token: "Done", logprob: -1, top_logprobs: [] }] },
            finish_reason: null,
          },
        ],
      }),
      chunk({}, "stop"),
      DONE,
    ],
    good,
  ),
  chat(
    "chunk-shape/refusal",
    [chunk({ refusal: "I cannot " }), chunk({ refusal: "do that." }), chunk({}, "stop"), DONE],
    { text: "I cannot do that.", finish: "stop" },
  ),
  chat(
    "chunk-shape/last-message-repeats",
    [
      chunk({ content: "Done." }),
      { choices: [{ index: 0, delta: {}, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }] },
      DONE,
    ],
    good,
  ),
  chat(
    "chunk-shape/short-repeats-are-text",
    [chunk({ content: "ha" }), chunk({ content: "ha" }), chunk({ content: "haha" }), chunk({}, "stop"), DONE],
    { text: "hahahaha", finish: "stop" },
  ),
];

const used = (usage: Json) => chunk({}, null, { choices: [], usage });
const usages: [string, Json[], Json][] = [
  [
    "zeros-at-the-end",
    [
      used({ prompt_tokens: 9, completion_tokens: 3 }),
      used({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
    ],
    { input: 9, output: 3 },
  ],
  [
    "vendor-field",
    [chunk({}, null, { choices: [], x_groq: { usage: { prompt_tokens: 9, completion_tokens: 3 } } })],
    { input: 9, output: 3 },
  ],
  [
    "cached-in-details",
    [used({ prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } })],
    { input: 9, output: 3, cached: 4 },
  ],
  [
    "cached-beside",
    [used({ prompt_tokens: 9, completion_tokens: 3, cached_tokens: 4 })],
    { input: 9, output: 3, cached: 4 },
  ],
  [
    "names-of-responses",
    [
      used({
        input_tokens: 9,
        output_tokens: 3,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens_details: { reasoning_tokens: 2 },
      }),
    ],
    { input: 9, output: 3, cached: 4, reasoning: 2 },
  ],
  [
    "null-details",
    [used({ prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: null, completion_tokens_details: null })],
    { input: 9, output: 3 },
  ],
  [
    "grows",
    [
      used({ prompt_tokens: 9, completion_tokens: 1 }),
      used({ prompt_tokens: 9, completion_tokens: 2 }),
      used({ prompt_tokens: 9, completion_tokens: 3 }),
    ],
    { input: 9, output: 3 },
  ],
];
const figures = usages.map(([name, last, usage]) =>
  chat(`usage/${name}`, [chunk({ content: "Done." }), chunk({}, "stop"), ...last, DONE], { ...good, usage }),
);

const body = (chunks: string[], type = "application/json") => ({
  status: 200,
  headers: { "content-type": type },
  chunks,
});
const bodies: DialectCase[] = [
  chat("not-a-stream/json-called-events", body([JSON.stringify(WHOLE)], "text/event-stream"), good),
  chat(
    "not-a-stream/json-with-a-mark",
    body([JSON.stringify(WHOLE), "\n\ndata: [DONE]\n\n"], "text/event-stream"),
    good,
  ),
  chat("not-a-stream/space-before-json", body(["\n".repeat(600), "\n".repeat(600), JSON.stringify(WHOLE)]), good),
  chat(
    "not-a-stream/list-of-chunks",
    body([
      `[${[chunk({ content: "Do" }), chunk({ content: "ne." }), chunk({}, "stop")].map((part) => JSON.stringify(part)).join(",")}]`,
    ]),
    good,
  ),
  chat(
    "not-a-stream/json-lines",
    body(
      [chunk({ content: "Do" }), chunk({ content: "ne." }), chunk({}, "stop")].map(
        (part) => `${JSON.stringify(part)}\n`,
      ),
      "application/x-ndjson",
    ),
    good,
  ),
  chat(
    "not-a-stream/list-of-errors",
    body([
      '[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]',
    ]),
    final("auth"),
  ),
  chat(
    "not-a-stream/page-behind-space",
    body(["  \n <!doctype html><title>Sign in</title>"], "text/html"),
    final("malformed_response"),
  ),
  chat(
    "not-a-stream/sentence",
    body(["upstream connect error or disconnect/reset before headers"], "text/plain"),
    retriable("malformed_response"),
  ),
  chat("not-a-stream/empty-object", body(["{}"]), retriable("empty_response")),
  chat(
    "not-a-stream/no-choices",
    body(['{"id":"c-1","object":"chat.completion","choices":[]}']),
    retriable("empty_response"),
  ),
  chat(
    "not-a-stream/calls-in-json",
    body([
      JSON.stringify({
        choices: [
          {
            message: {
              role: "assistant",
              content: null,
              tool_calls: [fragment(undefined, "call_a", "read_file", '{"path":"a.txt"}')],
            },
            finish_reason: "stop",
          },
        ],
      }),
    ]),
    { text: "", finish: "tool_calls", toolCalls: [A] },
  ),
  chat(
    "not-a-stream/thinking-in-json",
    body([
      JSON.stringify({ choices: [{ message: { content: "<think>Hm.</think>\n\nDone." }, finish_reason: "stop" }] }),
    ]),
    { ...good, reasoning: "Hm." },
  ),
];

const thoughts: [string, unknown[], string][] = [
  [
    "tag-behind-space",
    [chunk({ content: "\n" }), chunk({ content: "<think>\nHm." }), chunk({ content: "\n</think>\n\nDone." })],
    "\nHm.",
  ],
  [
    "details-alone",
    [chunk({ reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }), chunk({ content: "Done." })],
    "Hm.",
  ],
  [
    "thinking-parts",
    [
      chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
      chunk({ content: "Done." }),
    ],
    "Hm.",
  ],
  ["text-field", [chunk({ reasoning_text: "Hm." }), chunk({ content: "Done." })], "Hm."],
  ["thought-tag", [chunk({ content: "<thought>Hm.</thought>Done." })], "Hm."],
  ["named-tag", [chunk({ content: "<seed:think>Hm.</seed:think>Done." })], "Hm."],
  ["capitals", [chunk({ content: "<THINK>Hm.</THINK>Done." })], "Hm."],
  ["empty-thinking", [chunk({ content: "<think>\n\n</think>\n\nDone." })], ""],
];
const thinking = thoughts.map(([name, events, reasoning]) =>
  chat(`reasoning-in/${name}`, [...events, chunk({}, "stop"), DONE], { ...good, reasoning }),
);

const texts: DialectCase[] = [
  chat(
    "text-tool-call/keys-and-values",
    [
      chunk({ content: "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>" }),
      chunk({}, "stop"),
      DONE,
    ],
    { text: "", finish: "tool_calls", toolCalls: [A] },
  ),
  chat(
    "text-tool-call/invoke",
    [
      chunk({ content: 'Reading.\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>' }),
      chunk({}, "stop"),
      DONE,
    ],
    { text: "Reading.", finish: "tool_calls", toolCalls: [A] },
  ),
  chat(
    "text-tool-call/two-blocks",
    [
      chunk({
        content:
          '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>\n<tool_call>{"name":"grep","arguments":{"pattern":"x"}}</tool_call>',
      }),
      chunk({}, "stop"),
      DONE,
    ],
    { text: "", finish: "tool_calls", toolCalls: [A, wanted("grep", { pattern: "x" })] },
  ),
  chat(
    "text-tool-call/quoted-in-prose",
    [
      chunk({ content: 'Write <tool_call>{"name":"read_file","arguments":{}}</tool_call> to call.' }),
      chunk({}, "stop"),
      DONE,
    ],
    {
      text: 'Write <tool_call>{"name":"read_file","arguments":{}}</tool_call> to call.',
      finish: "stop",
      toolCalls: [],
    },
  ),
  chat("transport/cut-before-any-text", stream([chunk({ role: "assistant", content: "" })], { end: "cut" }), {
    error: { class: "network", retriable: true },
  }),
  chat("transport/reset-in-thinking", stream([chunk({ reasoning_content: "Hm" })], { end: "reset" }), {
    error: { class: "network", retriable: true },
  }),
  chat("transport/no-header-of-type", { ...GOOD, headers: {} }, good),
];

export const streamCases = [
  framing,
  compressed,
  ends,
  finishes,
  errors,
  shapes,
  figures,
  bodies,
  thinking,
  texts,
].flat();

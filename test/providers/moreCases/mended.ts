/** Refusals that a changed request mends: fields, schemas, the form of the history, ids, the other protocol. */
import type { DialectCase, Json } from "../dialectCase";
import { completed, event, GOOD, mended, message, openai, responses, stream } from "./build";

const CALLED: Json[] = [
  { role: "user", content: "read it" },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: { name: "read_file", arguments: '{"path":"a.txt"}' } }],
  },
  { role: "tool", tool_call_id: "call_1", content: "ok" },
];
const READ = [...CALLED, { role: "assistant", content: "It says ok." }];
const tool = (parameters: Json, name = "odd"): Json => ({
  type: "function",
  function: { name, description: "d", parameters },
});

const fields: DialectCase[] = [
  mended("param-refused/unrecognized-argument", {
    when: { has: "stream_options" },
    status: 400,
    body: openai("Unrecognized request argument supplied: stream_options"),
    as: "unsupported_param",
  }),
  mended("param-refused/extra-inputs", {
    when: { has: "stream_options" },
    status: 422,
    body: {
      detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }],
    },
    as: "unsupported_param",
  }),
  mended("param-refused/not-a-valid-field", {
    when: { has: "stream_options" },
    status: 400,
    body: { message: "unknown field: parameter 'stream_options' is not a valid field" },
    as: "unsupported_param",
  }),
  mended("param-refused/no-name-at-all", {
    when: { has: "stream_options" },
    status: 400,
    body: { error: "Bad Request" },
    as: "unsupported_param",
  }),
  mended("param-refused/no-schema-of-the-field", {
    when: { has: "max_tokens" },
    status: 400,
    body: openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: "max_tokens", code: "unsupported_parameter" },
    ),
    as: "unsupported_param",
    setup: { maxTokens: 100 },
  }),
  mended("param-refused/temperature-deprecated", {
    when: { has: "temperature" },
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "`temperature` is deprecated for this model." },
    },
    as: "unsupported_param",
    setup: { temperature: 0 },
  }),
  mended("param-refused/temperature-in-words", {
    when: { has: "temperature" },
    status: 400,
    body: openai("invalid temperature: only 1 is allowed for this model"),
    as: "unsupported_param",
    setup: { temperature: 0 },
  }),
  mended("param-refused/neither-name", {
    when: { any: [{ has: "max_tokens" }, { has: "max_completion_tokens" }] },
    status: 400,
    body: openai("Unknown parameter: max_tokens or max_completion_tokens"),
    as: "unsupported_param",
    setup: { maxTokens: 100 },
    max: 4,
  }),
  mended("param-refused/too-much-output", {
    when: { match: { at: "max_tokens", re: "^[0-9]{6}" } },
    status: 400,
    body: openai(
      "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
      { param: "max_tokens" },
    ),
    as: "unsupported_param",
    setup: { maxTokens: 100_000 },
  }),
  mended("param-refused/output-range", {
    when: { match: { at: "max_tokens", re: "^[0-9]{6}" } },
    status: 400,
    body: openai("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
    as: "unsupported_param",
    setup: { maxTokens: 100_000 },
  }),
  mended("context-overflow/output-budget-in-the-way", {
    when: { match: { at: "max_tokens", re: "^32000$" } },
    status: 400,
    body: openai(
      "This model's maximum context length is 40960 tokens. However, you requested 41960 tokens (9960 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.",
      { code: "context_length_exceeded" },
    ),
    as: "context_overflow",
    setup: { maxTokens: 32_000 },
  }),
  mended("context-overflow/input-plus-output", {
    when: { match: { at: "max_tokens", re: "^32000$" } },
    status: 400,
    body: openai(
      "input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000, decrease input length or `max_tokens` and try again",
    ),
    as: "context_overflow",
    setup: { maxTokens: 32_000 },
  }),
];

const schemas: DialectCase[] = [
  mended("tool-schema/list-without-items", {
    when: { raw: '"type":"array"(?!,"items")(?![^}]*"items")' },
    status: 400,
    body: openai("Invalid schema for function 'odd': In context=('properties', 'list'), array schema missing items.", {
      param: "tools[0].function.parameters",
      code: "invalid_function_parameters",
    }),
    as: "tool_schema",
    keeps: { raw: "odd" },
    setup: { tools: [tool({ type: "object", properties: { list: { type: "array" } } })] },
  }),
  mended("tool-schema/items-missing-field", {
    when: { raw: '"type":"array"(?![^}]*"items")' },
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message:
            "* GenerateContentRequest.tools[0].function_declarations[0].parameters.properties[list].items: missing field.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    as: "tool_schema",
    keeps: { raw: "odd" },
    setup: { tools: [tool({ type: "object", properties: { list: { type: "array" } } })] },
  }),
  mended("tool-schema/unknown-name", {
    when: { raw: "additionalProperties|\\$schema" },
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message:
            "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    as: "tool_schema",
    keeps: { raw: "odd" },
    setup: {
      tools: [
        tool({ $schema: "x", type: "object", properties: { a: { type: "string" } }, additionalProperties: false }),
      ],
    },
  }),
  mended("tool-schema/numbers-in-a-list-of-values", {
    when: { raw: '"enum":\\[\\d' },
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message:
            "Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value.enum[0]' (TYPE_STRING), 1",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    as: "tool_schema",
    keeps: { raw: "odd" },
    setup: { tools: [tool({ type: "object", properties: { level: { type: "integer", enum: [1, 2, 3] } } })] },
  }),
  mended("tool-schema/draft", {
    when: { raw: "oneOf" },
    status: 400,
    body: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
      },
    },
    as: "tool_schema",
    keeps: { raw: "odd" },
    setup: {
      tools: [
        tool({
          type: "object",
          oneOf: [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "string" } } }],
        }),
      ],
    },
  }),
  mended("tool-schema/one-stays-refused", {
    when: { raw: '"odd"' },
    status: 400,
    body: openai("Invalid schema for function 'odd': too deep.", { code: "invalid_function_parameters" }),
    as: "tool_schema",
    setup: {
      tools: [
        tool({ type: "object", properties: { a: { type: "string" } } }),
        tool({ type: "object", properties: {} }, "plain"),
      ],
    },
  }),
  mended("tool-schema/too-many-tools", {
    when: { has: "tools.4" },
    status: 400,
    body: openai(
      "Invalid 'tools': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
      { param: "tools", code: "array_above_max_length" },
    ),
    as: "unsupported_param",
  }),
  mended("tool-schema/too-many-tools-in-words", {
    when: { has: "tools.3" },
    status: 400,
    body: openai("Too many tools: at most 3 tools are supported"),
    as: "unsupported_param",
  }),
];

const histories: DialectCase[] = [
  mended("roles-order/no-system-role", {
    when: { match: { at: "messages.*.role", re: "^system$" } },
    status: 400,
    body: openai("System role not supported"),
    as: "history_invalid",
  }),
  mended("roles-order/no-system-role-500", {
    when: { match: { at: "messages.*.role", re: "^system$" } },
    status: 500,
    body: { error: { code: 500, message: "Jinja Exception: System role not supported", type: "server_error" } },
    as: "history_invalid",
  }),
  mended("roles-order/only-two-roles", {
    when: { match: { at: "messages.*.role", re: "^system$" } },
    status: 400,
    body: openai("Only user and assistant roles are supported!"),
    as: "history_invalid",
  }),
  mended("roles-order/user-behind-tool", {
    when: { raw: '"role":"tool"[^{}]*\\},\\{"role":"user"' },
    status: 400,
    body: {
      object: "error",
      message: "Unexpected role 'user' after role 'tool'",
      type: "invalid_request_message_order",
      code: "3230",
    },
    as: "history_invalid",
    setup: { history: CALLED },
  }),
  mended("message-content/null-refused", {
    when: { rule: "content-null" },
    status: 400,
    body: openai("Invalid value for 'content': expected a string, got null.", { param: "messages.[2].content" }),
    as: "history_invalid",
    setup: { history: READ },
  }),
  mended("message-content/empty-refused", {
    when: { rule: "content-empty" },
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "messages: text content blocks must be non-empty" },
    },
    as: "history_invalid",
    setup: { history: READ },
  }),
  mended("message-content/empty-result-refused", {
    when: { rule: "content-empty" },
    status: 400,
    body: openai("messages.3.content cannot be empty"),
    as: "history_invalid",
    setup: { history: [CALLED[0], CALLED[1], { role: "tool", tool_call_id: "call_1", content: "" }] },
  }),
  mended("message-content/images-in-prose", {
    when: { rule: "image-part" },
    status: 404,
    body: openai("No endpoints found that support image input", { code: 404 }),
    as: "capability",
    setup: { attachments: 1 },
  }),
  mended("message-content/images-multimodal", {
    when: { rule: "image-part" },
    status: 400,
    body: { object: "error", message: "m-1 is not a multimodal model", type: "BadRequestError", code: 400 },
    as: "capability",
    setup: { attachments: 1 },
  }),
  mended("message-content/images-500", {
    when: { rule: "image-part" },
    status: 500,
    body: {
      error: {
        code: 500,
        message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        type: "server_error",
      },
    },
    as: "capability",
    setup: { attachments: 1 },
  }),
  mended("call-ids/pattern", {
    when: { rule: "id-not-9" },
    status: 400,
    body: openai("tool_call_id: String should match pattern '^[a-zA-Z0-9]{9}$'"),
    as: "history_invalid",
    setup: { history: READ },
  }),
  mended("call-ids/underscore", {
    when: { raw: "call_1" },
    status: 400,
    body: openai("Invalid 'messages[2].tool_calls[0].id': must only contain letters and digits"),
    as: "history_invalid",
    setup: { history: READ },
  }),
  mended("call-ids/name-of-the-result", {
    when: { not: { match: { at: "messages.3.name", re: "^read_file$" } } },
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message: "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
    as: "history_invalid",
    setup: { history: READ },
  }),
  mended("reasoning-echo/missing", {
    when: { rule: "reasoning-missing" },
    status: 400,
    body: openai("thinking is enabled but reasoning_content is missing in assistant tool call message at index 2"),
    as: "history_invalid",
    setup: { history: READ },
  }),
  mended("reasoning-echo/must-be-passed-back", {
    when: { rule: "reasoning-missing" },
    status: 400,
    body: openai("The `reasoning_content` in the thinking mode must be passed back to the API."),
    as: "history_invalid",
    setup: { history: READ },
  }),
  mended("reasoning-echo/refused", {
    when: { raw: "reasoning_content" },
    status: 422,
    body: {
      detail: [
        {
          type: "extra_forbidden",
          loc: ["body", "messages", 2, "assistant", "reasoning_content"],
          msg: "Extra inputs are not permitted",
        },
      ],
    },
    as: "unsupported_param",
    setup: { history: [CALLED[0], { ...CALLED[1], reasoning: "Hm." }, CALLED[2]] },
  }),
];

const protocols: DialectCase[] = [
  ...(
    [
      ["no-route", 404, { message: "no Route matched with those values" }],
      ["resource-not-found", 404, { error: { code: "404", message: "Resource not found" } }],
      [
        "unrecognized-url",
        404,
        openai("Unrecognized request URL (POST /v1/responses). Please check the documentation."),
      ],
      ["page-404", 404, "<!DOCTYPE html><title>Not Found</title>"],
      [
        "api-version",
        400,
        {
          error: {
            code: "BadRequest",
            message: "The Responses API is enabled only for api-version 2025-03-01-preview and later",
          },
        },
      ],
      ["model-lacks-it", 400, openai("The Responses API is not supported by this model")],
      ["cannot-post", 404, "<pre>Cannot POST /v1/responses</pre>"],
      [
        "chat-behind-it",
        200,
        JSON.stringify({
          object: "chat.completion",
          choices: [{ message: { content: "No." }, finish_reason: "stop" }],
        }),
      ],
    ] as [string, number, unknown][]
  ).map(([name, status, body]) =>
    mended(`responses-fallback/${name}`, {
      when: { path: "responses" },
      status,
      body,
      as: "endpoint_unsupported",
      api: "responses",
      fallback: "cache",
      max: 2,
      good: GOOD,
    }),
  ),
  mended("responses-fallback/wants-messages", {
    when: { path: "responses" },
    status: 422,
    body: { detail: [{ type: "missing", loc: ["body", "messages"], msg: "Field required" }] },
    as: "unsupported_param",
    api: "responses",
    fallback: "once",
    max: 2,
    good: GOOD,
  }),
  mended("responses-fallback/store-unknown", {
    when: { all: [{ path: "responses" }, { has: "store" }] },
    status: 400,
    body: openai("Unknown parameter: 'store'.", { param: "store", code: "unknown_parameter" }),
    as: "unsupported_param",
    api: "responses",
    fallback: "once",
    max: 2,
    good: GOOD,
  }),
  mended("responses-fallback/sealed-thinking-unknown", {
    when: { all: [{ path: "responses" }, { has: "include" }] },
    status: 400,
    body: openai("Encrypted content is not supported with this model.", { param: "include" }),
    as: "unsupported_param",
    api: "responses",
    fallback: "once",
    max: 2,
    good: GOOD,
  }),
  mended("responses-fallback/sealed-thinking-unnamed", {
    when: { all: [{ path: "responses" }, { has: "include" }] },
    status: 400,
    body: openai("Encrypted content is not supported with this model."),
    as: "unsupported_param",
    api: "responses",
    fallback: "once",
    max: 2,
    good: GOOD,
  }),
  responses(
    "responses-fallback/chat-events-behind-it",
    { status: 200, headers: {}, chunks: [] },
    {
      text: "Done.",
      finish: "stop",
      requests: { paths: ["responses", "chat/completions"] },
      recovers: { class: "endpoint_unsupported", retriable: false, fallback: "cache" },
    },
    {
      response: [{ when: { path: "responses" }, ...GOOD }, GOOD],
    },
  ),
  mended("responses-state/item-gone", {
    when: { match: { at: "input.*.type", re: "^reasoning$" } },
    status: 404,
    body: openai("Item 'rs_9' not found."),
    as: "history_invalid",
    api: "responses",
    setup: { history: sealed() },
  }),
  mended("responses-state/cannot-verify", {
    when: { match: { at: "input.*.type", re: "^reasoning$" } },
    status: 400,
    body: openai(
      "The encrypted content gAAA... could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
      { code: "invalid_encrypted_content" },
    ),
    as: "history_invalid",
    api: "responses",
    setup: { history: sealed() },
  }),
];

function sealed(): Json[] {
  return [
    { role: "user", content: "a" },
    {
      role: "assistant",
      content: "b",
      reasoning_details: [{ type: "reasoning", id: "rs_9", summary: [], encrypted_content: "RU5D" }],
    },
  ];
}

/** Not a refusal: what a second request must carry. */
const echoes: DialectCase[] = [
  responses(
    "responses-state/thinking-goes-back",
    { status: 200, headers: {}, chunks: [] },
    {
      text: "Done.",
      finish: "stop",
      rounds: [{ toolCalls: [{ id: "call_1", name: "git_status", arguments: {} }], finish: "tool_calls" }],
      requests: { max: 2, lastNot: { not: { rule: "resp-encrypted" } }, noChat: true },
    },
    {
      response: [
        {
          when: { nth: 1 },
          ...stream([
            event("response.output_item.done", {
              output_index: 0,
              item: { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "RU5D" },
            }),
            event("response.output_item.done", {
              output_index: 1,
              item: { id: "fc_1", type: "function_call", call_id: "call_1", name: "git_status", arguments: "{}" },
            }),
            completed([]),
          ]),
        },
        stream([completed([message("Done.")])]),
      ],
    },
  ),
];

export const mendedCases = [fields, schemas, histories, protocols, echoes].flat();

import { describe, expect, test } from "vitest";
import { classify, classifyHttpError, maskKeys } from "../../src/providers/classify";
import { errorWordsOf, isErrorBody, parseErrorBody } from "../../src/providers/errorBody";

const openai = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } });

const refusals: [status: number, wanted: string, body: string][] = [
  // Money.
  [
    429,
    "quota",
    openai("Your account is suspended due to insufficient balance, please recharge", {
      type: "exceeded_current_quota_error",
    }),
  ],
  [
    429,
    "quota",
    openai("You exceeded your current quota, please check your plan.", { status: "RESOURCE_EXHAUSTED", code: 429 }),
  ],
  [400, "quota", openai("Your credit balance is too low to access the API.", { type: "invalid_request_error" })],
  [400, "quota", openai("Access denied, please make sure your account is in good standing.", { code: "Arrearage" })],
  [500, "quota", openai("user quota is not enough", { code: "insufficient_user_quota" })],
  [403, "quota", openai("该令牌额度已用尽")],
  [
    429,
    "quota",
    JSON.stringify({ error: "Your team has either used all available credits or reached its monthly spending limit." }),
  ],
  // Throughput.
  [429, "rate_limit", ""],
  [
    429,
    "rate_limit",
    openai("Allocated quota exceeded, please increase your quota limit.", { code: "Throttling.AllocationQuota" }),
  ],
  [
    429,
    "rate_limit",
    openai("This request would exceed your organization's rate limit of 40,000 input tokens per minute."),
  ],
  [
    429,
    "rate_limit",
    openai("Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day"),
  ],
  [503, "rate_limit", openai("Rate limit exceeded")],
  [
    429,
    "overloaded",
    JSON.stringify({ object: "error", message: "Service tier capacity exceeded for this model.", code: "3505" }),
  ],
  [529, "overloaded", JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })],
  [500, "overloaded", openai("The server is busy, please try later")],
  // Identity and access.
  [
    400,
    "auth",
    JSON.stringify([
      { error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } },
    ]),
  ],
  [
    403,
    "forbidden",
    openai("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
  ],
  [405, "forbidden", "Sorry, your request has been blocked as it may cause potential threats."],
  // The model's name.
  [404, "model_not_found", openai('model "x" not found, try pulling it first')],
  [400, "model_not_found", openai("Model Not Exist")],
  [
    404,
    "model_not_found",
    JSON.stringify({ object: "error", message: "The model `x` does not exist.", type: "NotFoundError" }),
  ],
  [400, "model_not_found", openai("foo/bar is not a valid model ID")],
  [404, "model_not_found", openai("No endpoints found for foo/bar.")],
  [
    404,
    "model_not_found",
    JSON.stringify({ type: "error", error: { type: "not_found_error", message: "model: x-9" } }),
  ],
  [400, "model_not_found", JSON.stringify({ error: "No models loaded. Please load a model first." })],
  // Paths and APIs.
  [404, "endpoint_unsupported", JSON.stringify({ message: "no Route matched with those values" })],
  [400, "endpoint_unsupported", openai("API version not supported")],
  [
    400,
    "endpoint_unsupported",
    openai("model x is not supported via Responses API.", { code: "unsupported_api_for_model" }),
  ],
  [400, "endpoint_unsupported", openai("The responses operation does not work with the specified model, x.")],
  [500, "endpoint_unsupported", openai("not implemented", { code: "convert_request_failed" })],
  // What the model cannot do.
  [400, "capability", openai("library/gemma:2b does not support tools")],
  [404, "capability", openai("No endpoints found that support tool use. Learn about routing.")],
  [404, "capability", openai("No endpoints found that support image input")],
  [500, "capability", openai("image input is not supported - hint: you may need to provide the mmproj")],
  [
    400,
    "capability",
    openai("Invalid content type. image_url is only supported by certain models.", { param: "messages.[1].content" }),
  ],
  [
    400,
    "capability",
    openai("Input tag 'image_url' found using 'type' does not match any of the expected tags: 'text'"),
  ],
  [400, "capability", openai("Unsupported parameter: 'tools' is not supported with this model.", { param: "tools" })],
  // The window.
  [400, "context_overflow", openai("prompt is too long: 216397 tokens > 200000 maximum")],
  [
    400,
    "context_overflow",
    openai("input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease one of them"),
  ],
  [
    400,
    "context_overflow",
    openai(
      "'max_tokens' is too large: 16384. This model's maximum context length is 32768 tokens and your request has 20000 input tokens",
    ),
  ],
  [500, "context_overflow", openai("the input length exceeds the context length")],
  [400, "context_overflow", openai("Input is too long for requested model.")],
  [400, "context_overflow", openai("too many tokens: total number of tokens in the prompt cannot exceed 4081")],
  [
    422,
    "context_overflow",
    openai("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens"),
  ],
  [
    400,
    "context_overflow",
    openai("This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
  ],
  [400, "context_overflow", openai("invalid params, context window exceeds limit (2013)")],
  [400, "context_overflow", openai("Prompt exceeds max length", { code: "1261" })],
  [400, "context_overflow", openai("The total number of tokens (33000) exceeds the maximum allowed (32768)")],
  [400, "context_overflow", openai("输入内容超过模型上下文长度限制")],
  [400, "context_overflow", openai("The prompt is too large for this model")],
  [400, "context_overflow", openai("This model can only handle 8192 tokens, but you sent 9000")],
  [400, "context_overflow", openai("You passed 5000 tokens, the maximum of 4096 tokens per request is exceeded")],
  [400, "context_overflow", ""],
  // Bytes.
  [
    413,
    "payload_too_large",
    JSON.stringify({
      type: "error",
      error: { type: "request_too_large", message: "Request exceeds the maximum size" },
    }),
  ],
  [
    400,
    "payload_too_large",
    openai("Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760."),
  ],
  [400, "payload_too_large", openai("request body exceeds the limit of 20 MB")],
  // The history.
  [
    400,
    "history_invalid",
    openai("Messages with role 'tool' must be a response to a preceding message with 'tool_calls'"),
  ],
  [
    400,
    "history_invalid",
    openai("messages.1: `tool_use` ids were found without `tool_result` blocks immediately after"),
  ],
  [
    400,
    "history_invalid",
    openai(
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
    ),
  ],
  [400, "history_invalid", openai("Expected last role User or Tool for serving but got assistant")],
  [400, "history_invalid", openai("Not the same number of function calls and responses")],
  [400, "history_invalid", openai("A conversation must start with a user message")],
  [400, "history_invalid", openai("messages: text content blocks must be non-empty")],
  [400, "history_invalid", openai("The `reasoning_content` in the thinking mode must be passed back to the API.")],
  [
    400,
    "history_invalid",
    openai("The encrypted content could not be verified.", { code: "invalid_encrypted_content" }),
  ],
  [400, "history_invalid", openai("Developer instruction is not enabled for models/g")],
  [500, "history_invalid", openai("Error rendering chat template: roles must alternate")],
  // Fields.
  [400, "unsupported_param", openai("Unrecognized request argument supplied: reasoning_effort")],
  [
    400,
    "unsupported_param",
    openai("Unknown parameter: 'prompt_cache_key'.", { param: "prompt_cache_key", code: "unknown_parameter" }),
  ],
  [
    400,
    "unsupported_param",
    openai('Invalid JSON payload received. Unknown name "stream_options": Cannot find field.'),
  ],
  [
    400,
    "unsupported_param",
    openai("'messages.2': the following must be satisfied[property 'reasoning_content' is unsupported]"),
  ],
  [400, "unsupported_param", openai("max_tokens must be at most 8192")],
  [
    400,
    "unsupported_param",
    openai("max_tokens is too large: 16384. This model supports at most 4096 completion tokens"),
  ],
  [400, "unsupported_param", openai("Encrypted content is not supported with this model.", { param: "include" })],
  [400, "unsupported_param", openai("Thinking mode does not support this tool_choice")],
  // Tools.
  [
    400,
    "tool_schema",
    openai("GenerateContentRequest.tools[0].function_declarations[3].parameters.properties[x].items: missing field."),
  ],
  [
    400,
    "tool_schema",
    openai(
      "Unknown name \"additionalProperties\" at 'tools[0].function_declarations[2].parameters': Cannot find field.",
    ),
  ],
  // Filters, rejected output, and bare failures.
  [
    400,
    "content_filter",
    openai("The response was filtered due to the prompt triggering the content management policy.", {
      code: "content_filter",
    }),
  ],
  [400, "content_filter", openai("Input data may contain inappropriate content.", { code: "data_inspection_failed" })],
  [400, "output_rejected", openai("tool call validation failed: parameters did not match")],
  [502, "server", "<html><head><title>502 Bad Gateway</title></head></html>"],
  [524, "server", ""],
  [500, "server", openai("Internal error")],
];

describe("classify", () => {
  test.each(refusals)("%i %s: %s", (status, wanted, body) => {
    expect(classify({ status, words: parseErrorBody(body) }).errorType).toBe(wanted);
  });

  test("retriable means that the same request may go out again unchanged", () => {
    const retriable = (status: number, body: string) => classifyHttpError({ status, body }).retriable;
    expect([retriable(429, ""), retriable(503, ""), retriable(500, openai("x"))]).toEqual([true, true, true]);
    expect([
      retriable(401, ""),
      retriable(402, ""),
      retriable(400, openai("prompt is too long")),
      retriable(404, ""),
    ]).toEqual([false, false, false, false]);
  });

  test.each([
    [{ "retry-after-ms": "1500", "retry-after": "9" }, "", 1500],
    [{ "retry-after": "2" }, "", 2000],
    [{}, "Please try again in 4.05s.", 4050],
    [{}, "Please try again in 7m12.5s. Need more? See /billing", 432_500],
    [{}, "Please retry after 6 seconds.", 6000],
    [{}, "Usage limit reached. Resets in 6hr 29min.", 23_340_000],
    [{}, "try again in 120ms", 120],
    [{}, "Too many requests", undefined],
  ])("a stated delay: %j %s", (headers, message, wanted) => {
    expect(classify({ status: 429, headers, words: parseErrorBody(openai(message)) }).retryAfterMs).toBe(wanted);
  });

  test("a delay in the body makes a spent quota a limit that time cures", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "37s" }];
    const verdict = classify({
      status: 429,
      words: parseErrorBody(openai("You exceeded your current quota", { details })),
    });
    expect(verdict).toMatchObject({ errorType: "rate_limit", retryAfterMs: 37_000 });
  });

  test("an error inside a stream is judged by the code that it carries", () => {
    expect(classify({ words: errorWordsOf({ error: { code: 401, message: "Invalid token" } }) }).errorType).toBe(
      "auth",
    );
    expect(classify({ words: errorWordsOf({ error: { code: "503", message: "x" } }) }).errorType).toBe("overloaded");
    expect(classify({ words: errorWordsOf({ error: { type: "server_error", message: "x" } }) }).errorType).toBe(
      "server",
    );
    expect(
      classify({ words: errorWordsOf({ error: { type: "invalid_request_error", message: "x" } }) }).retriable,
    ).toBe(false);
  });

  test("the message is the server's own words, with a hint and without the key", () => {
    const error = classifyHttpError({ status: 401, body: openai("Incorrect API key provided: sk-abcdef123456.") });
    expect(error.message).toBe(
      "The endpoint refused the API key; check OPENAI_API_KEY and the base URL (401): Incorrect API key provided: sk-….",
    );
    expect(maskKeys("the key mykey-123 and Bearer abc.def", "mykey-123")).toBe("the key myk… and Bearer …");
    expect(maskKeys("keyboards and tokenizers keep their names")).toBe("keyboards and tokenizers keep their names");
  });
});

describe("parseErrorBody", () => {
  test.each([
    [
      "an error object",
      openai("a", { code: "c", type: "t", param: "p" }),
      { message: "a", code: "c", type: "t", param: "p" },
    ],
    ["an error as text", JSON.stringify({ error: "a", code: "c" }), { message: "a", code: "c" }],
    [
      "fields at the top",
      JSON.stringify({ object: "error", message: "a", code: 3280 }),
      { message: "a", code: "3280" },
    ],
    [
      "a validation list",
      JSON.stringify({ detail: [{ loc: ["body", "x", 0, "y"], msg: "bad" }] }),
      { message: "x.0.y: bad", param: "x.0.y" },
    ],
    ["a detail sentence", JSON.stringify({ detail: "Not Found" }), { message: "Not Found" }],
    [
      "an error quoted by a gateway",
      openai('litellm.BadRequestError: {"error":{"message":"inner","code":"c"}}'),
      { message: "inner", code: "c" },
    ],
    [
      "what a gateway's provider said",
      openai("Provider returned error", { metadata: { raw: "the real reason" } }),
      { message: "Provider returned error: the real reason" },
    ],
    ["a list", JSON.stringify([{ error: { code: 503, message: "a" } }]), { message: "a", status: 503 }],
    [
      "a vendor's status",
      JSON.stringify({ base_resp: { status_code: 1008, status_msg: "a" } }),
      { message: "a", code: "1008" },
    ],
    ["a page", "<html><title>502 Bad\nGateway</title>", { message: "502 Bad Gateway", isHtml: true }],
    ["plain text", " 404 page not found\n", { message: "404 page not found" }],
    ["nothing", "  ", { message: "", isEmpty: true }],
  ])("%s", (_, body, wanted) => {
    expect(parseErrorBody(body)).toMatchObject(wanted);
  });

  test.each([
    [{ error: { message: "x" } }, true],
    [{ error: "x" }, true],
    [{ type: "error", message: "x" }, true],
    [{ base_resp: { status_code: 1 } }, true],
    [{ detail: "x" }, true],
    [[{ error: {} }], true],
    [{ error: null, choices: [] }, false],
    [{ choices: [], base_resp: { status_code: 0 } }, false],
    [{ object: "response", output: [], error: null }, false],
    [[], false],
    [null, false],
  ])("isErrorBody %j is %s", (data, wanted) => {
    expect(isErrorBody(data)).toBe(wanted);
  });
});

/** Refusals in the words of many servers, and the class that each must get. */
import type { DialectCase, Json } from "../dialectCase";
import { final, openai, refused, retriable } from "./build";

type Row = [name: string, status: number, body: unknown, headers?: Json];

const rows = (kind: string, expect: DialectCase["expect"], list: Row[]) =>
  list.map(([name, status, body, headers]) =>
    refused(`${kind}/${name}`, status, body, { text: "", ...expect }, headers),
  );

const overflow = rows("context-overflow", { ...final("context_overflow"), requests: { max: 1 } }, [
  [
    "input-exceeds-window",
    400,
    openai("Your input exceeds the context window of this model. Please adjust your input and try again.", {
      code: "context_length_exceeded",
    }),
  ],
  [
    "prompt-too-long",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
    },
  ],
  [
    "input-and-output",
    400,
    openai(
      "input length and `max_tokens` exceed context limit: 199900 + 32000 > 200000, decrease input length or `max_tokens` and try again",
    ),
  ],
  ["input-too-long", 400, { message: "Input is too long for requested model." }],
  [
    "input-token-count",
    400,
    [
      {
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
          status: "INVALID_ARGUMENT",
        },
      },
    ],
  ],
  [
    "too-large-for-model",
    400,
    {
      object: "error",
      message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_error",
      code: "3051",
    },
  ],
  [
    "total-number",
    400,
    {
      message:
        "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt",
    },
  ],
  [
    "inputs-plus-new-tokens",
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 100 `max_new_tokens`",
      error_type: "validation",
    },
  ],
  [
    "inputs-less-than",
    422,
    {
      error: "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000",
      error_type: "validation",
    },
  ],
  [
    "reduce-length",
    400,
    openai("Please reduce the length of the messages or completion.", {
      code: "context_length_exceeded",
      param: "messages",
    }),
  ],
  [
    "maximum-prompt-length",
    400,
    {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    },
  ],
  [
    "longer-than-context",
    400,
    {
      object: "error",
      message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
      type: "BadRequestError",
      code: 400,
    },
  ],
  [
    "requested-token-count",
    400,
    openai(
      "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 8000 tokens from the input messages and 1000 tokens for the completion.",
    ),
  ],
  [
    "decoder-prompt",
    400,
    openai(
      "The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    ),
  ],
  [
    "keep-the-first",
    400,
    {
      error:
        "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length",
    },
  ],
  [
    "request-exceeds-500",
    500,
    {
      error: {
        code: 500,
        message:
          "the request exceeds the available context size. try increasing the context size or enable context shift",
        type: "invalid_request_error",
      },
    },
  ],
  ["model-token-limit", 400, openai("Invalid request: Your request exceeded model token limit: 8192")],
  ["prompt-exceeds-max-length", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }],
  ["window-exceeds-limit", 400, openai("invalid params, context window exceeds limit (2013)")],
  [
    "input-length-range",
    400,
    {
      error: {
        code: "invalid_parameter_error",
        message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
      },
    },
  ],
  [
    "validation-exception",
    400,
    {
      message:
        "ValidationException: The model returned the following errors: input length exceeds the maximum context length",
    },
  ],
  ["no-fit", 400, openai("The conversation does not fit into the context of this model.")],
  ["chinese", 400, openai("输入内容长度超过模型最大上下文限制")],
  ["japanese", 400, openai("入力がモデルの最大コンテキスト長を超えています")],
  ["korean", 400, openai("입력이 최대 컨텍스트 길이를 초과했습니다")],
  ["german", 400, openai("Die Eingabe überschreitet die maximale Kontextlänge des Modells")],
  ["french", 400, openai("La requête dépasse la longueur maximale du contexte du modèle")],
  ["spanish", 400, openai("La entrada excede la longitud máxima del contexto del modelo")],
  ["russian", 400, openai("Запрос превышает максимальную длину контекста модели")],
]);

const quota = rows("quota", { ...final("quota"), requests: { max: 1 } }, [
  [
    "affordable",
    402,
    openai(
      "This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 4321.",
      { code: 402 },
    ),
  ],
  ["payment-required-page", 402, "<html><title>402 Payment Required</title></html>"],
  [
    "suspended",
    429,
    openai("Your account org-x is suspended, please check your plan and billing details", {
      type: "exceeded_current_quota_error",
    }),
  ],
  [
    "free-tier-exhausted",
    403,
    openai(
      "The free tier of the model has been exhausted. If you wish to continue access the model on a paid basis, please disable the free tier only mode.",
      { code: "AllocationQuota.FreeTierOnly" },
    ),
  ],
  ["trial-over", 403, openai("Your free trial has expired. Please choose a plan.")],
  [
    "spend-limit",
    429,
    openai("You have reached your specified API usage limits. You will regain access on 2027-01-01 at 00:00 UTC."),
  ],
  ["arrears", 400, openai("Access denied, your account is in arrears, please make a payment.", { code: "Arrearage" })],
  ["chinese-balance", 429, openai("您的账户余额不足，请充值后重试")],
  ["chinese-arrears", 403, openai("账户已欠费，请及时充值")],
  [
    "budget",
    400,
    openai("ExceededBudget: User has exceeded their budget. Spend=10.1, Budget=10", { type: "budget_exceeded" }),
  ],
]);

const limits: DialectCase[] = [
  ...rows("rate-limit", retriable("rate_limit"), [
    ["no-body", 429, ""],
    ["page", 429, "<html><title>429 Too Many Requests</title></html>"],
    ["too-many-tokens", 429, { message: "Too many tokens, please wait before trying again." }],
    ["throttling-400", 400, openai("ThrottlingException: Rate exceeded")],
    [
      "requests-per-day",
      429,
      openai("Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day", {
        code: 429,
      }),
    ],
    ["concurrency", 429, { error: { code: "1302", message: "您当前使用该API的并发数过高，请降低并发" } }],
    [
      "input-tokens-per-minute",
      429,
      openai("This request would exceed your organization's rate limit of 30,000 input tokens per minute.", {
        type: "rate_limit_error",
      }),
    ],
    [
      "resource-exhausted",
      429,
      { error: { code: 429, message: "Resource exhausted. Please try again later.", status: "RESOURCE_EXHAUSTED" } },
    ],
    ["context-is-not-meant", 429, openai("Too many context tokens used in the last minute")],
  ]),
  ...(
    [
      [
        "retry-info",
        [
          {
            error: {
              code: 429,
              message: "You exceeded your current quota, please check your plan and billing details.",
              status: "RESOURCE_EXHAUSTED",
              details: [
                { "@type": "x/google.rpc.QuotaFailure", violations: [] },
                { "@type": "x/google.rpc.RetryInfo", retryDelay: "32s" },
              ],
            },
          },
        ],
        32_000,
      ],
      [
        "in-words-minutes",
        openai("Rate limit reached for m-1: Limit 100000, Used 99000, Requested 5000. Please try again in 7m12s."),
        432_000,
      ],
      ["in-words-ms", openai("Rate limit reached. Please try again in 350ms."), 350],
      [
        "after-seconds",
        openai("Your account reached max request concurrency: 1, please try again after 2 seconds", {
          type: "rate_limit_reached_error",
        }),
        2_000,
      ],
      ["wait-seconds", openai("Too many requests. Please wait 12.5 seconds before the next request."), 12_500],
      ["hours-and-minutes", openai("Usage cap hit. Try again in 1 hour and 5 minutes."), 3_900_000],
      [
        "resets-in-seconds",
        {
          error: {
            type: "usage_limit_reached",
            message: "The usage limit has been reached",
            plan_type: "plus",
            resets_in_seconds: 7200,
          },
        },
        7_200_000,
      ],
      ["chinese-seconds", openai("请求过于频繁，请在30秒后重试"), 30_000],
      ["chinese-minutes", openai("请求过于频繁，请 2 分钟后再试"), 120_000],
      ["retry-after-in-body", { message: "slow down", retry_after: 4 }, 4_000],
    ] as [string, unknown, number][]
  ).map(([name, body, ms]) => refused(`rate-limit/${name}`, 429, body, { text: "", ...retriable("rate_limit", ms) })),
  refused(
    "rate-limit/header-with-fraction",
    429,
    openai("slow down"),
    { text: "", ...retriable("rate_limit", 1_500) },
    { "retry-after": "1.5" },
  ),
  refused(
    "rate-limit/header-with-unit",
    429,
    openai("slow down"),
    { text: "", ...retriable("rate_limit", 3_000) },
    { "retry-after": "3s" },
  ),
  refused(
    "rate-limit/busy-with-delay",
    503,
    openai("Server busy"),
    { text: "", ...retriable("overloaded", 2_000) },
    { "retry-after": "2" },
  ),
];

const identity = [
  ...rows("auth", { ...final("auth"), requests: { max: 1 } }, [
    [
      "key-not-valid-400",
      400,
      [
        {
          error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" },
        },
      ],
    ],
    ["bad-x-api-key", 401, { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } }],
    ["no-body", 401, ""],
    ["page", 401, "<html><title>401 Authorization Required</title></html>"],
    ["chinese", 401, openai("无效的令牌")],
    ["in-french", 401, openai("Clé invalide")],
  ]),
  ...rows("auth", { ...final("forbidden"), requests: { max: 1 } }, [
    [
      "region",
      403,
      openai("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
    ],
    ["firewall-page", 403, "<!DOCTYPE html><html><head><title>Attention Required! | Firewall</title></head></html>"],
    [
      "no-permission",
      403,
      openai("You have insufficient permissions for this operation. Missing scopes: model.request."),
    ],
  ]),
  ...rows("finish-mismatch", { ...final("content_filter"), requests: { max: 1 } }, [
    [
      "prompt-filtered",
      400,
      {
        error: {
          message:
            "The response was filtered due to the prompt triggering the content management policy. Please modify your prompt and retry.",
          type: null,
          param: "prompt",
          code: "content_filter",
          status: 400,
          innererror: { code: "ResponsibleAIPolicyViolation" },
        },
      },
    ],
    ["content-exists-risk", 400, openai("Content Exists Risk")],
    [
      "high-risk",
      400,
      openai("The request was rejected because it was considered high risk", { type: "content_filter" }),
    ],
    [
      "moderation-403",
      403,
      {
        error: {
          code: 403,
          message: 'm-1 requires moderation. Your input was flagged for "violence".',
          metadata: { reasons: ["violence"], flagged_input: "x" },
        },
      },
    ],
    ["inspection", 400, openai("Input data may contain inappropriate content.", { code: "data_inspection_failed" })],
    [
      "flagged-prompt",
      400,
      openai("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", {
        code: "invalid_prompt",
      }),
    ],
  ]),
];

const models = rows("model-not-found", { ...final("model_not_found"), requests: { max: 1 } }, [
  [
    "for-this-api-version",
    404,
    [
      {
        error: {
          code: 404,
          message:
            "models/m-1 is not found for API version v1main, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
          status: "NOT_FOUND",
        },
      },
    ],
  ],
  [
    "no-access",
    404,
    openai("The model `m-1` does not exist or you do not have access to it.", { code: "model_not_found" }),
  ],
  ["not-exist-400", 400, openai("Model Not Exist")],
  ["invalid-model", 400, { object: "error", message: "Invalid model: m-1", type: "invalid_model", code: "1500" }],
  ["try-pulling", 404, openai('model "m-1" not found, try pulling it first')],
  ["inaccessible", 404, openai("Model not found, inaccessible, and/or not deployed", { code: "NOT_FOUND" })],
  [
    "unable-to-access",
    404,
    openai("Unable to access model m-1. Please visit the list of supported models.", { code: "model_not_available" }),
  ],
  ["identifier", 400, { message: "The provided model identifier is invalid." }],
  [
    "no-deployment",
    404,
    { error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." } },
  ],
  [
    "publisher",
    404,
    [
      {
        error: {
          code: 404,
          message: "Publisher Model `projects/p/models/m-1` was not found or your project does not have access to it.",
          status: "NOT_FOUND",
        },
      },
    ],
  ],
  ["not-supported-model", 400, openai("The requested model is not supported.", { code: "model_not_supported" })],
  ["no-channel", 503, openai("当前分组 default 下对于模型 m-1 无可用渠道")],
]);

const abilities = rows("capability", { ...final("capability"), requests: { max: 1 } }, [
  ["no-tools", 400, openai("registry/m-1 does not support tools")],
  [
    "calls-not-enabled",
    400,
    [{ error: { code: 400, message: "Function calling is not enabled for models/m-1", status: "INVALID_ARGUMENT" } }],
  ],
  [
    "no-endpoint-for-tools",
    404,
    openai("No endpoints found that support tool use. To learn more about provider routing, visit the docs", {
      code: 404,
    }),
  ],
  ["with-this-model", 400, openai("`tool calling` is not supported with this model", { param: "tools" })],
  [
    "on-the-server-500",
    500,
    { error: { code: 500, message: "tools param requires --jinja flag", type: "server_error" } },
  ],
]);

const busy = [
  ...rows("server-transient", retriable("server"), [
    ["gateway", 502, "<html><title>502 Bad Gateway</title></html>"],
    ["timeout", 504, "<html><title>504 Gateway Time-out</title></html>"],
    ["origin", 520, "error code: 520"],
    ["request-timeout", 408, ""],
    ["memory", 500, openai("CUDA out of memory. Tried to allocate 2.00 GiB")],
    ["failed-dependency", 424, { error: "Request failed during generation: Server error", error_type: "generation" }],
  ]),
  ...rows("server-transient", retriable("overloaded"), [
    ["overloaded-529", 529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
    ["no-healthy-upstream", 503, "no healthy upstream"],
    ["loading", 503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }],
    [
      "model-too-busy",
      503,
      { error: "Model too busy, unable to get response in less than 60 second(s)", error_type: "overloaded" },
    ],
    ["overloaded-429", 429, { error: "Model is overloaded", error_type: "overloaded" }],
    [
      "engine",
      500,
      openai("The engine is currently overloaded, please try again later", { type: "engine_overloaded_error" }),
    ],
  ]),
  ...rows("unsendable-bytes", final("payload_too_large"), [
    ["entity", 413, "Request Entity Too Large"],
    ["body-limit", 400, openai("Request body is too large (max 4mb)")],
    ["page", 413, "<html><title>413 Payload Too Large</title></html>"],
    [
      "text-too-long",
      400,
      openai(
        "Invalid 'messages[3].content': string too long. Expected a string with maximum length 1048576, but got a string with length 2000000 instead.",
        { param: "messages[3].content", code: "string_above_max_length" },
      ),
    ],
  ]),
  ...rows("roles-order", final("history_invalid"), [
    ["alternate-500", 500, openai("Conversation roles must alternate user/assistant/user/assistant/...")],
    ["template", 400, { object: "error", message: "chat template error: undefined variable", code: 400 }],
  ]),
  ...rows("responses-fallback", final("endpoint_unsupported"), [
    ["no-route", 404, { message: "no Route matched with those values" }],
    ["resource", 404, { error: { code: "404", message: "Resource not found" } }],
    ["unrecognized-url", 404, openai("Unrecognized request URL (POST /v1/chat/completions)")],
    ["not-a-path", 404, { error: 'path "/v1/chat/completions" not found' }],
  ]),
];

export const refusalCases = [overflow, quota, limits, identity, models, abilities, busy].flat();

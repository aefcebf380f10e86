/** The table of models: first match wins, the more special rule stands first. Data only; `models.ts` reads it. */

/** A model's figures (engine.md 7). Tokens throughout. */
export interface ModelInfo {
  contextWindow: number;
  /** Where the endpoint limits the prompt apart from the window. */
  maxInput?: number;
  maxOutput: number;
  vision: boolean;
  audio: boolean;
  video: boolean;
  /** How its thinking is steered: not at all, by a level, by a switch. */
  reasoning: "none" | "effort" | "switch";
  /** Whether it may make several calls in one reply. */
  parallelTools: boolean;
  /** Which way of editing suits it best; the prompt recommends it. */
  editTool: "replace" | "patch";
  systemRole: "system" | "developer";
  /** US dollars for a million tokens; absent where it is not known. */
  price?: { input: number; output: number; cached?: number };
  /** True when nothing is known of the model and the window is a guess. */
  assumed: boolean;
}

/** A family of models. `match` is tried on the lower-cased id without its provider's prefix. */
export interface ModelRule extends Partial<Omit<ModelInfo, "assumed">> {
  match: RegExp;
  contextWindow: number;
  maxOutput: number;
}

const K = 1_024;
const M = 1_048_576;

/** US dollars for a million tokens: input, output, cached input. The vendor's own endpoint; gateways may differ. */
function price(input: number, output: number, cached?: number): ModelInfo["price"] {
  return { input, output, ...(cached !== undefined && { cached }) };
}

const sees = { vision: true } as const;
const hears = { vision: true, audio: true, video: true } as const;
const watches = { vision: true, video: true } as const;
const thinks = { reasoning: "effort" } as const;
const switches = { reasoning: "switch" } as const;
/** OpenAI's own: developer role, patches. */
const openai = { systemRole: "developer", editTool: "patch" } as const;
const gpt5 = { ...openai, ...sees, ...thinks, contextWindow: 400_000, maxInput: 272_000, maxOutput: 128_000 } as const;
const gpt54 = {
  ...openai,
  ...sees,
  ...thinks,
  contextWindow: 1_050_000,
  maxInput: 922_000,
  maxOutput: 128_000,
} as const;
const o = { ...openai, ...sees, ...thinks, contextWindow: 200_000, maxOutput: 100_000 } as const;
const claude1m = { ...sees, ...thinks, contextWindow: 1_000_000, maxOutput: 128_000 } as const;
const claude = { ...sees, ...thinks, contextWindow: 200_000, maxOutput: 64_000 } as const;
const gemini = { ...hears, ...thinks, contextWindow: M, maxOutput: 65_536 } as const;

export const MODEL_TABLE: readonly ModelRule[] = [
  // OpenAI
  {
    match: /^gpt-5\.[2-9]\d*-chat/,
    ...openai,
    ...sees,
    contextWindow: 128_000,
    maxOutput: 16_384,
    price: price(1.75, 14, 0.175),
  },
  {
    match: /^gpt-5\.1-chat/,
    ...openai,
    ...sees,
    contextWindow: 128_000,
    maxOutput: 16_384,
    price: price(1.25, 10, 0.125),
  },
  { match: /^gpt-5\.5-pro/, ...gpt54, price: price(30, 180) },
  { match: /^gpt-5\.5/, ...gpt54, price: price(5, 30, 0.5) },
  { match: /^gpt-5\.4-mini/, ...gpt5, price: price(0.75, 4.5, 0.075) },
  { match: /^gpt-5\.4-nano/, ...gpt5, price: price(0.2, 1.25, 0.02) },
  { match: /^gpt-5\.4-pro/, ...gpt54, price: price(30, 180) },
  { match: /^gpt-5\.4/, ...gpt54, price: price(2.5, 15, 0.25) },
  {
    match: /^gpt-5\.3-codex-spark/,
    ...openai,
    ...sees,
    ...thinks,
    contextWindow: 128_000,
    maxInput: 100_000,
    maxOutput: 32_000,
  },
  { match: /^gpt-5\.2-pro/, ...gpt5, price: price(21, 168) },
  { match: /^gpt-5\.[23]/, ...gpt5, price: price(1.75, 14, 0.175) },
  { match: /^gpt-5\.1-codex-mini/, ...gpt5, price: price(0.25, 2, 0.025) },
  { match: /^gpt-5-mini/, ...gpt5, price: price(0.25, 2, 0.025) },
  { match: /^gpt-5-nano/, ...gpt5, price: price(0.05, 0.4, 0.005) },
  { match: /^gpt-5-pro/, ...gpt5, price: price(15, 120) },
  { match: /^(gpt-5(\.1)?(-|$)|codex-)/, ...gpt5, price: price(1.25, 10, 0.125) },
  { match: /^gpt-[5-9]/, ...gpt5 },
  {
    match: /^gpt-4\.1-nano/,
    ...openai,
    ...sees,
    contextWindow: 1_047_576,
    maxOutput: 32_768,
    price: price(0.1, 0.4, 0.025),
  },
  {
    match: /^gpt-4\.1-mini/,
    ...openai,
    ...sees,
    contextWindow: 1_047_576,
    maxOutput: 32_768,
    price: price(0.4, 1.6, 0.1),
  },
  { match: /^gpt-4\.1/, ...openai, ...sees, contextWindow: 1_047_576, maxOutput: 32_768, price: price(2, 8, 0.5) },
  { match: /^gpt-4o-mini/, ...sees, contextWindow: 128_000, maxOutput: 16_384, price: price(0.15, 0.6, 0.075) },
  { match: /^(gpt-4o|chatgpt-4o)/, ...sees, contextWindow: 128_000, maxOutput: 16_384, price: price(2.5, 10, 1.25) },
  { match: /^gpt-4-(turbo|1106|0125)/, ...sees, contextWindow: 128_000, maxOutput: 4_096, price: price(10, 30) },
  { match: /^gpt-4(-0|$)/, contextWindow: 8_192, maxOutput: 4_096, price: price(30, 60) },
  { match: /^gpt-3\.5/, contextWindow: 16_385, maxOutput: 4_096, price: price(0.5, 1.5) },
  { match: /^gpt-oss/, ...thinks, contextWindow: 128 * K, maxOutput: 32_768 },
  { match: /^o1-mini/, ...thinks, contextWindow: 128_000, maxOutput: 65_536 },
  { match: /^o1-pro/, ...o, price: price(150, 600) },
  { match: /^o1/, ...o, price: price(15, 60, 7.5) },
  { match: /^o3-mini/, ...o, vision: false, price: price(1.1, 4.4, 0.55) },
  { match: /^o3-pro/, ...o, price: price(20, 80) },
  { match: /^o3/, ...o, price: price(2, 8, 0.5) },
  { match: /^o4-mini/, ...o, price: price(1.1, 4.4, 0.275) },
  { match: /^o\d/, ...o },

  // DeepSeek
  {
    match: /^deepseek-v4-pro/,
    ...switches,
    contextWindow: 1_000_000,
    maxOutput: 384_000,
    price: price(0.435, 0.87, 0.003625),
  },
  {
    match: /^deepseek-(v4|chat$|flash)/,
    ...switches,
    contextWindow: 1_000_000,
    maxOutput: 384_000,
    price: price(0.14, 0.28, 0.0028),
  },
  {
    match: /^deepseek-reasoner/,
    ...switches,
    contextWindow: 1_000_000,
    maxOutput: 384_000,
    price: price(0.14, 0.28, 0.0028),
  },
  { match: /^deepseek-(r1|v3)/, ...switches, contextWindow: 128 * K, maxOutput: 32_768 },
  { match: /^deepseek/, ...switches, contextWindow: 64 * K, maxOutput: 8_192 },

  // Alibaba
  { match: /^qwen-?3\.7-max/, ...switches, contextWindow: 1_000_000, maxOutput: 65_536, price: price(2.5, 7.5, 0.5) },
  { match: /^qwen-?3\.\d+-max/, ...switches, contextWindow: 256 * K, maxOutput: 65_536 },
  {
    match: /^qwen-?3\.[67]-plus/,
    ...watches,
    ...switches,
    contextWindow: 1_000_000,
    maxOutput: 65_536,
    price: price(0.5, 3, 0.05),
  },
  {
    match: /^qwen-?3\.\d+-(plus|flash)/,
    ...watches,
    ...switches,
    contextWindow: 1_000_000,
    maxOutput: 65_536,
    price: price(0.4, 2.4),
  },
  { match: /^qwen-?3\.\d/, ...hears, ...switches, contextWindow: 256 * K, maxOutput: 65_536 },
  { match: /^qwen-?3-coder-(plus|flash)/, contextWindow: M, maxOutput: 65_536, price: price(1, 5) },
  { match: /^qwen-?3-coder/, contextWindow: 256 * K, maxOutput: 65_536 },
  { match: /^qwen-?3-max/, contextWindow: 256 * K, maxOutput: 65_536, price: price(1.2, 6) },
  { match: /^qwen-?3-next/, ...switches, contextWindow: 128 * K, maxOutput: 32_768 },
  { match: /^qwen-?3-vl-plus/, ...sees, ...switches, contextWindow: 256 * K, maxOutput: 32_768 },
  { match: /^qwen-?3-(vl|omni)/, ...sees, ...switches, contextWindow: 128 * K, maxOutput: 32_768 },
  { match: /^qwen-?3/, ...switches, contextWindow: 128 * K, maxOutput: 16_384 },
  { match: /^qwen-(plus|flash)/, ...switches, contextWindow: 1_000_000, maxOutput: 32_768, price: price(0.4, 1.2) },
  { match: /^qwen-turbo/, ...switches, contextWindow: 1_000_000, maxOutput: 16_384, price: price(0.05, 0.2) },
  { match: /^qwen-(vl|omni)/, ...sees, contextWindow: 128 * K, maxOutput: 8_192 },
  { match: /^qwen-max/, contextWindow: 32 * K, maxOutput: 8_192, price: price(1.6, 6.4) },
  { match: /^(qwq|qvq)/, ...switches, contextWindow: 128 * K, maxOutput: 8_192 },
  { match: /^qwen/, contextWindow: 128 * K, maxOutput: 8_192 },

  // Moonshot
  {
    match: /^kimi-k2\.7-code/,
    ...watches,
    ...switches,
    contextWindow: 256 * K,
    maxOutput: 256 * K,
    price: price(0.95, 4, 0.19),
  },
  {
    match: /^kimi-k2\.6/,
    ...watches,
    ...switches,
    contextWindow: 256 * K,
    maxOutput: 256 * K,
    price: price(0.95, 4, 0.16),
  },
  {
    match: /^kimi-k2\.\d/,
    ...watches,
    ...switches,
    contextWindow: 256 * K,
    maxOutput: 256 * K,
    price: price(0.6, 3, 0.1),
  },
  { match: /^kimi-k2-thinking/, ...switches, contextWindow: 256 * K, maxOutput: 256 * K, price: price(0.6, 2.5, 0.15) },
  { match: /^kimi-k2-0711/, contextWindow: 128 * K, maxOutput: 16_384, price: price(0.6, 2.5, 0.15) },
  { match: /^kimi-(k2|latest|for-coding)/, contextWindow: 256 * K, maxOutput: 256 * K, price: price(0.6, 2.5, 0.15) },
  { match: /^kimi-k[3-9]/, ...watches, ...switches, contextWindow: 256 * K, maxOutput: 128 * K },
  { match: /^(kimi|moonshot-v1-128k)/, contextWindow: 128 * K, maxOutput: 16_384 },
  { match: /^moonshot-v1-32k/, contextWindow: 32 * K, maxOutput: 8_192 },
  { match: /^moonshot-v1-8k/, contextWindow: 8 * K, maxOutput: 4_096 },

  // Zhipu
  { match: /^glm-5\.2/, ...switches, contextWindow: 1_000_000, maxOutput: 128 * K, price: price(1.4, 4.4, 0.26) },
  { match: /^glm-5\.1/, ...switches, contextWindow: 200_000, maxOutput: 128 * K, price: price(1.4, 4.4, 0.26) },
  { match: /^glm-5v/, ...watches, ...switches, contextWindow: 200_000, maxOutput: 128 * K, price: price(1.2, 4, 0.24) },
  { match: /^glm-5/, ...switches, contextWindow: 200_000, maxOutput: 128 * K, price: price(1, 3.2, 0.2) },
  {
    match: /^glm-4\.[67]v/,
    ...watches,
    ...switches,
    contextWindow: 128_000,
    maxOutput: 32_768,
    price: price(0.3, 0.9),
  },
  { match: /^glm-4\.[67]/, ...switches, contextWindow: 200_000, maxOutput: 128 * K, price: price(0.6, 2.2, 0.11) },
  { match: /^glm-4\.5v/, ...watches, ...switches, contextWindow: 64_000, maxOutput: 16_384, price: price(0.6, 1.8) },
  { match: /^glm-4\.5-air/, ...switches, contextWindow: 128 * K, maxOutput: 96 * K, price: price(0.2, 1.1, 0.03) },
  { match: /^glm-4\.5/, ...switches, contextWindow: 128 * K, maxOutput: 96 * K, price: price(0.6, 2.2, 0.11) },
  { match: /^glm/, contextWindow: 128_000, maxOutput: 4_096 },

  // ByteDance, MiniMax, Baidu, Tencent, StepFun, Xiaomi, 01.AI
  { match: /^doubao-seed-2/, ...watches, ...switches, contextWindow: 256_000, maxOutput: 128_000 },
  { match: /^doubao-seed-1-8/, ...sees, ...switches, contextWindow: 224_000, maxOutput: 64_000 },
  { match: /^doubao-seed/, ...watches, ...switches, contextWindow: 256_000, maxOutput: 32_000 },
  { match: /^doubao-1[.-]5-vision/, ...sees, contextWindow: 128_000, maxOutput: 16_000 },
  { match: /^doubao.*-32k/, contextWindow: 32_000, maxOutput: 12_000 },
  { match: /^doubao/, contextWindow: 128_000, maxOutput: 12_000 },
  {
    match: /^minimax-m3/,
    ...watches,
    ...switches,
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    price: price(0.3, 1.2, 0.06),
  },
  { match: /^minimax-m2/, ...switches, contextWindow: 196_608, maxOutput: 128_000, price: price(0.3, 1.2, 0.03) },
  { match: /^minimax/, contextWindow: 1_000_000, maxOutput: 40_000 },
  { match: /^ernie-4\.5.*vl/, ...sees, ...switches, contextWindow: 123_000, maxOutput: 16_000 },
  { match: /^ernie-(x1|[5-9])/, ...switches, contextWindow: 123_000, maxOutput: 16_000 },
  { match: /^ernie/, contextWindow: 120_000, maxOutput: 8_000 },
  { match: /^(hy3|hunyuan-[3-9])/, ...switches, contextWindow: 256 * K, maxOutput: 64 * K },
  { match: /^hunyuan/, ...switches, contextWindow: 128 * K, maxOutput: 16_384 },
  { match: /^step-3/, ...switches, contextWindow: 256_000, maxOutput: 64_000 },
  { match: /^step-1-32k/, contextWindow: 32 * K, maxOutput: 8_192 },
  { match: /^step-(1|2)/, contextWindow: 16 * K, maxOutput: 4_096 },
  {
    match: /^mimo-v2(\.\d)?-pro/,
    ...switches,
    contextWindow: M,
    maxOutput: 128 * K,
    price: price(0.435, 0.87, 0.0036),
  },
  {
    match: /^mimo-v2\.\d/,
    ...hears,
    ...switches,
    contextWindow: M,
    maxOutput: 128 * K,
    price: price(0.14, 0.28, 0.0028),
  },
  { match: /^mimo/, ...switches, contextWindow: 256 * K, maxOutput: 64 * K },
  { match: /^yi-/, contextWindow: 16 * K, maxOutput: 4_096 },

  // Mistral
  { match: /^devstral-(small|medium)-25/, contextWindow: 128_000, maxOutput: 32_768, price: price(0.1, 0.3) },
  { match: /^devstral/, contextWindow: 256 * K, maxOutput: 64 * K, price: price(0.4, 2) },
  { match: /^codestral/, contextWindow: 256_000, maxOutput: 32_768, price: price(0.3, 0.9) },
  {
    match: /^mistral-medium-(2604|[3-9])/,
    ...sees,
    ...thinks,
    contextWindow: 256 * K,
    maxOutput: 64 * K,
    price: price(1.5, 7.5),
  },
  { match: /^mistral-medium/, ...sees, contextWindow: 128 * K, maxOutput: 64 * K, price: price(0.4, 2) },
  { match: /^mistral-large-2411/, contextWindow: 128 * K, maxOutput: 16_384, price: price(2, 6) },
  { match: /^mistral-large/, ...sees, contextWindow: 256 * K, maxOutput: 64 * K, price: price(0.5, 1.5) },
  { match: /^mistral-small-25/, ...sees, contextWindow: 128_000, maxOutput: 16_384, price: price(0.1, 0.3) },
  { match: /^mistral-small/, ...sees, ...thinks, contextWindow: 256_000, maxOutput: 64_000, price: price(0.15, 0.6) },
  { match: /^magistral/, ...thinks, contextWindow: 128_000, maxOutput: 16_384 },
  { match: /^(pixtral)/, ...sees, contextWindow: 128_000, maxOutput: 16_384 },
  { match: /^(open-)?mixtral/, contextWindow: 32_000, maxOutput: 8_000 },
  { match: /^(open-mistral-7b|mistral-7b)/, contextWindow: 32_000, maxOutput: 8_000 },
  { match: /^(ministral|mistral|open-mistral)/, contextWindow: 128_000, maxOutput: 16_384 },

  // Google
  { match: /^gemini-3\.5-flash/, ...gemini, price: price(1.5, 9, 0.15) },
  { match: /^gemini-3\.1-flash-lite/, ...gemini, price: price(0.25, 1.5, 0.025) },
  { match: /^gemini-3(\.\d)?-pro/, ...gemini, price: price(2, 12, 0.2) },
  { match: /^gemini-3-flash/, ...gemini, price: price(0.5, 3, 0.05) },
  { match: /^gemini-(2\.5-flash-lite|flash-lite)/, ...gemini, price: price(0.1, 0.4, 0.01) },
  { match: /^gemini-(2\.5-flash|flash)/, ...gemini, price: price(0.3, 2.5, 0.03) },
  { match: /^gemini-2\.5-pro/, ...gemini, price: price(1.25, 10, 0.125) },
  { match: /^gemini-2\.0/, ...hears, contextWindow: M, maxOutput: 8_192, price: price(0.1, 0.4, 0.025) },
  { match: /^gemini-1\.5/, ...hears, contextWindow: M, maxOutput: 8_192 },
  { match: /^gemini/, ...gemini },
  { match: /^gemma-?4/, ...sees, ...thinks, contextWindow: 256 * K, maxOutput: 32_768 },
  { match: /^gemma-?3n/, contextWindow: 32 * K, maxOutput: 8_192 },
  { match: /^gemma-?3/, ...sees, contextWindow: 128 * K, maxOutput: 8_192 },
  { match: /^gemma/, contextWindow: 8 * K, maxOutput: 4_096 },

  // Anthropic, through gateways
  { match: /^claude-(opus-4[.-][6-9]|opus-[5-9])/, ...claude1m, price: price(5, 25, 0.5) },
  { match: /^claude-opus-4[.-]5/, ...claude, price: price(5, 25, 0.5) },
  { match: /^claude-sonnet-4[.-]6/, ...claude1m, maxOutput: 64_000, price: price(3, 15, 0.3) },
  { match: /^claude-sonnet-[5-9]/, ...claude1m, price: price(2, 10, 0.2) },
  { match: /^claude-fable/, ...claude1m, price: price(10, 50, 1) },
  { match: /^claude-(sonnet-4|4(\.\d)?-sonnet)/, ...claude, price: price(3, 15, 0.3) },
  { match: /^claude-(haiku-4|4(\.\d)?-haiku)/, ...claude, price: price(1, 5, 0.1) },
  { match: /^claude-(opus-4|4(\.\d)?-opus)/, ...claude, maxOutput: 32_000, price: price(15, 75, 1.5) },
  { match: /^claude-3[.-]7/, ...claude, price: price(3, 15, 0.3) },
  { match: /^claude-3[.-]5-haiku/, ...sees, contextWindow: 200_000, maxOutput: 8_192, price: price(0.8, 4, 0.08) },
  { match: /^claude-3[.-]5/, ...sees, contextWindow: 200_000, maxOutput: 8_192, price: price(3, 15, 0.3) },
  { match: /^claude-3/, ...sees, contextWindow: 200_000, maxOutput: 4_096 },
  { match: /^claude/, ...claude },

  // xAI
  {
    match: /^grok-4\.\d/,
    ...sees,
    ...thinks,
    contextWindow: 1_000_000,
    maxOutput: 30_000,
    price: price(1.25, 2.5, 0.2),
  },
  {
    match: /^grok-(code|build)/,
    ...sees,
    ...thinks,
    contextWindow: 256_000,
    maxOutput: 64_000,
    price: price(1, 2, 0.2),
  },
  {
    match: /^grok-4-fast/,
    ...sees,
    ...thinks,
    contextWindow: 2_000_000,
    maxOutput: 30_000,
    price: price(0.2, 0.5, 0.05),
  },
  { match: /^grok-4/, ...sees, ...thinks, contextWindow: 256_000, maxOutput: 64_000, price: price(3, 15, 0.75) },
  { match: /^grok/, contextWindow: 131_072, maxOutput: 16_384 },

  // Open weights
  { match: /^llama-?4-scout/, ...sees, contextWindow: 327_680, maxOutput: 16_384 },
  { match: /^llama-?4/, ...sees, contextWindow: 128_000, maxOutput: 16_384 },
  { match: /^llama-?3\.2.*vision/, ...sees, contextWindow: 128 * K, maxOutput: 16_384 },
  { match: /^(meta-)?llama-?3\.\d/, contextWindow: 128 * K, maxOutput: 16_384 },
  { match: /^(meta-)?llama/, contextWindow: 8 * K, maxOutput: 4_096 },
  { match: /^nemotron/, ...switches, contextWindow: 128 * K, maxOutput: 16_384 },
  { match: /^phi-?4/, contextWindow: 16 * K, maxOutput: 4_096 },
  { match: /^command-a/, contextWindow: 256_000, maxOutput: 8_192 },
  { match: /^command/, contextWindow: 128_000, maxOutput: 4_096 },
  { match: /^(amazon[.-])?nova-(2|premier)/, ...sees, contextWindow: 1_000_000, maxOutput: 32_000 },
  { match: /^(amazon[.-])?nova-micro/, contextWindow: 128_000, maxOutput: 5_120 },
  { match: /^(amazon[.-])?nova/, ...sees, contextWindow: 300_000, maxOutput: 5_120 },
];

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ASSUMED_CONTEXT_WINDOW, type ModelInfo, resolveModel } from "../../src/shared/models";

describe("resolveModel", () => {
  const rows: [string, Partial<ModelInfo>][] = [
    [
      "gpt-4o-mini",
      {
        contextWindow: 128_000,
        maxOutput: 16_384,
        vision: true,
        reasoning: "none",
        price: { input: 0.15, output: 0.6, cached: 0.075 },
      },
    ],
    ["gpt-4.1", { contextWindow: 1_047_576, editTool: "patch" }],
    ["gpt-5", { contextWindow: 400_000, maxInput: 272_000, reasoning: "effort" }],
    ["gpt-5.1-codex-max", { maxInput: 272_000, price: { input: 1.25, output: 10, cached: 0.125 } }],
    ["gpt-5.2-2025-12-11", { price: { input: 1.75, output: 14, cached: 0.175 } }],
    ["gpt-5-mini-2025-08-07", { price: { input: 0.25, output: 2, cached: 0.025 } }],
    ["openai/gpt-5.5", { contextWindow: 1_050_000 }],
    ["o3-mini", { vision: false, contextWindow: 200_000 }],
    ["DeepSeek-Chat", { reasoning: "switch", vision: false }],
    ["deepseek/deepseek-r1:free", { contextWindow: 131_072 }],
    ["qwen3-coder-plus", { contextWindow: 1_048_576 }],
    ["Qwen/Qwen3-Coder-480B-A35B-Instruct", { contextWindow: 262_144 }],
    ["qwen2.5-coder:7b", { contextWindow: 131_072 }],
    ["kimi-k2-0711-preview", { contextWindow: 131_072 }],
    ["moonshotai/kimi-k2.5", { vision: true, contextWindow: 262_144 }],
    ["glm-4.6", { contextWindow: 200_000 }],
    ["glm-4.5v", { vision: true, contextWindow: 64_000 }],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", { contextWindow: 200_000, vision: true }],
    ["anthropic/claude-opus-4.5", { contextWindow: 200_000 }],
    ["gemini-2.5-flash", { audio: true, video: true, contextWindow: 1_048_576 }],
    ["doubao-seed-1-6-250615", { contextWindow: 256_000 }],
    ["MiniMax-M2", { contextWindow: 196_608 }],
    ["grok-code-fast-1", { contextWindow: 256_000 }],
    ["meta-llama/llama-3.3-70b-instruct", { contextWindow: 131_072 }],
    ["mistral-large-latest", { vision: true }],
  ];
  it.each(rows)("knows %s", (id, facts) => {
    expect(resolveModel(id)).toMatchObject({ ...facts, assumed: false });
  });

  it("marks what it guesses, and gives no price for it", () => {
    expect(resolveModel("house-model-7")).toMatchObject({ contextWindow: ASSUMED_CONTEXT_WINDOW, assumed: true });
    expect(resolveModel("house-model-7").price).toBeUndefined();
    expect(resolveModel("")).toMatchObject({ assumed: true });
  });

  it.each([
    ["context_length", { context_length: 65_536 }, 65_536],
    ["max_model_len", { max_model_len: 8_192 }, 8_192],
    ["loaded_context_length before the model's own", { loaded_context_length: 4_096, context_length: 32_768 }, 4_096],
    ["meta.n_ctx_train", { meta: { n_ctx_train: 40_960 } }, 40_960],
    ["nonsense", { context_length: "many" }, ASSUMED_CONTEXT_WINDOW],
  ])("takes %s from the endpoint's list", (_, listed, wanted) => {
    expect(resolveModel("house-model", { listed }).contextWindow).toBe(wanted);
  });

  it("goes by the host, then the user's table, then the endpoint, then its own", () => {
    const folder = mkdtempSync(join(tmpdir(), "zqagent-models-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "models.json");
    writeFileSync(
      path,
      JSON.stringify({
        "gpt-4o*": { contextWindow: 50_000, vision: "yes", price: { input: 1, output: 2 } },
        "my.model": { contextWindow: 9_000 },
      }),
    );
    const env = { ZQAGENT_MODELS: path };
    const listed = { context_length: 60_000 };
    expect(resolveModel("gpt-4o-mini", { env, listed, explicit: { contextWindow: 40_000 } }).contextWindow).toBe(
      40_000,
    );
    expect(resolveModel("gpt-4o-mini", { env, listed })).toMatchObject({
      contextWindow: 50_000,
      vision: true,
      price: { input: 1, output: 2 },
    });
    expect(resolveModel("gpt-4o-mini", { listed }).contextWindow).toBe(60_000);
    expect(resolveModel("my.model", { env })).toMatchObject({ contextWindow: 9_000, assumed: false });
    expect(resolveModel("myxmodel", { env }).assumed).toBe(true);
  });

  it.each([
    ["not json", "{"],
    ["a list", "[1]"],
    ["odd entries", '{"x": 5, "y": {"contextWindow": -1}}'],
  ])("passes over a table that is %s", (_, text) => {
    const folder = mkdtempSync(join(tmpdir(), "zqagent-models-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "m.json"), text);
    expect(resolveModel("y", { env: { ZQAGENT_MODELS: join(folder, "m.json") } }).contextWindow).toBe(
      ASSUMED_CONTEXT_WINDOW,
    );
    expect(resolveModel("y", { env: { ZQAGENT_MODELS: join(folder, "missing.json") } }).assumed).toBe(true);
  });
});

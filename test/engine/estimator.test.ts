import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateMessage, estimateText, estimateTools } from "../../src/engine/estimator";
import { texts } from "./cases/texts";

describe("the estimate of a text's tokens", () => {
  it.each(Object.keys(texts))("is near the truth for %s", (kind) => {
    const text = texts[kind] ?? "";
    const ratio = estimateText(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.35);
  });

  it("adds what messages, calls and pictures cost", () => {
    expect(estimateMessage({ role: "user", content: "" })).toBe(4);
    const call = { id: "a", type: "function" as const, function: { name: "f", arguments: "{}" } };
    expect(estimateMessage({ role: "assistant", content: null, tool_calls: [call] })).toBeGreaterThan(14);
    expect(
      estimateMessage({
        role: "user",
        content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(1e6)}` } }],
      }),
    ).toBe(1204);
    expect(estimateTools([])).toBe(0);
  });
});

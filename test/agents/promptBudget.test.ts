/** What every request costs before the conversation begins: the system prompt and the schemas of all tools. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { AgentType } from "../../src/agents/instructions";
import { createDefaultEngine } from "../../src/createDefaultEngine";
import { type Lang, PROMPT_LANGS } from "../../src/shared/lang";
import { drain } from "../support/drain";
import { ScriptedProvider } from "../support/scriptedProvider";

const MAX_BYTES = 24 * 1024;
/** English and the languages that o200k packs as tightly; the others may cost a fifth more. */
const MAX_TOKENS: Record<Lang, number> = { en: 5_000, es: 5_000, zh: 6_000, "zh-TW": 6_000, ja: 6_000, ko: 6_000 };
const MAX_CODE_PROMPT_TOKENS = 2_000;

/** The first request of a session in an empty folder, as the provider is handed it. */
async function firstRequest(lang: Lang, agentType: AgentType) {
  const workspace = mkdtempSync(join(tmpdir(), "zqagent-budget-"));
  const provider = new ScriptedProvider([{ text: "ok" }]);
  const engine = createDefaultEngine({ workspace, model: "gpt-4.1", provider, lang, agentType });
  await drain(engine.run("hello"));
  const request = provider.requests[0];
  return { system: String(request?.messages[0]?.content), tools: JSON.stringify(request?.schemas), request };
}

const rows = PROMPT_LANGS.flatMap((lang) => (["code", "cowork"] as const).map((agent) => ({ lang, agent })));

describe("system prompt and tool schemas together", () => {
  test.each(rows)("$agent in $lang stay within their bytes and tokens", async ({ lang, agent }) => {
    const { system, tools, request } = await firstRequest(lang, agent);
    expect(request?.tools).toHaveLength(21);
    expect(Buffer.byteLength(system) + Buffer.byteLength(tools)).toBeLessThanOrEqual(MAX_BYTES);
    const tokens = encode(system).length + encode(tools).length;
    expect(tokens).toBeLessThanOrEqual(MAX_TOKENS[lang]);
    expect(tokens, "a prompt this small has lost its text").toBeGreaterThan(3_000);
  });

  test("the English code prompt alone leaves most of the budget to the tools", async () => {
    const { system } = await firstRequest("en", "code");
    expect(encode(system).length).toBeLessThanOrEqual(MAX_CODE_PROMPT_TOKENS);
  });

  test("the same session asked twice costs the same bytes", async () => {
    const [first, second] = [await firstRequest("en", "code"), await firstRequest("en", "code")];
    expect(second.system).toBe(first.system);
    expect(second.tools).toBe(first.tools);
  });
});

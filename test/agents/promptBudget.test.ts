/** What every request costs before the conversation begins: the system prompt and the schemas of all tools. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { createDefaultEngine } from "../../src/createDefaultEngine";
import { type Lang, PROMPT_LANGS } from "../../src/shared/lang";
import { ScriptedProvider } from "../support/scriptedProvider";

test("x", async () => {
  for (const lang of PROMPT_LANGS) for (const agentType of ["code", "cowork"] as const) {
    const workspace = mkdtempSync(join(tmpdir(), "zqagent-budget-"));
    const provider = new ScriptedProvider([{ text: "ok" }]);
    const engine = createDefaultEngine({ workspace, model: "gpt-4.1", provider, lang, agentType });
    for await (const _ of engine.run("hi"));
    const r = provider.requests[0]!;
    const system = String(r.messages[0]!.content);
    const tools = JSON.stringify(r.schemas);
    console.log(lang, agentType, encode(system).length, Buffer.byteLength(system), r.schemas.length, encode(tools).length, Buffer.byteLength(tools));
    await engine.dispose?.();
  }
});

/** The child of an exploration may wait for limits for as long as its parent. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { registerExploreTool } from "../../src/agents/explore";
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { startModelServer } from "../support/modelServer";

const limited = {
  status: 429,
  headers: { "retry-after-ms": "5" },
  body: { error: { message: "Rate limit reached", code: "rate_limit_exceeded" } },
};

async function explore(waitLimitMs?: number) {
  vi.stubEnv("OPENAI_MAX_RETRIES", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const workspace = mkdtempSync(join(tmpdir(), "zqagent-explore-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const { url, server } = await startModelServer([limited, { text: "It is in a.txt." }]);
  const registry = new ToolRegistry();
  registerExploreTool(registry, {
    workspace,
    provider: new OpenAIProvider({ apiKey: "test-key", baseURL: url }),
    model: "m-1",
    ...(waitLimitMs === undefined ? {} : { waitLimitMs }),
  });
  const { content, status } = await registry.call("explore", { task: "Where is it?" });
  return { content, status, requests: server.requests.length };
}

test("a limit within the allowance is waited for", async () => {
  expect(await explore(60_000)).toEqual({
    content: expect.stringContaining("It is in a.txt."),
    status: "ok",
    requests: 2,
  });
});

test("without one the failure is reported", async () => {
  expect(await explore()).toEqual({
    content: expect.stringContaining("The exploration failed"),
    status: "error",
    requests: 1,
  });
});

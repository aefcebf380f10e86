/** A probe names what an endpoint can do and the ways that it shows, over the recorded cases and a healthy server. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ProbeReport, probeEndpoint } from "../../src/providers/probe/probe";
import { startModelServer } from "../support/modelServer";
import type { DialectCase } from "./dialectCase";
import { startReplay } from "./replayServer";

const dir = join(import.meta.dirname, "cases");
const cases = readdirSync(dir).map((file) => JSON.parse(readFileSync(join(dir, file), "utf8")) as DialectCase);

/** What a case shows is named by the nearer word where two fit: no money, no images, a limit. */
const OTHER_WORDS: Record<string, string> = {
  "auth-403-balance-words": "quota",
  "content-image-refused-deepseek": "capability",
  "content-image-refused-generic": "capability",
  "fallback-once-tool-type": "param-refused",
  "nofallback-401": "auth",
  "nofallback-429": "rate-limit",
  "nofallback-model-not-found": "model-not-found",
};

/** Servers that show their way only to a request which is never sent: the rule keeps zqagent from it. */
const NEVER_SHOWN = new Set([
  ...["overflow-by-output-budget", "overflow-silent-length", "bytes-413-nginx", "bytes-nul", "id-charset"],
  ...["content-args-object-refused", "content-assistant-empty", "content-null-refused", "schema-no-root-type"],
  ...["param-max-completion-tokens", "param-strict-field", "param-tool-choice-alone"],
  ...["param-tools-empty", "param-tools-empty-vllm", "fallback-once-item-type", "bytes-lone-surrogate-deepseek"],
  ...["state-reasoning-alone"],
  ...["resp-call-unanswered", "resp-output-orphan", "role-alternate-jinja-500", "role-call-unanswered"],
  ...["role-developer-deepseek", "role-developer-glm", "role-system-first", "tool-id-absent", "tool-id-restarts"],
]);

const shown = cases.filter(({ id }) => !NEVER_SHOWN.has(id));
const env = { OPENAI_API_KEY: "sk-test-0123456789", OPENAI_STREAM_IDLE_MS: "700", OPENAI_TIMEOUT_MS: "1500" };

const kindsOf = (report: ProbeReport) => report.traits.map(({ kind }) => kind);
const answersOf = (report: ProbeReport) =>
  Object.fromEntries(report.findings.map(({ name, answer }) => [name, answer] as const));

describe("pointed at a case, a probe names its trait", () => {
  test.each(shown.map((dialect) => [dialect.id, dialect] as const))("%s", async (id, dialect) => {
    const { url } = await startReplay(dialect);
    const report = await probeEndpoint({ baseURL: url, model: dialect.setup?.modelHint ?? "m-1", env });
    expect(kindsOf(report)).toContain(OTHER_WORDS[id] ?? dialect.kind);
    expect(JSON.stringify(report)).not.toContain(env.OPENAI_API_KEY);
  });
});

describe("what an endpoint can do", () => {
  const calls = [
    { name: "read_file", args: { path: "a.txt" } },
    { name: "read_file", args: { path: "b.txt" } },
  ];

  test("a healthy one can do all of it", async () => {
    const { url, server } = await startModelServer(
      (request) => {
        const asked = JSON.stringify(request.messages);
        if (asked.includes("image_url")) return { text: "Red." };
        if (request.tools.length === 0) return { text: "ok", reasoning: "They want ok." };
        return request.messages.some(({ role }) => role === "tool") ? { text: "Both are empty." } : { calls };
      },
      { models: [{ id: "m-1", context_length: 32_768 }], strict: true },
    );
    const told: string[] = [];
    const report = await probeEndpoint({ baseURL: url, model: "m-1", env }, ({ name }) => told.push(name));
    expect(answersOf(report)).toEqual({
      ...{ models: "yes", responses: "yes", chat: "yes", streaming: "yes", tools: "yes", parallel: "yes" },
      ...{ images: "yes", reasoning: "yes", usage: "yes" },
    });
    expect(told.sort()).toEqual(report.findings.map(({ name }) => name).sort());
    expect(report.settings).toEqual({ contextWindow: 32_768 });
    expect(report.requests).toBe(5);
    expect(server.requests).toHaveLength(5);
    expect(report.usage.input).toBeGreaterThan(0);
    expect(report.findings.find(({ name }) => name === "tools")?.evidence).toContain('read_file({"path":"a.txt"})');
  });

  test("one with Chat alone is told so, and what was learnt comes along", async () => {
    const { url } = await startModelServer(() => ({ text: "ok", usage: null }), { chatOnly: true });
    const report = await probeEndpoint({ baseURL: url, model: "m-1", env });
    expect(answersOf(report)).toMatchObject({
      ...{ responses: "no", chat: "yes", tools: "no", images: "unclear", reasoning: "no", usage: "no" },
    });
    expect(report.settings).toEqual({ apiMode: "chat" });
    expect(kindsOf(report)).toContain("responses-fallback");
  });

  test("a wrong key makes nothing sure, and asks no more than it must", async () => {
    const { url, server } = await startModelServer(() => ({
      status: 401,
      body: { error: { message: "Incorrect API key provided: sk-test-0123456789" } },
    }));
    const report = await probeEndpoint({ baseURL: url, model: "m-1", env });
    expect(new Set(Object.values(answersOf(report)))).toEqual(new Set(["unclear", "yes"]));
    expect(server.requests).toHaveLength(2);
    expect(report.settings).toEqual({});
    expect(JSON.stringify(report)).not.toContain(env.OPENAI_API_KEY);
  });

  test("nobody there is no answer either", async () => {
    const report = await probeEndpoint({ baseURL: "http://127.0.0.1:9/v1", model: "m-1", env });
    expect(new Set(Object.values(answersOf(report)))).toEqual(new Set(["unclear"]));
    expect(kindsOf(report)).toEqual(["transport"]);
  });

  test("an abort ends it", async () => {
    const { url, server } = await startModelServer(() => ({ fault: "hang-before-headers" }));
    const stop = new AbortController();
    const probing = probeEndpoint({ baseURL: url, model: "m-1", env, signal: stop.signal });
    await server.waitForRequest();
    stop.abort();
    await expect(probing).rejects.toThrow(/abort/i);
  });
});

/** The cases with a good ending once more, through the engine: what is said, which calls run, what the server sees. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TurnEngine } from "../../src/engine/TurnEngine";
import { Mode, PermissionEngine } from "../../src/permissions/PermissionEngine";
import { OpenAIProvider } from "../../src/providers/OpenAIProvider";
import type { ToolSchema } from "../../src/shared/contracts";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { DEFAULT_TOOLS, optionsOf, PNG, resultOf } from "./caseRun";
import { type DialectCase, holds, type Json } from "./dialectCase";
import { moreCases } from "./moreCases/index";
import { startReplay } from "./replayServer";

const dir = join(import.meta.dirname, "cases");
const recorded = readdirSync(dir).map((file) => JSON.parse(readFileSync(join(dir, file), "utf8")) as DialectCase);
const cases = [...recorded, ...moreCases];
/** What the provider alone decodes; the engine makes an error of it, or asks again. */
const isGood = ({ expect: wanted }: DialectCase) => !wanted.error && wanted.finish !== "length";

interface Outcome {
  text: string;
  ran: string[];
  status: string;
}

describe("through the engine", () => {
  test.each(cases.filter(isGood).map((dialect) => [dialect.id, dialect] as const))("%s", async (_id, dialect) => {
    vi.stubEnv("NETWORK_RETRY_BASE_MS", "5");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url, log } = await startReplay(dialect);
    const { text, ran, status } = await runThroughEngine(dialect, url);
    const wanted = dialect.expect;
    const calls = [...(wanted.rounds ?? []).flatMap((round) => round.toolCalls), ...(wanted.toolCalls ?? [])];
    expect(ran).toEqual(calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`));
    expect(text).toBe(wanted.text);
    expect(status).toBe(calls.length > 0 && wanted.toolCalls?.length ? "max_iterations_exceeded" : "completed");
    const { requests } = wanted;
    if (requests?.max !== undefined) expect(log.length).toBeLessThanOrEqual(requests.max);
    if (requests?.never) expect(log.filter((request) => holds(requests.never, request))).toEqual([]);
    if (requests?.lastNot) expect(holds(requests.lastNot, log.at(-1)!)).toBe(false);
    if (requests?.paths) expect(log.map((request) => request.path.replace("/v1/", ""))).toEqual(requests.paths);
    if (requests?.noChat) expect(log.filter((request) => request.path.endsWith("chat/completions"))).toEqual([]);
  });
});

async function runThroughEngine(dialect: DialectCase, url: string): Promise<Outcome> {
  const setup: Json = dialect.setup ?? {};
  const workspace = mkdtempSync(join(tmpdir(), "zqagent-dialect-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const outcome: Outcome = { text: "", ran: [], status: "" };
  const engine = new TurnEngine({
    provider: new OpenAIProvider(optionsOf(dialect, url)),
    registry: registryOf(setup, outcome.ran),
    permissions: new PermissionEngine({ workspaceRoot: workspace, mode: Mode.AUTO }),
    model: setup.modelHint ?? "m-1",
    instructions: "You are a test.",
    messages: structuredClone(setup.history ?? []),
    maxIterations: (dialect.expect.rounds?.length ?? 0) + 1,
    toolResultDir: join(workspace, "results"),
    ...(setup.contextWindow ? { contextWindow: setup.contextWindow } : {}),
  });
  const pictures = Array.from({ length: setup.attachments ?? 0 }, () => ({
    name: "a.png",
    mimeType: "image/png",
    dataUrl: PNG,
  }));
  for (let turn = 0; turn < (setup.turns ?? 1); turn += 1) {
    for await (const { type, data } of engine.run("go", undefined, pictures)) {
      if (type === "assistant_message") outcome.text = String(data.text);
      if (type === "turn_end") outcome.status = String(data.status);
    }
  }
  return outcome;
}

function registryOf(setup: Json, ran: string[]): ToolRegistry {
  const registry = new ToolRegistry();
  for (const schema of (setup.tools ?? DEFAULT_TOOLS) as ToolSchema[]) {
    const { name } = schema.function;
    const run = (args: Json) => {
      ran.push(`${name} ${JSON.stringify(args)}`);
      return resultOf(setup, name);
    };
    registry.register(run, { category: "file", riskLevel: "low", capabilities: [], requiresApproval: false }, schema);
  }
  return registry;
}

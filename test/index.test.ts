/** The waist as a host meets it: what an engine has by default (guide 6), and what takes precedence over what. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as zqagent from "../src/index";
import {
  ApprovalOutcome,
  buildEnvBlock,
  buildInstructions,
  type CreateEngineOpts,
  createDefaultEngine,
  getPrompts,
  Mode,
  PROMPT_LANGS,
  promptSets,
  RiskClass,
  resolveVcsPlan,
  riskClassOf,
  SessionVcs,
} from "../src/index";
import { tools } from "./seed/seedNames";
import { drain, only } from "./support/drain";
import { ScriptedProvider } from "./support/scriptedProvider";

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "zqagent-index-"));
});
afterEach(() => {
  for (const name of ["OPENAI_MODEL", "OPENAI_REASONING_EFFORT", "TOOL_RESULT_DIR"]) delete process.env[name];
  rmSync(workspace, { recursive: true, force: true });
});

function engineWith(script: ConstructorParameters<typeof ScriptedProvider>[0], opts: Partial<CreateEngineOpts> = {}) {
  const provider = new ScriptedProvider(script);
  return { provider, engine: createDefaultEngine({ workspace, provider, model: "scripted", ...opts }) };
}

describe("createDefaultEngine", () => {
  test("registers the guide's 21 tools, with the risk that the guide gives them (7.1)", () => {
    const { engine } = engineWith([]);
    const specs = engine.registry.list();
    expect(specs.map(({ name }) => name).sort()).toEqual(Object.values(tools).flat().sort());
    const riskOf = (name: string) => riskClassOf(engine.registry.get(name)?.metadata ?? null);
    for (const name of [...(tools["read-only"] ?? []), ...(tools["interactive"] ?? [])]) {
      expect(riskOf(name), name).toBe(RiskClass.READ);
    }
    for (const name of tools["write"] ?? []) expect(riskOf(name), name).toBe(RiskClass.WRITE);
    for (const name of tools["external"] ?? []) expect(riskOf(name), name).toBe(RiskClass.EXTERNAL);
    expect(riskOf("run_shell")).toBe(RiskClass.EXECUTE);
  });

  test("sends them in the same order each time", () => {
    const orders = [engineWith([]), engineWith([])].map(({ engine }) => JSON.stringify(engine.registry.schemas()));
    expect(orders[0]).toBe(orders[1]);
  });

  test("has the guide's defaults (6.1, 14.1)", () => {
    const { engine } = engineWith([]);
    expect(engine.permissions.mode).toBe(Mode.INTERACTIVE);
    expect(engine.permissions.shellPolicy).toBe("approve");
    expect(engine.lang).toBe("zh");
    expect(engine.approver).toBeNull();
    const { contextWindow, thresholdTokens, softThresholdTokens } = engine.compactionState;
    expect({ contextWindow, thresholdTokens, softThresholdTokens }).toEqual({
      ...{ contextWindow: 128_000, thresholdTokens: 0.8 * 128_000, softThresholdTokens: 0.6 * 128_000 },
    });
    expect(engine.messages).toHaveLength(1);
    expect(engine.messages[0]).toMatchObject({
      role: "system",
      content: buildInstructions("code", workspace, "2026-12-01", "zh"),
    });
  });

  test.each<[Partial<CreateEngineOpts>, number, number]>([
    [{ contextWindow: 200_000, thresholdPct: 0.85, softThresholdPct: 0.7, capTokens: 120_000 }, 120_000, 120_000],
    [{ contextWindow: 200_000, thresholdPct: 0.5 }, 100_000, 75_000],
    [{ contextWindow: 200_000, capTokens: null }, 160_000, 120_000],
  ])("takes the thresholds as given: %j (14.3)", (opts, hard, soft) => {
    const { thresholdTokens, softThresholdTokens } = engineWith([], opts).engine.compactionState;
    expect(thresholdTokens).toBe(hard);
    expect(softThresholdTokens).toBeLessThanOrEqual(soft);
  });

  test("model: the option, else OPENAI_MODEL, else run() says so (6.1)", async () => {
    process.env.OPENAI_MODEL = "from-the-environment";
    expect(createDefaultEngine({ workspace }).model).toBe("from-the-environment");
    expect(createDefaultEngine({ workspace, model: "" }).model).toBe("from-the-environment");
    expect(createDefaultEngine({ workspace, model: "mine" }).model).toBe("mine");
    delete process.env.OPENAI_MODEL;
    await expect(drain(createDefaultEngine({ workspace }).run("Hello"))).rejects.toMatchObject({ code: "no_model" });
  });

  test("reasoning effort: the option, else OPENAI_REASONING_EFFORT (6.1)", async () => {
    process.env.OPENAI_REASONING_EFFORT = "low";
    const { engine, provider } = engineWith([{ text: "a" }]);
    await drain(engine.run("Hello"));
    const other = engineWith([{ text: "a" }], { reasoningEffort: "high" });
    await drain(other.engine.run("Hello"));
    expect([...provider.requests, ...other.provider.requests].map(({ opts }) => opts.reasoningEffort)).toEqual([
      "low",
      "high",
    ]);
  });

  test("instructions win over lang and agentType (6.1)", () => {
    const { engine } = engineWith([], { instructions: "Mine.", lang: "es", agentType: "cowork" });
    expect(engine.messages[0]?.content).toBe("Mine.");
  });

  test("messages of a session that goes on keep their system prompt (6.2)", () => {
    const messages = [{ role: "user", content: "Before." }] as const;
    const { engine } = engineWith([], { messages: [...messages], instructions: "Now." });
    expect(engine.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    const kept = engineWith([], { messages: [{ role: "system", content: "Then." }, ...messages] }).engine;
    expect(kept.messages[0]?.content).toBe("Then.");
  });

  test.each([
    ["deny", "denied"],
    ["allow", "ok"],
  ] as const)("defaultApproval %s decides where nobody is there to ask", async (defaultApproval, status) => {
    const script = [{ calls: [{ name: "write_file", args: { path: "a.txt", content: "a" } }] }, { text: "Done." }];
    const { engine } = engineWith(script, { defaultApproval });
    expect(only(await drain(engine.run("Write")), "tool_finished")).toMatchObject([{ status }]);
    expect(existsSync(join(workspace, "a.txt"))).toBe(status === "ok");
  });

  test("long results go to toolResultDir, else to a private folder that is TOOL_RESULT_DIR or new (6.1, 7.2)", async () => {
    const script = () => [{ calls: [{ name: "big" }] }, { text: "Done." }];
    const run = async (opts: Partial<CreateEngineOpts>) => {
      const { engine } = engineWith(script(), opts);
      const metadata = { category: "x", riskLevel: "low" as const, capabilities: [], requiresApproval: false };
      engine.registry.register(function big() {
        return "line\n".repeat(20_000);
      }, metadata);
      await drain(engine.run("Go"));
      return engine.toolResultDir;
    };
    const own = join(workspace, "own");
    expect(await run({ toolResultDir: own })).toBe(own);
    expect(readdirSync(own)).toHaveLength(1);
    process.env.TOOL_RESULT_DIR = join(workspace, "named");
    expect(await run({})).toBe(join(workspace, "named"));
    delete process.env.TOOL_RESULT_DIR;
    const fresh = await run({});
    expect(readdirSync(fresh)).toHaveLength(1);
    expect(statSync(join(fresh, "..")).mode & 0o077).toBe(0);
  });

  test("the caller's hook and the snapshots work side by side (11.2)", async () => {
    const heard: string[] = [];
    const { engine } = engineWith(
      [{ calls: [{ name: "run_shell", args: { command: "printf a > a.txt" } }] }, { text: "Done." }],
      {
        vcs: { mode: "shadow", sessionId: "s-1" },
        hook: { onTurnStart: (input) => heard.push(input), onTurnEnd: (status) => heard.push(status) },
        defaultApproval: "allow",
      },
    );
    await drain(engine.run("Write"));
    expect(heard).toEqual(["Write", "completed"]);
    const vcs = new SessionVcs(resolveVcsPlan(workspace, { mode: "shadow" }), "s-1");
    expect((await vcs.listTurns()).map(({ files }) => files)).toEqual([["a.txt"]]);
  });

  test("two engines share nothing (5.1)", async () => {
    const first = engineWith([{ text: "One." }]).engine;
    const second = engineWith([{ text: "Two." }]).engine;
    await Promise.all([drain(first.run("1")), drain(second.run("2"))]);
    first.permissions.allowToolForSession("write_file");
    first.registry.remove("grep");
    expect(second.permissions.sessionTools).toEqual([]);
    expect(second.registry.get("grep")).toBeDefined();
    expect(JSON.stringify(second.messages)).not.toContain("One.");
  });

  test("a second turn while one runs is refused (12.6)", async () => {
    const { engine } = engineWith([{ text: "Hello." }]);
    const running = engine.run("1");
    await running.next();
    await expect(drain(engine.run("2"))).rejects.toBeInstanceOf(zqagent.EngineBusy);
    await drain(running);
  });

  test("an approver that allows a tool for the session is not asked again (8.3)", async () => {
    const write = (path: string) => ({ calls: [{ name: "write_file", args: { path, content: "a" } }] });
    const { engine } = engineWith([write("a.txt"), write("b.txt"), { text: "Done." }]);
    let asked = 0;
    engine.setApprover(async () => {
      asked += 1;
      return ApprovalOutcome.ALWAYS_TOOL;
    });
    await drain(engine.run("Write"));
    expect(asked).toBe(1);
  });
});

describe("prompts (20.1)", () => {
  test.each(PROMPT_LANGS)("%s has a set, and buildInstructions and buildEnvBlock take it", (lang) => {
    expect(getPrompts(lang)).toBe(promptSets[lang]);
    for (const text of Object.values(promptSets[lang])) expect(text.length).toBeGreaterThan(20);
    writeFileSync(join(workspace, "AGENTS.md"), "Speak softly.");
    for (const type of ["code", "cowork"] as const) {
      const text = buildInstructions(type, workspace, "2026-12-01", lang);
      expect(text).toContain("Speak softly.");
      expect(text).not.toContain("{{");
    }
    expect(buildEnvBlock(workspace, "2026-12-01", lang)).toContain("date: 2026-12-01");
  });
});

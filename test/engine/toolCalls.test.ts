import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Mode } from "../../src/permissions/PermissionEngine";
import { type ApprovalAnswer, ApprovalOutcome } from "../../src/shared/contracts";
import type { EngineHook } from "../../src/shared/EngineHook";
import { drain, only, traceOf } from "../support/drain";
import { engineWith } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

const lastResults = (engine: { messages: { role: string; content: unknown }[] }) =>
  engine.messages.filter((message) => message.role === "tool").map((message) => message.content);

/** Tools that note when they begin and end; one may wait for the end of another. */
function watched() {
  const log: string[] = [];
  const tool =
    (name: string, after = "") =>
    async () => {
      log.push(`+${name}`);
      do await new Promise((resolve) => setImmediate(resolve));
      while (after !== "" && !log.includes(`-${after}`));
      log.push(`-${name}`);
      return `${name} result`;
    };
  return { log, tool };
}

describe("the calls of one reply", () => {
  it("run in groups: neighbours that read together, others alone, results in call order", async () => {
    const { log, tool } = watched();
    const calls = ["r1", "r2", "w1", "r3", "s1"].map((name) => ({ name }));
    const { engine } = engineWith([{ calls }, { text: "ok" }], {
      tools: {
        r1: ["read", tool("r1", "r2")],
        r2: ["read", tool("r2")],
        w1: ["write", tool("w1")],
        r3: ["read", tool("r3")],
        s1: ["shell", tool("s1")],
      },
    });
    const events = await drain(engine.run("go"));
    expect(log).toEqual(["+r1", "+r2", "-r2", "-r1", "+w1", "-w1", "+r3", "-r3", "+s1", "-s1"]);
    expect(lastResults(engine)).toEqual(["r1 result", "r2 result", "w1 result", "r3 result", "s1 result"]);
    expect(only(events, "tool_finished").map(({ name }) => name)).toEqual(["r2", "r1", "w1", "r3", "s1"]);
  });

  it("run eight at a time", async () => {
    let now = 0;
    let most = 0;
    const calls = Array.from({ length: 20 }, (_, n) => ({ name: "busy", args: { n } }));
    const { engine } = engineWith([{ calls }, { text: "ok" }], {
      tools: {
        busy: [
          "read",
          async () => {
            now += 1;
            most = Math.max(most, now);
            await new Promise((resolve) => setTimeout(resolve, 2));
            now -= 1;
            return "x";
          },
        ],
      },
    });
    await drain(engine.run("go"));
    expect(most).toBe(8);
    expect(lastResults(engine)).toHaveLength(20);
  });

  it("that ask a person or reach out wait for each other only where somebody is asked", async () => {
    const { log, tool } = watched();
    const calls = [{ name: "web1" }, { name: "web2" }, { name: "ask1" }, { name: "ask2" }];
    const tools = {
      web1: ["web", tool("web1")],
      web2: ["web", tool("web2")],
      ask1: ["ask", tool("ask1")],
      ask2: ["ask", tool("ask2")],
    } as const;
    const auto = engineWith([{ calls }, { text: "ok" }], { tools: { ...tools } as never });
    await drain(auto.engine.run("go"));
    expect(log.splice(0)).toEqual(["+web1", "+web2", "-web1", "-web2", "+ask1", "-ask1", "+ask2", "-ask2"]);
    const asked = engineWith([{ calls }, { text: "ok" }], { mode: Mode.INTERACTIVE, tools: { ...tools } as never });
    asked.engine.setApprover(async () => ApprovalOutcome.ONCE);
    await drain(asked.engine.run("go"));
    expect(log.slice(0, 4)).toEqual(["+web1", "-web1", "+web2", "-web2"]);
  });

  it("that are the same run once", async () => {
    const { engine, ran } = engineWith([
      {
        calls: [
          { name: "read", args: { path: "a", n: 1 } },
          { name: "read", args: { n: 1, path: "a" } },
        ],
      },
      { text: "ok" },
    ]);
    const events = await drain(engine.run("go"));
    expect(ran).toHaveLength(1);
    expect(lastResults(engine)[1]).toBe("Same call as above.");
    expect(only(events, "tool_finished")).toHaveLength(2);
  });

  const oddTools: [string, () => unknown, string, string][] = [
    [
      "throws",
      () => {
        throw new TypeError("broken");
      },
      "error",
      '{"error":"broken","error_type":"TypeError"}',
    ],
    ["returns an object", () => ({ a: 1 }), "ok", '{"a":1}'],
    ["returns an error", () => ({ error: "no" }), "error", '{"error":"no"}'],
    ["returns nothing", () => undefined, "ok", "null"],
    ["returns the long form", () => ({ content: "c", status: "error", display: { d: 1 } }), "error", "c"],
  ];
  it.each(oddTools)("a tool that %s becomes a result", async (_, func, status, content) => {
    const { engine } = engineWith([{ calls: [{ name: "odd" }] }, { text: "ok" }], { tools: { odd: ["read", func] } });
    const events = await drain(engine.run("go"));
    expect(only(events, "tool_finished")[0]).toMatchObject({ status });
    expect(lastResults(engine)[0]).toBe(content);
    expect(traceOf(events).at(-1)).toBe("turn_end completed");
  });

  it("are told what is wrong with them", async () => {
    const { engine } = engineWith([
      {
        calls: [
          { name: "nosuch" },
          { name: "read", args: '{"path": 1, "n": {}' },
          { name: "Read", args: { path: "x" } },
        ],
      },
      { text: "ok" },
    ]);
    const events = await drain(engine.run("go"));
    const [unknown, cut, right] = lastResults(engine);
    expect(unknown).toMatch(/^Unknown tool "nosuch". Available: .*read/);
    expect(cut).toMatch(/cut off by the output limit/);
    expect(right).toMatch(/^read done/);
    expect(only(events, "tool_started")).toHaveLength(1);
  });

  it("are never run from a reply that the output limit ended", async () => {
    const { engine, ran, provider } = engineWith(
      [
        { calls: [{ name: "write", args: { path: "a" } }], finish: "length", usage: { input: 100, output: 4096 } },
        { calls: [{ name: "write", args: '{"path":"a' }], finish: "tool_calls", usage: { input: 100, output: 4096 } },
        { text: "ok" },
      ],
      { model: "gpt-4.1" },
    );
    await drain(engine.run("go"));
    expect(ran).toEqual([]);
    expect(lastResults(engine)).toEqual([
      expect.stringMatching(/cut off.*12 characters/s),
      expect.stringMatching(/cut off.*10 characters/s),
    ]);
    expect(provider.requests.map((request) => request.opts.maxTokens)).toEqual([undefined, undefined, 8192]);
  });

  it("give attachments to a model that can see, in this turn only", async () => {
    const image = { name: "a.png", mimeType: "image/png", dataUrl: "data:image/png;base64,AAAA" };
    const script = [{ calls: [{ name: "look" }] }, { text: "a cat" }, { text: "yes" }];
    const tools = { look: ["read", () => ({ content: "[image]", attachments: [image] })] } as never;
    const seeing = engineWith([...script], { model: "gpt-4.1", tools });
    await drain(seeing.engine.run("what is it"));
    await drain(seeing.engine.run("sure?"));
    expect(JSON.stringify(seeing.provider.requests[1]?.messages)).toContain("base64,AAAA");
    expect(JSON.stringify(seeing.provider.requests[2]?.messages)).not.toContain("base64");
    expect(JSON.stringify(seeing.engine.messages)).not.toContain("base64");
    const blind = engineWith([...script], { model: "deepseek-chat", tools });
    await drain(blind.engine.run("what is it"));
    expect(lastResults(blind.engine)[0]).toMatch(/cannot see images/);
  });

  it("save what is too long for the model", async () => {
    const { engine } = engineWith([{ calls: [{ name: "long" }] }, { text: "ok" }], {
      tools: { long: ["read", () => "line\n".repeat(20_000)] },
    });
    await drain(engine.run("go"));
    expect(String(lastResults(engine)[0])).toMatch(
      /^\[100,000 characters, middle left out; all of it is in tool-results\//,
    );
    expect(engine.permissions.roots.mayRead(engine.toolResultDir)).toBe(true);
  });

  it("emit their events while they run, in order, to a slow reader", async () => {
    const { engine } = engineWith([{ calls: [{ name: "chatty" }] }, { text: "ok" }], {
      tools: {
        chatty: [
          "read",
          (_, ctx) => {
            for (let n = 0; n < 50; n += 1)
              ctx?.emit?.("tool_output", { reqId: ctx.reqId ?? "", name: "chatty", chunk: String(n), taskId: "t" });
            return "done";
          },
        ],
      },
    });
    const chunks: unknown[] = [];
    for await (const event of engine.run("go")) {
      if (event.type === "tool_output") chunks.push(event.data["chunk"]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(chunks).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  });
});

describe("approval", () => {
  const write = {
    calls: [
      { name: "write", args: { path: "a" } },
      { name: "read", args: { path: "b" } },
      { name: "write", args: { path: "c" } },
    ],
  };

  it("denied: the model learns why, later calls that would ask are left out, reading goes on", async () => {
    const { engine, ran } = engineWith([write, { text: "ok" }], { mode: Mode.INTERACTIVE });
    engine.setApprover(async () => ({ outcome: ApprovalOutcome.DENY, reason: "use b instead" }));
    const events = await drain(engine.run("go"));
    expect(lastResults(engine)).toEqual([
      "Denied by the user. The user says: use b instead",
      expect.stringMatching(/^read done/),
      "Not run: an earlier call was denied.",
    ]);
    expect(ran).toHaveLength(1);
    expect(traceOf(events)).not.toContain("tool_started write");
    expect(only(events, "tool_finished").map(({ status }) => status)).toEqual(["denied", "ok", "denied"]);
    expect(traceOf(events).at(-1)).toBe("turn_end completed");
  });

  it("remembered for the tool", async () => {
    let asked = 0;
    const { engine, permissions } = engineWith([write, { text: "ok" }], { mode: Mode.INTERACTIVE });
    engine.setApprover(async () => {
      asked += 1;
      return ApprovalOutcome.ALWAYS_TOOL;
    });
    await drain(engine.run("go"));
    expect(asked).toBe(1);
    expect(permissions.sessionTools).toEqual(["write"]);
  });

  it("remembered for the command", async () => {
    let asked = 0;
    const shell = {
      calls: [
        { name: "shell", args: { command: "make one" } },
        { name: "shell", args: { command: "make two" } },
      ],
    };
    const { engine } = engineWith([shell, { text: "ok" }], { mode: Mode.INTERACTIVE });
    engine.setApprover(async () => {
      asked += 1;
      return ApprovalOutcome.ALWAYS_COMMAND;
    });
    await drain(engine.run("go"));
    expect(asked).toBe(1);
  });

  it.each([[undefined], ["maybe"], [{}], [null]])("taken as no when the answer is %j", async (answer) => {
    const { engine, ran } = engineWith([write, { text: "ok" }], { mode: Mode.INTERACTIVE });
    engine.setApprover(async () => answer as unknown as ApprovalAnswer);
    await drain(engine.run("go"));
    expect(ran).toEqual([expect.stringMatching(/^read/)]);
  });

  it("missing: says how to set one, ends the turn, leaves the history valid", async () => {
    const { engine } = engineWith([write], { mode: Mode.INTERACTIVE });
    const events: string[] = [];
    await expect(async () => {
      for await (const event of engine.run("go")) events.push(event.type);
    }).rejects.toThrow("Tool write requires approval, but no approver was injected when assembling the engine.");
    expect(events.slice(-2)).toEqual(["error", "turn_end"]);
    expect(faultsOf(engine.messages)).toEqual([]);
    expect(engine.isBusy).toBe(false);
  });

  it("what the approver throws comes out of run()", async () => {
    const { engine } = engineWith([write], { mode: Mode.INTERACTIVE });
    const failure = new Error("desk closed");
    engine.setApprover(() => Promise.reject(failure));
    await expect(drain(engine.run("go"))).rejects.toBe(failure);
    expect(faultsOf(engine.messages)).toEqual([]);
  });

  it("given, is checked again: a link put in the way meanwhile is refused", async () => {
    const { engine, ran, workspace } = engineWith(
      [{ calls: [{ name: "write", args: { path: "dir/file" } }] }, { text: "ok" }],
      { mode: Mode.INTERACTIVE },
    );
    engine.setApprover(async () => {
      symlinkSync("/etc", join(workspace, "dir"));
      return ApprovalOutcome.ONCE;
    });
    await drain(engine.run("go"));
    expect(ran).toEqual([]);
    expect(lastResults(engine)[0]).toMatch(/outside the workspace/);
  });

  it("with edits hands them to the tool, inside the workspace only", async () => {
    const got: unknown[] = [];
    const tools = {
      edit: [
        "write",
        (_: unknown, ctx: { edited?: unknown }) => {
          got.push(ctx.edited);
          return "written";
        },
      ],
    } as never;
    const call = { calls: [{ name: "edit", args: { path: "a" } }] };
    const { engine, workspace } = engineWith([call, { text: "ok" }, call, { text: "ok" }], {
      mode: Mode.INTERACTIVE,
      tools,
    });
    mkdirSync(join(workspace, "sub"));
    engine.setApprover(async () => ({ outcome: ApprovalOutcome.ONCE, edited: [{ path: "sub/b", after: "text" }] }));
    const events = await drain(engine.run("go"));
    expect(got).toEqual([[{ path: "sub/b", after: "text" }]]);
    expect(only(events, "turn_end")[0]).toMatchObject({ produced_files: ["sub/b"] });
    engine.setApprover(async () => ({ outcome: ApprovalOutcome.ONCE, edited: [{ path: "../out", after: "text" }] }));
    await drain(engine.run("again"));
    expect(got).toHaveLength(1);
  });

  it("is not asked in plan mode: the refusal says what to do", async () => {
    const { engine } = engineWith([write, { text: "ok" }], { mode: Mode.PLAN });
    const events = await drain(engine.run("go"));
    expect(lastResults(engine)[0]).toBe("Read-only mode: finish with propose_plan.");
    expect(only(events, "permission_required")).toEqual([]);
  });
});

describe("settle", () => {
  it("is awaited before each call that is not read-only, and when the hook has heard the end", async () => {
    const log: string[] = [];
    const hook: EngineHook = {
      onEach: ({ type, data }) => void log.push([type, data["name"]].filter(Boolean).join(" ")),
      settle: async (next) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`settled ${next === "end" ? next : next.toolName}`);
      },
    };
    const { engine } = engineWith(
      [{ calls: [{ name: "read" }, { name: "write", args: { path: "a" } }] }, { text: "ok" }],
      { hook },
    );
    await drain(engine.run("go"));
    expect(log.filter((line) => /settled|started|turn_end/.test(line))).toEqual([
      "tool_started read",
      "settled write",
      "tool_started write",
      "turn_end",
      "settled end",
    ]);
  });

  it("that fails is passed over with a notice, like everything a hook throws", async () => {
    const notices: unknown[] = [];
    const bad = () => {
      throw new Error("hook");
    };
    const hook: EngineHook = {
      settle: () => Promise.reject(new Error("disk full")),
      onEach: bad,
      onTurnStart: bad,
      onToolFinished: bad,
      onTurnEnd: bad,
      onEvent: (type, data) => {
        if (type === "notice") notices.push(data["text"]);
        throw new Error("x");
      },
    };
    const { engine } = engineWith([{ calls: [{ name: "write", args: { path: "a" } }] }, { text: "ok" }], { hook });
    expect(traceOf(await drain(engine.run("go"))).at(-1)).toBe("turn_end completed");
    expect(notices).toEqual([expect.stringContaining("disk full"), expect.stringContaining("disk full")]);
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { ToolContext } from "../../src/shared/contracts";
import { setDirectoryHandler, setPlanHandler, setQuestionHandler } from "../../src/shared/handlers";
import { type GrantedDirectory, WorkspaceRoots } from "../../src/shared/paths";
import { registerAskTool } from "../../src/tools/ask";
import { registerDirectoryTool } from "../../src/tools/directories";
import { registerPlanTool } from "../../src/tools/plan";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { callers, temporaryFolder } from "./toolBench";

afterEach(() => {
  setQuestionHandler(null);
  setPlanHandler(null);
  setDirectoryHandler(null);
});

function listening(more: Partial<ToolContext> = {}): ToolContext & { events: [string, unknown][] } {
  const events: [string, unknown][] = [];
  return { reqId: "call_1", taskId: "task_1", emit: (type, data) => void events.push([type, data]), events, ...more };
}

const SILENCE = "Go on with your best judgement and say what you assumed.";

describe("ask_user", () => {
  const registry = new ToolRegistry();
  registerAskTool(registry);
  const { call } = callers(registry);
  const question = { question: "Which?", options: ["a", "b"] };

  test("emits the question, asks the handler, gives the answer", async () => {
    const asked: unknown[] = [];
    setQuestionHandler((...args) => {
      asked.push(args);
      return "b";
    });
    const ctx = listening();
    expect(await call("ask_user", question, ctx)).toEqual({ content: "b", status: "ok" });
    expect(asked).toEqual([["Which?", ["a", "b"], true, false]]);
    expect(ctx.events).toEqual([
      [
        "ask_user_question",
        { taskId: "task_1", reqId: "call_1", question: "Which?", options: ["a", "b"], allowText: true, multi: false },
      ],
    ]);
  });

  test.each<[string, unknown, string]>([
    ["several", ["a", "b"], "a, b"],
    ["an option handed back", { label: "a", description: "the first" }, "a"],
    ["text of its own", " c \n", "c"],
    ["null", null, `The user did not answer. ${SILENCE}`],
    ["nothing chosen", [], `The user did not answer. ${SILENCE}`],
    ["an empty text", "", `The user did not answer. ${SILENCE}`],
    ["nonsense", 7, `The user did not answer. ${SILENCE}`],
  ])("answer: %s", async (_name, answer, expected) => {
    setQuestionHandler(async () => answer as string);
    expect((await call("ask_user", question)).content).toBe(expected);
  });

  test("options with descriptions reach the handler, and a question without options takes text", async () => {
    const seen: unknown[] = [];
    setQuestionHandler((_question, options, allowText, multi) => {
      seen.push({ options, allowText, multi });
      return "x";
    });
    await call("ask_user", {
      question: "q",
      options: [{ label: "a", description: "b" }, "c"],
      allow_text: false,
      multi: true,
    });
    await call("ask_user", { question: "q", allow_text: false, multi: true });
    expect(seen).toEqual([
      { options: [{ label: "a", description: "b" }, "c"], allowText: false, multi: true },
      { options: [], allowText: true, multi: false },
    ]);
  });

  test("without a handler it answers at once", async () => {
    expect((await call("ask_user", question)).content).toBe(`No user is present. ${SILENCE}`);
  });

  test("a handler that fails did not answer", async () => {
    setQuestionHandler(() => Promise.reject(new Error("no screen")));
    expect((await call("ask_user", question)).content).toContain("The user did not answer.");
    setQuestionHandler(() => {
      throw new Error("no screen");
    });
    expect((await call("ask_user", question)).content).toContain("The user did not answer.");
  });

  test("an interrupt ends the wait", async () => {
    const stop = new AbortController();
    setQuestionHandler(() => {
      stop.abort();
      return new Promise(() => {});
    });
    expect((await call("ask_user", question, { signal: stop.signal })).status).toBe("interrupted");
    expect((await call("ask_user", question, { signal: stop.signal })).status).toBe("interrupted");
  });
});

describe("propose_plan", () => {
  const registry = new ToolRegistry();
  registerPlanTool(registry);
  const { call } = callers(registry);

  function inMode(mode: string): ToolContext & { modes: string[] } {
    const modes: string[] = [];
    return { mode, setMode: (next) => modes.push(next), modes };
  }

  test.each<[string, unknown, string, string[]]>([
    ["plan", true, "Approved. You may now make changes.", ["interactive"]],
    ["discuss", { approved: true }, "Approved. You may now make changes.", ["interactive"]],
    ["plan", { approved: true, mode: "auto" }, "Approved. You may now make changes.", ["auto"]],
    ["plan", { approved: true, mode: "plan" }, "Approved.", []],
    ["auto", { approved: true }, "Approved.", []],
    ["interactive", { approved: true, mode: "auto" }, "Approved.", ["auto"]],
    [
      "plan",
      { approved: true, feedback: "mind the tests" },
      "Approved. You may now make changes. The user says: mind the tests",
      ["interactive"],
    ],
    ["plan", { approved: false, feedback: "too much" }, "Not approved. The user says: too much", []],
    ["plan", false, "Not approved. The user gave no reason.", []],
    ["plan", null, "Not approved. The user gave no reason.", []],
  ])("in %s mode, answered %j", async (mode, answer, expected, modes) => {
    setPlanHandler(() => answer as boolean);
    const ctx = inMode(mode);
    expect((await call("propose_plan", { plan: "# Plan" }, ctx)).content).toBe(expected);
    expect(ctx.modes).toEqual(modes);
  });

  test("emits the plan", async () => {
    const ctx = listening();
    await call("propose_plan", { plan: "# Plan" }, ctx);
    expect(ctx.events).toEqual([["plan_proposed", { plan: "# Plan", reqId: "call_1" }]]);
  });

  test("without a handler nothing is approved", async () => {
    const ctx = inMode("plan");
    expect((await call("propose_plan", { plan: "p" }, ctx)).content).toBe(
      "No user is present. The plan is not approved and nothing may be changed. End with the plan as your answer.",
    );
    expect(ctx.modes).toEqual([]);
    expect((await call("propose_plan", { plan: "p" }, inMode("auto"))).content).toBe(`No user is present. ${SILENCE}`);
  });

  test("an interrupt ends the wait", async () => {
    const stop = new AbortController();
    setPlanHandler(() => {
      stop.abort();
      return new Promise(() => {});
    });
    expect((await call("propose_plan", { plan: "p" }, { signal: stop.signal })).status).toBe("interrupted");
  });
});

describe("request_directory", () => {
  function desk() {
    const workspace = temporaryFolder();
    const outside = temporaryFolder();
    const roots = new WorkspaceRoots(workspace);
    const granted: GrantedDirectory[] = [];
    const registry = new ToolRegistry();
    registerDirectoryTool(registry, workspace, { roots, onGranted: (directory) => granted.push(directory) });
    return { workspace, outside, roots, granted, ...callers(registry) };
  }

  test("grants for reading", async () => {
    const { outside, roots, granted, call } = desk();
    const asked: unknown[] = [];
    setDirectoryHandler((request) => {
      asked.push(request);
      return true;
    });
    const ctx = listening();
    const result = await call("request_directory", { path: outside, reason: "to compare" }, ctx);
    expect(result.content).toBe(`Granted (read-only): ${outside}`);
    expect(asked).toEqual([{ path: outside, reason: "to compare", writable: false }]);
    expect(ctx.events).toEqual([
      ["directory_requested", { reason: "to compare", path: outside, writable: false, reqId: "call_1" }],
    ]);
    expect([roots.mayRead(join(outside, "x")), roots.mayWrite(join(outside, "x"))]).toEqual([true, false]);
    expect(granted).toEqual([{ path: outside, writable: false }]);
  });

  test.each<[unknown, boolean, string]>([
    [true, true, "Granted (writable)"],
    [{ granted: true }, true, "Granted (writable)"],
    [{ granted: true, writable: false }, true, "Granted (read-only)"],
    [{ granted: true, writable: true }, false, "Granted (read-only)"],
    [{ granted: false }, true, "Denied."],
    [false, true, "Denied."],
    [null, true, "Denied."],
  ])("answered %j when writable is %j: %s", async (answer, writable, expected) => {
    const { outside, call } = desk();
    setDirectoryHandler(() => answer as boolean);
    expect((await call("request_directory", { path: outside, reason: "r", writable })).content).toContain(expected);
  });

  test("what is open already is not asked for again", async () => {
    const { workspace, outside, roots, call } = desk();
    roots.grant(outside, false);
    setDirectoryHandler(() => {
      throw new Error("asked");
    });
    for (const path of [workspace, outside, "."]) {
      expect((await call("request_directory", { path, reason: "r" })).content).toContain("Open already");
    }
  });

  test("refuses what is too wide, what is the system's, and what is no folder", async () => {
    const { outside, error } = desk();
    setDirectoryHandler(() => true);
    writeFileSync(join(outside, "f"), "");
    mkdirSync(homedir(), { recursive: true });
    const refused: [string, string][] = [
      ["/", "too wide"],
      [homedir(), "too wide"],
      ["~", "too wide"],
      ["/etc", "system folder"],
      ["/proc/self", "system folder"],
      ["/usr/bin", "system folder"],
      [join(outside, "f"), "is not a folder"],
      [join(outside, "nowhere"), "Folder not found"],
    ];
    for (const [path, words] of refused)
      expect(await error("request_directory", { path, reason: "r" })).toContain(words);
  });

  test("nobody there, no answer, an interrupt: nothing is granted", async () => {
    const { outside, roots, call } = desk();
    const request = { path: outside, reason: "r" };
    expect((await call("request_directory", request)).content).toBe(
      "No user is present. Nothing was granted: go on without that folder.",
    );
    setDirectoryHandler(() => Promise.reject(new Error("x")));
    expect((await call("request_directory", request)).content).toContain("The user did not answer.");
    const stop = new AbortController();
    setDirectoryHandler(() => {
      stop.abort();
      return new Promise(() => {});
    });
    expect((await call("request_directory", request, { signal: stop.signal })).status).toBe("interrupted");
    expect(roots.directories).toEqual([]);
  });
});

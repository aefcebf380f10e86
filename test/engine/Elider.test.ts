import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { duplicates, oldResults } from "../../src/engine/elision";
import { Mode } from "../../src/permissions/PermissionEngine";
import { type Message, textOf } from "../../src/shared/messages";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { drain, only } from "../support/drain";
import { addTool, engineWith, HistoryLog } from "./engineUnderTest";
import { faultsOf } from "./validHistory";

afterEach(() => {
  delete process.env.COMPACTION_ELIDE;
  delete process.env.COMPACTION_DEDUP;
});

const page = (n: number) =>
  Array.from({ length: 60 }, (_, line) => `page ${n} line ${line} says ${line * n} about the fox`).join("\n");

/** A history from a short notation: `[tool, args, result]` is a call with its answer, text is a prompt. */
function historyOf(...parts: (string | [string, Record<string, unknown>, string])[]): Message[] {
  return parts.flatMap((part, at): Message[] => {
    if (typeof part === "string") return [{ role: "user", content: part }];
    const [name, args, content] = part;
    return [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `c${at}`, type: "function", function: { name, arguments: JSON.stringify(args) } }],
      },
      { role: "tool", tool_call_id: `c${at}`, content },
    ];
  });
}

function registry(): ToolRegistry {
  const tools = new ToolRegistry();
  for (const name of ["read_file", "grep", "explore", "todo_write"]) addTool(tools, "read", name, () => "");
  addTool(tools, "write", "write_file", () => "");
  return tools;
}

const contents = (elisions: { index: number; message: Message }[]) =>
  elisions.map(({ index, message }) => [index, textOf(message.content)]);

describe("duplicates", () => {
  const long = "text of the file\n".repeat(20);
  it("are older reads of the same lines, and the same result of the same call", () => {
    const messages = historyOf(
      "go",
      ["read_file", { path: "a" }, long],
      ["read_file", { path: "b" }, long],
      ["grep", { path: "x" }, long],
      ["read_file", { path: "a" }, long],
      ["grep", { path: "x" }, long],
      ["read_file", { path: "a", offset: 5000 }, long],
    );
    expect(contents(duplicates({ messages, registry: registry(), protect: 1e9 }))).toEqual([
      [2, "[same file read again later: see below]"],
      [6, "[same result again later: see below]"],
    ]);
  });

  it("are reads of files that were edited since, unless they are among the newest results", () => {
    const messages = historyOf(
      "go",
      ["read_file", { path: "a" }, long],
      ["write_file", { path: "a", content: "x" }, "ok"],
    );
    const view = { messages, registry: registry() };
    expect(contents(duplicates({ ...view, protect: 10 }))).toEqual([[2, "[stale: a was edited later]"]]);
    expect(duplicates({ ...view, protect: 1e9 })).toEqual([]);
  });

  it("are not what a later call that failed would have read or edited", () => {
    const messages = historyOf(
      "go",
      ["read_file", { path: "a" }, long],
      ["write_file", { path: "a", content: "x" }, "old_string not found in a."],
      ["read_file", { path: "a" }, "File not found: a."],
    ).map(
      (message): Message => (textOf(message.content).includes("not found") ? { ...message, failed: true } : message),
    );
    expect(duplicates({ messages, registry: registry(), protect: 10 })).toEqual([]);
  });

  it("the engine marks what failed, was denied or did not run, and sends no such mark", async () => {
    const failing = { content: "old_string not found", status: "error" };
    const calls = ["read", "write", "bad"].map((name) => ({ name, args: { path: "a", n: 1 } }));
    const { engine, provider } = engineWith(
      [{ calls: [...calls, { name: "write", args: { path: "b" } }] }, { text: "ok" }],
      {
        mode: Mode.INTERACTIVE,
        tools: { bad: ["read", () => failing] },
      },
    );
    let asked = 0;
    engine.setApprover(async () => {
      asked += 1;
      return "deny";
    });
    await drain(engine.run("go"));
    const results = engine.messages.filter(({ role }) => role === "tool");
    expect(results.map(({ content, failed }) => [textOf(content).slice(0, 7), failed])).toEqual([
      ["read do", undefined],
      ["Denied ", true],
      ["old_str", true],
      ["Not run", true],
    ]);
    expect(asked).toBe(1);
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).not.toContain("failed");
  });
});

describe("old results", () => {
  it("lose their middle outside the last two turns; some are never touched; long arguments stay valid JSON", () => {
    const messages = historyOf(
      "one",
      ["read_file", { path: "a" }, page(1)],
      ["explore", { path: "a" }, page(2)],
      ["todo_write", { path: "t" }, page(3)],
      ["write_file", { path: "w", content: page(4) }, "ok"],
      ["grep", { path: "short" }, "short"],
      "two",
      ["read_file", { path: "b" }, page(5)],
      "three",
      ["read_file", { path: "c" }, page(6)],
    );
    const found = oldResults({ messages, registry: registry(), protect: 0 });
    expect(found.map(({ index }) => index)).toEqual([2, 7]);
    expect(textOf(found[0]?.message.content ?? null)).toBe(
      [...page(1).split("\n").slice(0, 3), "[result elided]", ...page(1).split("\n").slice(-3)].join("\n"),
    );
    const args = JSON.parse(found[1]?.message.tool_calls?.[0]?.function.arguments ?? "");
    expect(args.path).toBe("w");
    expect(args.content).toMatch(/characters elided\]$/);
  });

  it("among the newest of a budget stay", () => {
    const messages = historyOf("one", ["read_file", { path: "a" }, page(1)], "two", "three", [
      "read_file",
      { path: "b" },
      page(1),
    ]);
    expect(oldResults({ messages, registry: registry(), protect: 1e6 })).toEqual([]);
  });
});

describe("at the soft threshold", () => {
  function talk(opts: object = {}) {
    let n = 0;
    const hook = new HistoryLog();
    const script = (request: { messages: Message[] }) =>
      request.messages.at(-1)?.role === "user"
        ? { usage: null, calls: [{ name: "page", args: { n: n++ } }] }
        : { text: "ok", usage: null };
    return {
      hook,
      ...engineWith(script as never, {
        contextWindow: 24_000,
        hook,
        tools: { page: ["read", (args) => page(Number(args["n"]))] },
        ...opts,
      }),
    };
  }
  const elided = (messages: Message[]) =>
    messages.filter(({ content }) => textOf(content).includes("[result elided")).length;

  it("old results are left out without a model call, and kept on disk", async () => {
    const { engine, hook, provider } = talk();
    const compacted: unknown[] = [];
    let turns = 0;
    for (; elided(engine.messages) === 0 && turns < 40; turns += 1)
      compacted.push(...only(await drain(engine.run(`turn ${turns}`)), "compacting"));
    expect(compacted).toEqual([]);
    expect(elided(engine.messages)).toBeGreaterThan(2);
    expect(hook.messages).toEqual(engine.messages);
    const { tokens, softThresholdTokens } = engine.compactionState;
    expect(tokens).toBeLessThan(softThresholdTokens * 0.85);
    const notice =
      engine.messages.map(({ content }) => /saved as (tool-results\/\S+)\]/.exec(textOf(content))?.[1]).find(Boolean) ??
      "";
    expect(readFileSync(join(engine.toolResultDir, basename(notice)), "utf8")).toBe(page(0));
    for (const { messages } of provider.requests) expect(faultsOf(messages)).toEqual([]);
  });

  it("nothing is left out where COMPACTION_ELIDE is 0", async () => {
    process.env.COMPACTION_ELIDE = "0";
    const { engine } = talk();
    let compactions = 0;
    for (let turn = 0; compactions === 0 && turn < 40; turn += 1)
      compactions += only(await drain(engine.run(`turn ${turn}`)), "compacting").length;
    expect(compactions).toBeGreaterThan(0);
    expect(elided(engine.messages)).toBe(0);
  });
});

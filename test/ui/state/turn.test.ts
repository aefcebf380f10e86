import { describe, expect, test } from "vitest";
import { textOf } from "../../../src/ui/input/editBuffer";
import { ScreenBench } from "./stateBench";

const kinds = (bench: ScreenBench) => bench.printed.map((item) => item.kind);

describe("cards", () => {
  test("go up in the order of the calls, each once it is finished", () => {
    const bench = new ScreenBench().start();
    for (const reqId of ["a", "b"])
      bench.emit("tool_proposed", { reqId, name: reqId, arguments: {} }).emit("tool_started", { reqId, name: reqId });
    bench.emit("tool_finished", { reqId: "b", name: "b", status: "ok" });
    expect(kinds(bench)).toEqual([]);
    bench.emit("tool_finished", { reqId: "a", name: "a", status: "error" });
    expect(bench.printed).toMatchObject([
      { kind: "card", card: { id: "a", state: "error" } },
      { kind: "card", card: { id: "b", state: "ok" } },
    ]);
    expect(bench.state.turn?.cards).toEqual([]);
  });

  test("what never ended stands as interrupted when the turn is over", () => {
    const bench = new ScreenBench().start().emit("tool_proposed", { reqId: "a", name: "a", arguments: {} });
    bench.do({ type: "ended", status: "interrupted", iterations: 1, files: [] });
    expect(bench.printed).toMatchObject([
      { kind: "card", card: { state: "interrupted" } },
      { kind: "notice", text: "turnInterrupted" },
    ]);
  });

  test("a finish without a proposal gets a card too", () => {
    const bench = new ScreenBench().start().emit("tool_finished", { reqId: "z", name: "other", status: "ok" });
    expect(bench.printed).toMatchObject([{ kind: "card", card: { name: "other" } }]);
  });

  test("the time is the tool's own, else measured", () => {
    const bench = new ScreenBench().start().emit("tool_started", { reqId: "a", name: "a" }).later(1_500);
    bench.emit("tool_finished", { reqId: "a", name: "a", status: "ok" });
    expect(bench.printed).toMatchObject([{ card: { durationMs: 1_500 } }]);
  });

  test("the diff of a write tool's display is read", () => {
    const display = {
      kind: "diff",
      files: [
        { path: "a.ts", diff: "@@ -1 +1 @@\n-a\n+b", added: 1, removed: 1 },
        { path: "b.ts", movedTo: "c.ts", diff: "@@ -1 +1 @@\n-a\n+b" },
      ],
    };
    const bench = new ScreenBench().start().emit("tool_finished", { reqId: "a", name: "a", status: "ok", display });
    expect(bench.printed).toMatchObject([
      { card: { diff: expect.stringMatching(/\+\+\+ b\/a\.ts[\s\S]*--- a\/b\.ts\n\+\+\+ b\/c\.ts/) } },
    ]);
  });

  test("a display of any other shape is passed over", () => {
    for (const display of [null, 42, "words", { files: [null, 7, { path: 1 }] }, { todos: [] }, []]) {
      const bench = new ScreenBench().start().emit("tool_finished", { reqId: "a", name: "a", status: "ok", display });
      expect(bench.printed).toMatchObject([{ card: { diff: undefined } }]);
    }
  });
});

describe("the answer", () => {
  const block = (raw: string) => ({ raw, gap: true });

  test("finished blocks go up, the tail stays below; the first block of a message is marked", () => {
    const bench = new ScreenBench().start().do({ type: "answer", blocks: [block("one\n\n")], tail: "tw" });
    bench.do({ type: "answer", blocks: [block("two\n\n"), block("  \n")], tail: "" });
    expect(bench.printed).toMatchObject([{ isFirst: true }, { isFirst: false }]);
    bench
      .emit("assistant_message", { text: "", tool_calls: [] })
      .do({ type: "answer", blocks: [block("three")], tail: "" });
    expect(bench.printed.at(-1)).toMatchObject({ isFirst: true });
  });

  test("one that broke off is dropped, and that is said only if some of it was seen", () => {
    const retry = { attempt: 1, max: 2, reason: "reset", waitMs: 2_000, iteration: 1, reqId: "" };
    const seen = new ScreenBench().start().do({ type: "answer", blocks: [], tail: "half" }).emit("llm_retry", retry);
    expect(seen.printed).toMatchObject([{ text: "answerRestarts" }]);
    expect(seen.screen()).not.toContain("half");
    expect(new ScreenBench().start().emit("llm_retry", retry).printed).toEqual([]);
  });
});

describe("what is going on", () => {
  test("a retry counts down and goes when the endpoint answers", () => {
    const bench = new ScreenBench()
      .start()
      .emit("llm_retry", { attempt: 1, max: 2, reason: "reset", waitMs: 2_500, iteration: 1, reqId: "" });
    expect(bench.screen()).toContain("Trying again in 3 s (1 of 2): reset");
    expect(bench.later(1_600).screen()).toContain("in 1 s");
    expect(bench.later(2_000).screen()).toContain("Trying again (1 of 2)");
    expect(bench.emit("reasoning_delta", { text: "hm" }).screen()).toContain("Thinking");
  });

  test("a long wait is told with its end, and a limit in our words", () => {
    const wait = { attempt: 1, max: 1, reason: "429", error_type: "rate_limit", waitMs: 3 * 3_600_000 };
    const bench = new ScreenBench().start().emit("llm_retry", wait);
    expect(bench.screen()).toMatch(/Trying again at [\d: -]+, in 3 h: The endpoint limits/);
  });

  test("thinking goes up folded, before what came of it", () => {
    const bench = new ScreenBench().start().emit("reasoning_delta", { text: "I must " });
    bench.later(3_000).emit("reasoning_delta", { text: "look." });
    bench.do({ type: "answer", blocks: [], tail: "So" }).emit("assistant_message", { text: "So", reasoning: "" });
    expect(bench.printed).toEqual([{ kind: "thought", text: "I must look.", seconds: 3 }]);
    bench.emit("reasoning_delta", { text: "Again." }).emit("assistant_message", { text: "", reasoning: "Again." });
    expect(bench.printed.at(-1)).toMatchObject({ kind: "thought", text: "Again." });
  });

  test("text that turns out to be thinking leaves the answer", () => {
    const bench = new ScreenBench().start().do({ type: "answer", blocks: [], tail: "Let me think" });
    bench.emit("reasoning_delta", { text: "Let me think", reclassified: true });
    expect(bench.screen()).not.toContain("Let me think");
    bench.emit("assistant_message", { text: "", reasoning: "Let me think" });
    expect(bench.printed).toMatchObject([{ kind: "thought", text: "Let me think" }]);
  });

  test("an error is said once, by what it was", () => {
    const bench = new ScreenBench().start().emit("error", { error: "because", error_type: "auth", detail: "no" });
    expect(bench.printed).toMatchObject([{ kind: "failure", data: { error_type: "auth", detail: "no" } }]);
    bench.do({ type: "ended", status: "error", iterations: 1, files: [] });
    expect(bench.printed).toHaveLength(1);
  });

  test("the limit of steps, an unexplained error, and the files that changed are said at the end", () => {
    const limit = new ScreenBench()
      .start()
      .do({ type: "ended", status: "max_iterations_exceeded", iterations: 9, files: ["a", "b"] });
    expect(limit.printed).toMatchObject([
      { text: "turnMaxIterations", values: { count: 9 } },
      { text: "turnChanged", values: { count: 2, files: "a, b" } },
    ]);
    expect(
      new ScreenBench().start().do({ type: "ended", status: "error", iterations: 1, files: [] }).printed,
    ).toMatchObject([{ text: "turnFailed" }]);
  });

  test("events of unknown types change nothing", () => {
    const bench = new ScreenBench().start();
    const before = bench.state.turn;
    bench.do({ type: "event", event: { type: "brand_new" as never, data: {} } });
    expect(bench.state.turn).toEqual(before);
  });
});

test("a prompt sent after Esc goes out when the stopped turn has ended", () => {
  const bench = new ScreenBench().start().key("escape").type("instead this").key("enter");
  bench.do({ type: "ended", status: "interrupted", iterations: 1, files: [] });
  expect(bench.last("run")).toEqual({ kind: "run", prompt: "instead this" });
  expect(textOf(bench.state.draft.buffer)).toBe("");
});

import { describe, expect, it } from "vitest";
import { Mode } from "../../src/permissions/PermissionEngine";
import { ApprovalOutcome, type PermissionRequest } from "../../src/shared/contracts";
import { drain, only, traceOf } from "../support/drain";
import { engineWith, HistoryLog } from "./engineUnderTest";

describe("a turn", () => {
  it("asks, runs what the model calls, and asks again until there is an answer", async () => {
    const hook = new HistoryLog();
    const { engine, ran } = engineWith(
      [
        {
          text: "Looking.",
          reasoning: "hm",
          calls: [
            { name: "read", args: { path: "a" } },
            { name: "write", args: { path: "b" } },
          ],
        },
        { text: "All done." },
      ],
      { hook },
    );
    const events = await drain(engine.run("do it", "task-1"));
    expect(traceOf(events)).toEqual([
      "turn_start",
      "llm_request",
      "reasoning_delta",
      "assistant_delta",
      "assistant_message",
      "tool_proposed read",
      "tool_proposed write",
      "tool_started read",
      "tool_finished read ok",
      "tool_started write",
      "tool_finished write ok",
      "iteration_end",
      "llm_request",
      "assistant_delta",
      "assistant_message",
      "iteration_end",
      "turn_end completed",
    ]);
    expect(only(events, "turn_end")).toEqual([
      { status: "completed", iterations: 2, produced_files: ["b"], taskId: "task-1" },
    ]);
    expect(ran).toHaveLength(2);
    expect(engine.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
    ]);
    expect(hook.messages).toEqual(engine.messages);
    expect(hook.events).toEqual(events.map((event) => event.type));
  });

  it("keeps the conversation from turn to turn", async () => {
    const { engine, provider } = engineWith([{ text: "one" }, { text: "two" }]);
    await drain(engine.run("first"));
    await drain(engine.run("second"));
    expect(provider.requests[1]?.messages.map((message) => message.content)).toEqual(
      ["You are a test.", "first", "one", "second"].map((text, at) =>
        at === 1 ? expect.stringContaining(text) : text,
      ),
    );
  });

  it("asks the approver and does as it says", async () => {
    const asked: PermissionRequest[] = [];
    const { engine, ran } = engineWith([{ calls: [{ name: "write", args: { path: "x" } }] }, { text: "ok" }], {
      mode: Mode.INTERACTIVE,
    });
    engine.setApprover(async (request) => {
      asked.push(request);
      return ApprovalOutcome.ONCE;
    });
    const events = await drain(engine.run("go"));
    expect(traceOf(events)).toContain("permission_required write");
    expect(asked[0]).toMatchObject({ toolName: "write", arguments: { path: "x" } });
    expect(ran).toHaveLength(1);
  });
});

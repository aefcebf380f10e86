import { describe, expect, test } from "vitest";
import { describeProposal } from "../../src/ui/approvalParts";
import { nextMode, parseLine } from "../../src/ui/commands";
import { replayItems } from "../../src/ui/replay";
import { countText, durationText, folderText } from "../../src/ui/view/figures";

describe("lines", () => {
  test.each([
    ["/help", { kind: "command", argument: "" }],
    ["  /model  gpt x ", { kind: "command", argument: "gpt x" }],
    ["/exit", { kind: "command" }],
    ["/nope", { kind: "unknown", name: "/nope" }],
    ["/etc/hosts", { kind: "prompt" }],
    ["/help\nme", { kind: "prompt" }],
    ["/ what", { kind: "prompt" }],
    ["what /help", { kind: "prompt" }],
  ])("%j", (line, expected) => expect(parseLine(line)).toMatchObject(expected));

  test("modes go round", () => {
    expect(["discuss", "plan", "interactive", "auto", "?"].map(nextMode)).toEqual([
      "plan",
      "interactive",
      "auto",
      "discuss",
      "discuss",
    ]);
  });
});

test("figures", () => {
  expect([0, 999, 1_000, 9_949, 12_345, 999_499, 1_200_000].map(countText)).toEqual([
    "0",
    "999",
    "1.0k",
    "9.9k",
    "12k",
    "999k",
    "1.2M",
  ]);
  expect([5, 999, 1_000, 9_949, 59_000, 61_000].map(durationText)).toEqual([
    "5 ms",
    "999 ms",
    "1.0 s",
    "9.9 s",
    "59 s",
    "1 min 1 s",
  ]);
  expect([
    folderText("/h/u", "/h/u"),
    folderText("/h/u/p", "/h/u"),
    folderText("/h/us", "/h/u"),
    folderText("/x", ""),
  ]).toEqual(["~", "~/p", "/h/us", "/x"]);
});

describe("what an approval shows", () => {
  const request = (args: Record<string, unknown>) => ({ toolName: "x", arguments: args, metadata: null, reason: "" });

  test("a command first and whole, then the other arguments", async () => {
    const parts = await (
      await describeProposal(request({ cwd: "sub", command: "a\nb", timeout_ms: 5 }), async () => [])
    ).parts;
    expect(parts).toEqual([
      { style: "code", label: "", text: "a\nb" },
      { style: "value", label: "", text: "cwd: sub" },
      { style: "value", label: "", text: "timeout_ms: 5" },
    ]);
  });

  test("changes as diffs, with what happens to each file", async () => {
    const changes = [
      { path: "new.txt", before: null, after: "hi\n" },
      { path: "gone.txt", before: "hi\n", after: null },
      { path: "crlf.txt", before: "a\r\nb\r\n", after: "a\r\nc\r\n" },
    ];
    const parts = await (await describeProposal(request({ path: "new.txt" }), async () => changes)).parts;
    expect(parts.map((part) => ("label" in part ? part.label : ""))).toEqual([
      "fileNew",
      "",
      "fileDeleted",
      "",
      "",
      "",
    ]);
    expect(parts[1]).toMatchObject({ style: "diff", text: expect.stringContaining("+hi") });
    expect(parts[5]).toMatchObject({ text: expect.stringMatching(/-b\n\+c/) });
  });

  test("the arguments, where nothing can be worked out", async () => {
    const failing = await (
      await describeProposal(request({ path: "a", content: "x\ny" }), () => Promise.reject(new Error("no")))
    ).parts;
    expect(failing).toEqual([
      { style: "note", text: "approvalNoPreview" },
      { style: "value", label: "", text: "path: a" },
      { style: "value", label: "content:", text: "x\ny" },
    ]);
    expect((await describeProposal(request({ url: { a: 1 } }), async () => [])).parts).toMatchObject([
      { text: expect.stringContaining('"a": 1') },
    ]);
  });
});

test("an earlier conversation as items", () => {
  const call = (id: string, args: string) => ({
    id,
    type: "function" as const,
    function: { name: "t", arguments: args },
  });
  const items = replayItems([
    { role: "system", content: "rules" },
    { role: "user", content: "env", origin: "environment" },
    { role: "user", content: "summary", origin: "summary" },
    { role: "user", content: [{ type: "text", text: "hello" }] },
    {
      role: "assistant",
      content: "hi",
      tool_calls: [call("1", '{"path":"a"}'), call("2", "not json"), call("3", "{}"), call("4", "{}")],
    },
    { role: "tool", content: "fine", tool_call_id: "1" },
    { role: "tool", content: '{"error":"no"}', tool_call_id: "2" },
    { role: "tool", content: "Denied by the user.", tool_call_id: "3" },
  ]);
  expect(items).toMatchObject([
    { kind: "notice", text: "sessionCompacted" },
    { kind: "user", text: "hello" },
    { kind: "markdown", text: "hi" },
    { card: { state: "past", args: { path: "a" } } },
    { card: { state: "error", args: {} } },
    { card: { state: "denied" } },
    { card: { state: "interrupted" } },
  ]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { historyFault } from "../../src/cli/demo/wireRequest";
import { buildChatBody } from "../../src/providers/chatRequest";
import type { EndpointNotes } from "../../src/providers/endpointMemory";
import type { Outgoing, Tweaks } from "../../src/providers/modelCall";
import { buildResponsesBody } from "../../src/providers/responsesRequest";
import { UNFINISHED, wireHistory } from "../../src/providers/wireHistory";
import { wireText } from "../../src/providers/wireText";
import type { Message, ToolCall } from "../../src/shared/messages";

const call = (id: string, args: unknown = "{}"): ToolCall => ({
  id,
  type: "function",
  function: { name: "f", arguments: args as string },
});
const user = (content: Message["content"]): Message => ({ role: "user", content });
const caller = (...ids: string[]): Message => ({
  role: "assistant",
  content: "",
  tool_calls: ids.map((id) => call(id)),
});
const result = (id: string, content: Message["content"] = `result ${id}`): Message => ({
  role: "tool",
  tool_call_id: id,
  content,
});
const out = (messages: Message[], notes: EndpointNotes = {}, tweaks: Tweaks = {}): Outgoing => ({
  call: { model: "m", messages, tools: [], isDeepSeek: false, isOpenAI: false },
  notes,
  tweaks,
  deadReasoning: new Set(),
});
const roles = (messages: Message[]) => messages.map((message) => message.role).join(" ");

describe("the history on the wire", () => {
  test.each([
    [
      "one system message leads",
      [{ role: "system", content: "a" }, { role: "system", content: "b" }, user("x")],
      "system user",
    ],
    ["a later one becomes user text", [user("x"), { role: "system", content: "b" }], "user"],
    [
      "neighbours are joined",
      [user("x"), user("y"), { role: "assistant", content: "a" }, { role: "assistant", content: "b" }],
      "user assistant",
    ],
    [
      "empty assistant messages go",
      [user("x"), { role: "assistant", content: null }, { role: "assistant", content: " ", tool_calls: [] }, user("y")],
      "user",
    ],
    ["a missing result is put in", [user("x"), caller("a", "b"), result("b")], "user assistant tool tool"],
    ["an orphan goes", [user("x"), result("z"), { role: "assistant", content: "a" }], "user assistant"],
    ["a second result goes", [user("x"), caller("a"), result("a"), result("a")], "user assistant tool"],
    ["a late result moves up", [user("x"), caller("a"), user("wait"), result("a")], "user assistant tool user"],
  ] as [string, Message[], string][])("%s", (_, messages, wanted) => {
    const wire = wireHistory(messages);
    expect(roles(wire)).toBe(wanted);
    expect(historyFault(wire)).toBeUndefined();
  });

  test("results stand in the order of their calls, and say what is unknown", () => {
    const wire = wireHistory([user("x"), caller("a", "b"), result("b")]);
    expect(wire.slice(2).map((message) => message.content)).toEqual([UNFINISHED, "result b"]);
  });

  test("what needs no change is handed on as it is, for every request walks the whole history", () => {
    const messages = [user("x"), caller("a", "b"), result("a"), result("b"), user("y")];
    const wire = wireHistory(messages);
    expect(wire.map((message, index) => message === messages[index])).toEqual([true, true, true, true, true]);
  });

  test("ids that were used before are renamed on both sides; odd ones get a plain form", () => {
    const wire = wireHistory([
      user("x"),
      caller("a"),
      result("a"),
      caller("a"),
      result("a", "second"),
      caller("call|odd+/="),
      result("call|odd+/="),
    ]);
    const ids = wire.flatMap((message) => message.tool_calls?.map((made) => made.id) ?? message.tool_call_id ?? []);
    expect(ids[0]).toBe("a");
    for (let at = 0; at < ids.length; at += 2) expect(ids[at]).toBe(ids[at + 1]);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/);
    for (const id of wireHistory([user("x"), caller("a"), result("a")], "nine").flatMap(
      (message) => message.tool_call_id ?? [],
    ))
      expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
  });

  test("arguments go out as text that parses", () => {
    const messages = [
      user("x"),
      {
        role: "assistant",
        content: "",
        tool_calls: [call("a", { p: 1 }), call("b", "{cut"), call("c", null), call("d", '{"p":1}')],
      } as Message,
    ];
    expect(wireHistory(messages)[1]?.tool_calls?.map((made) => made.function.arguments)).toEqual([
      '{"p":1}',
      "{}",
      "{}",
      '{"p":1}',
    ]);
  });

  const content: fc.Arbitrary<Message["content"]> = fc.oneof(
    fc.string(),
    fc.constant(null),
    fc.constantFrom<Message["content"]>("text", [{ type: "text", text: "part" }]),
  );
  const role = fc.constantFrom<Message["role"]>("user", "system", "assistant");
  const message: fc.Arbitrary<Message> = fc.oneof(
    fc.tuple(role, content).map(([by, said]): Message => ({ role: by, content: said })),
    fc.array(fc.constantFrom("a", "b", "c|d", ""), { maxLength: 3 }).map((ids): Message => caller(...ids)),
    fc.constantFrom("a", "b", "c|d", "").map((id) => result(id)),
  );

  test("whatever the history was, a strict endpoint takes it; doing it twice changes nothing", () => {
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 12 }),
        fc.constantFrom("plain" as const, "nine" as const),
        (messages, ids) => {
          const before = JSON.stringify(messages);
          const wire = wireHistory(messages, ids);
          expect(JSON.stringify(messages)).toBe(before);
          expect(historyFault(wire)).toBeUndefined();
          expect(
            wire.every(
              (entry, index) =>
                entry.role === "tool" || entry.role !== wire[index - 1]?.role || entry.role === "assistant",
            ),
          ).toBe(true);
          expect(wireHistory(wire, ids)).toEqual(wire);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("what endpoints taught", () => {
  const messages = [user("x"), { ...caller("a"), reasoning: "t" }, result("a", "")];

  test.each([
    ["nothing yet", {}, { content: "", reasoning_content: "t" }, ""],
    ["null for empty", { emptyContent: "null" }, { content: null }, "(empty)"],
    ["no thinking back", { drop: ["messages.reasoning_content"] }, {}, ""],
  ] as [string, EndpointNotes, object, string][])("%s", (_, notes, wanted, empty) => {
    const [, sent, answer] = buildChatBody(out(messages, notes)).messages as Message[];
    expect(sent).toMatchObject(wanted);
    expect(answer?.content).toBe(empty);
    expect("reasoning_content" in sent!).toBe(!notes.drop);
  });

  test("thinking is missed: every call carries some", () => {
    const bare = [user("x"), caller("a"), result("a")];
    expect((buildChatBody(out(bare)).messages as Message[])[1]).not.toHaveProperty("reasoning_content");
    expect((buildChatBody(out(bare, { echo: "always" })).messages as Message[])[1]).toMatchObject({
      reasoning_content: "",
    });
  });

  test("images go out as parts, or as a note where they are not taken", () => {
    const picture = [
      user([
        { type: "text", text: "see" },
        { type: "image_url", image_url: { url: "data:image/png;base64,A" } },
      ]),
    ];
    expect(buildChatBody(out(picture)).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: "data:image/png;base64,A" } },
        ],
      },
    ]);
    expect(buildChatBody(out(picture, { images: false })).messages).toEqual([
      { role: "user", content: expect.stringContaining("see\n\n[image left out") },
    ]);
    expect(buildResponsesBody(out(picture)).input).toEqual([
      {
        role: "user",
        content: [
          { type: "input_text", text: "see" },
          { type: "input_image", image_url: "data:image/png;base64,A", detail: "auto" },
        ],
      },
    ]);
  });

  test("sound and video in each API's form", () => {
    const media = (mimeType: string) => [user([{ type: "media", mimeType, dataUrl: `data:${mimeType};base64,QQ==` }])];
    const chat = (mimeType: string) => (buildChatBody(out(media(mimeType))).messages as Message[])[0]?.content;
    expect(chat("audio/mpeg")).toEqual([{ type: "input_audio", input_audio: { data: "QQ==", format: "mp3" } }]);
    expect(chat("audio/wav")).toMatchObject([{ input_audio: { format: "wav" } }]);
    expect(chat("video/mp4")).toEqual([{ type: "video_url", video_url: { url: "data:video/mp4;base64,QQ==" } }]);
    expect(chat("image/png")).toEqual([{ type: "image_url", image_url: { url: "data:image/png;base64,QQ==" } }]);
  });

  test("Responses: thinking goes with what follows it, never alone and never unsealed", () => {
    const sealed = { type: "reasoning", id: "rs", summary: [], encrypted_content: "S", status: "completed" };
    const items = buildResponsesBody(
      out([
        user("x"),
        { role: "assistant", content: "", reasoning_details: [sealed] },
        user("y"),
        {
          role: "assistant",
          content: "z",
          reasoning_details: [sealed, { type: "reasoning", id: "bare", summary: [] }, { type: "reasoning.text" }],
        },
      ]),
    ).input;
    expect(items).toEqual([
      { role: "user", content: "x\n\ny" },
      { type: "reasoning", id: "rs", summary: [], encrypted_content: "S" },
      { role: "assistant", content: "z" },
    ]);
  });
});

test("half pairs and NUL never reach the wire, whole pairs do", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.array(fc.constantFrom("\ud83c", "\udf0d", "\0", "🌍", "a", "\\u0000")),
      (text, more) => {
        const raw = wireText({ content: text + more.join("") });
        const { content } = JSON.parse(raw) as { content: string };
        expect(content).not.toMatch(/\p{Surrogate}|\0/u);
        expect(content.match(/🌍/g)?.length ?? 0).toBe((text + more.join("")).match(/🌍/gu)?.length ?? 0);
      },
    ),
  );
});

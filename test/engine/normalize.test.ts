import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeHistory, UNFINISHED } from "../../src/engine/normalize";
import type { Message, ToolCall } from "../../src/shared/messages";
import { faultsOf } from "./validHistory";

const call = (id: string, args = "{}"): ToolCall => ({
  id,
  type: "function",
  function: { name: "f", arguments: args },
});
const asks = (...calls: ToolCall[]): Message => ({ role: "assistant", content: null, tool_calls: calls });
const result = (id: string, content = "r"): Message => ({ role: "tool", tool_call_id: id, content });
const user: Message = { role: "user", content: "u" };

describe("normalizeHistory", () => {
  const rows: [string, Message[], Message[]][] = [
    ["puts in a missing result", [asks(call("a")), user], [asks(call("a")), result("a", UNFINISHED), user]],
    [
      "puts it in at its place",
      [asks(call("a"), call("b")), result("b")],
      [asks(call("a"), call("b")), result("a", UNFINISHED), result("b")],
    ],
    [
      "brings results into call order",
      [asks(call("a"), call("b")), result("b"), result("a")],
      [asks(call("a"), call("b")), result("a"), result("b")],
    ],
    ["drops an orphan", [user, result("x"), user], [user, user]],
    [
      "drops a second result",
      [asks(call("a")), result("a", "1"), result("a", "2")],
      [asks(call("a")), result("a", "1")],
    ],
    [
      "fetches a result from behind a user message",
      [asks(call("a")), user, result("a")],
      [asks(call("a")), result("a"), user],
    ],
    [
      "replaces unreadable arguments",
      [asks(call("a", '{"x": "cut')), result("a")],
      [asks(call("a", "{}")), result("a")],
    ],
    [
      "replaces arguments that are no object",
      [asks(call("a", "[1]")), result("a")],
      [asks(call("a", "{}")), result("a")],
    ],
    [
      "drops empty assistant messages",
      [user, { role: "assistant", content: "" }, { role: "assistant", content: null, tool_calls: [] }, user],
      [user, user],
    ],
    [
      "gives missing ids",
      [asks(call(""), call("")), result(""), result("")],
      [asks(call("zq0000001"), call("zq0000002")), result("zq0000001"), result("zq0000002")],
    ],
    [
      "gives new ids where one was used before",
      [asks(call("c")), result("c", "1"), asks(call("c")), result("c", "2")],
      [asks(call("c")), result("c", "1"), asks(call("zq0000001")), result("zq0000001", "2")],
    ],
  ];
  it.each(rows)("%s", (_, given, wanted) => expect(normalizeHistory(given)).toEqual(wanted));

  it("leaves what is sound as the same objects", () => {
    const messages = [user, asks(call("a")), result("a"), { role: "assistant", content: "x" } as Message];
    const sound = normalizeHistory(messages);
    expect(sound.every((message, at) => message === messages[at])).toBe(true);
  });

  it("can leave calls at the end for later", () => {
    const messages = [user, asks(call("a"), call("b", "{bad")), result("a")];
    expect(normalizeHistory(messages, { keepPending: true, keepArguments: true })).toEqual(messages);
    expect(normalizeHistory([...messages, user], { keepPending: true }).at(3)?.content).toBe(UNFINISHED);
  });

  const anyId = fc.constantFrom("a", "b", "c", "", "zq0000001");
  const anyArgs = fc.constantFrom("{}", '{"x":1}', "{cut", '"text"', "");
  const anyMessage: fc.Arbitrary<Message> = fc.oneof(
    fc.constant(user),
    fc.record({ role: fc.constant("tool" as const), tool_call_id: anyId, content: fc.constantFrom("1", "2") }),
    fc.record({
      role: fc.constant("assistant" as const),
      content: fc.constantFrom(null, "", "text"),
      tool_calls: fc.array(
        fc.tuple(anyId, anyArgs).map(([id, args]) => call(id, args)),
        { maxLength: 3 },
      ),
    }),
  );

  it("makes any history valid, and a second time changes nothing", () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 14 }), (messages) => {
        const once = normalizeHistory(messages);
        expect(faultsOf(once)).toEqual([]);
        expect(normalizeHistory(once)).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });

  it("never changes what came before when something is added", () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 8 }), fc.array(anyMessage, { maxLength: 6 }), (start, more) => {
        const before = normalizeHistory(start);
        const after = normalizeHistory([...before, user, ...more]);
        expect(after.slice(0, before.length)).toEqual(before);
      }),
      { numRuns: 1000 },
    );
  });
});

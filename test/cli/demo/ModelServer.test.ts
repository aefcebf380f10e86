import { describe, expect, test } from "vitest";
import { startModelServer } from "../../support/modelServer";

async function post(url: string, body: object) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

const chat = { model: "m", stream: true, messages: [{ role: "user", content: "hi" }] };
const tools = [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }];

describe("the scripted model server", () => {
  test("streams a Chat reply in pieces and ends it with the usage and the end mark", async () => {
    const { url, server } = await startModelServer([
      { text: "Hello there.", reasoning: "hm", chunk: 5, usage: { input: 7, output: 3 } },
    ]);
    const { text } = await post(`${url}/chat/completions`, chat);
    const deltas = [...text.matchAll(/"content":"([^"]+)"/g)].map((match) => match[1]);
    expect(deltas).toEqual(["Hello", " ther", "e."]);
    expect(text).toContain('"reasoning_content":"hm"');
    expect(text).toContain('"prompt_tokens":7');
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(server.requests[0]).toMatchObject({
      api: "chat",
      model: "m",
      answered: 200,
      tools: [],
      messages: chat.messages,
    });
  });

  test("streams typed Responses events with rising sequence numbers", async () => {
    const { url, server } = await startModelServer([
      { text: "Hi", calls: [{ name: "read_file", args: { path: "a" } }] },
    ]);
    const { text } = await post(`${url}/responses`, {
      model: "m",
      stream: true,
      instructions: "be kind",
      input: [{ role: "user", content: "go" }],
      tools,
    });
    const events = [...text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ""));
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect(events[0].type).toBe("response.created");
    expect(events.at(-1)).toMatchObject({
      type: "response.completed",
      response: { output: [{ type: "message" }, { type: "function_call", name: "read_file" }] },
    });
    expect(server.requests[0]?.messages).toEqual([
      { role: "system", content: "be kind" },
      { role: "user", content: "go" },
    ]);
  });

  test("answers with one object where no stream was asked for", async () => {
    const { url } = await startModelServer([{ text: "Hi" }]);
    const { text } = await post(`${url}/chat/completions`, { ...chat, stream: false });
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
  });

  test("chatOnly has no Responses path; a side script leaves the main one alone", async () => {
    const { url, server } = await startModelServer([{ text: "one" }, { text: "two" }], {
      chatOnly: true,
      side: [{ text: "A name" }],
    });
    expect((await post(`${url}/responses`, { model: "m", input: "x" })).status).toBe(404);
    expect((await post(`${url}/chat/completions`, { ...chat, tools })).text).toContain("one");
    expect((await post(`${url}/chat/completions`, chat)).text).toContain("A name");
    expect((await post(`${url}/chat/completions`, { ...chat, tools, tool_choice: "none" })).text).toContain("A name");
    expect((await post(`${url}/chat/completions`, { ...chat, tools })).text).toContain("two");
    expect(server.requests.map((request) => request.answered)).toEqual([404, 200, 200, 200, 200]);
  });

  test.each([
    [
      "a call without its result",
      [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "x", arguments: "{}" } }],
        },
        { role: "user", content: "next" },
      ],
    ],
    ["an orphan result", [{ role: "tool", tool_call_id: "c", content: "x" }]],
    ["an empty assistant message", [{ role: "assistant", content: "" }]],
    [
      "arguments that are no JSON",
      [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "x", arguments: "{" } }],
        },
        { role: "tool", tool_call_id: "c", content: "" },
      ],
    ],
    [
      "a late system message",
      [
        { role: "user", content: "x" },
        { role: "system", content: "y" },
      ],
    ],
  ])("strict refuses %s", async (_, messages) => {
    const { url } = await startModelServer([{ text: "ok" }], { strict: true });
    expect((await post(`${url}/chat/completions`, { ...chat, messages })).status).toBe(400);
  });

  test("strict judges a Responses history in the same way", async () => {
    const { url } = await startModelServer(() => ({ text: "ok" }), { strict: true });
    const call = { type: "function_call", call_id: "c", name: "x", arguments: "{}" };
    const output = { type: "function_call_output", call_id: "c", output: "y" };
    const user = { role: "user", content: "go" };
    expect((await post(`${url}/responses`, { model: "m", input: [user, call, output] })).status).toBe(200);
    expect((await post(`${url}/responses`, { model: "m", input: [user, call, user] })).status).toBe(400);
    expect((await post(`${url}/responses`, { model: "m", input: [user, output] })).status).toBe(400);
  });

  test("a script function decides by the request, and waitForRequest tells of it", async () => {
    const { url, server } = await startModelServer((request) => ({ text: `seen ${request.messages.length}` }));
    const arrival = server.waitForRequest(2);
    expect((await post(`${url}/chat/completions`, chat)).text).toContain("seen 1");
    await post(`${url}/chat/completions`, { ...chat, messages: [...chat.messages, ...chat.messages] });
    expect((await arrival).messages).toHaveLength(2);
  });

  test("fixed statuses, headers and bodies, and a script that ran out", async () => {
    const { url } = await startModelServer([{ status: 429, headers: { "retry-after": "2" }, body: "slow down" }]);
    expect(await post(`${url}/chat/completions`, chat)).toEqual({ status: 429, text: "slow down" });
    expect((await post(`${url}/chat/completions`, chat)).text).toContain("script_exhausted");
  });

  test.each(["cut", "reset"] as const)("%s breaks the connection in mid-reply", async (fault) => {
    const { url } = await startModelServer([{ text: "Hello there, this is long.", chunk: 3, fault }]);
    await expect(post(`${url}/chat/completions`, chat)).rejects.toThrow();
  });

  test("close ends a reply that hangs", async () => {
    const { url, server } = await startModelServer([{ text: "Hello", fault: "hang-before-headers" }]);
    const call = post(`${url}/chat/completions`, chat).catch(() => "closed");
    await server.waitForRequest();
    await server.close();
    expect(await call).toBe("closed");
  });

  test("lists its models", async () => {
    const { url, server } = await startModelServer([], { models: [{ id: "a", context_length: 4096 }] });
    expect(await (await fetch(`${url}/models`)).json()).toMatchObject({ data: [{ id: "a", context_length: 4096 }] });
    expect(server.others).toEqual(["GET /v1/models"]);
  });
});

// Guide 10.2: a provider of the host's own; it answers from memory and heeds the signal.
import { EventType, PermissionEngine, ToolRegistry, TurnEngine } from "@zqagent/core";

/** @typedef {import("@zqagent/core").StreamChunk} StreamChunk */

/** @type {StreamChunk} */
const empty = { content: null, reasoning: null, toolCalls: null, usage: null, finishReason: null };

/** @typedef {import("@zqagent/core").ProviderClient} ProviderClient */

/** @implements {ProviderClient} */
class MyProvider {
  /**
   * @param {string} model
   * @param {import("@zqagent/core").Message[]} messages
   * @param {import("@zqagent/core").ToolSchema[]} tools
   * @param {{ reqId: string, logTime: string, signal?: AbortSignal }} opts
   */
  async stream(model, messages, tools, opts) {
    console.log(model, messages.length, tools.length, typeof opts.reqId, typeof opts.logTime);
    return this.chunks(messages.at(-1)?.role === "tool", opts.signal);
  }

  async chat() {
    return null;
  }

  /** @param {boolean} isAnswered @param {AbortSignal} [signal] @returns {AsyncGenerator<StreamChunk>} */
  async *chunks(isAnswered, signal) {
    signal?.throwIfAborted();
    yield { ...empty, reasoning: "Hm." };
    if (isAnswered) {
      yield { ...empty, content: "It is noon." };
      yield { ...empty, usage: { input: 20, output: 5 }, finishReason: "stop" };
    } else {
      const call = { id: "c1", type: /** @type {const} */ ("function"), function: { name: "clock", arguments: "{}" } };
      yield { ...empty, toolCalls: [call] };
    }
  }
}

const registry = new ToolRegistry();
registry.register(
  () => "12:00",
  { category: "clock", riskLevel: "low", capabilities: [], requiresApproval: false },
  { type: "function", function: { name: "clock", parameters: { type: "object", properties: {} } } },
);
const engine = new TurnEngine({
  provider: new MyProvider(),
  registry,
  permissions: new PermissionEngine({ workspaceRoot: process.cwd() }),
  model: "mine",
  instructions: "Tell the time.",
});
for await (const event of engine.run("What time is it?")) {
  if (event.type === EventType.REASONING_DELTA) console.log("thinks", event.data.text);
  if (event.type === EventType.ASSISTANT_MESSAGE) console.log("says", event.data.text, event.data.tool_calls);
  if (event.type === EventType.TURN_END) console.log(event.data.status);
}

// Guide 7.2: a tool of the host's own, replaced, hidden, shown and removed; what it throws is a result.
import { ApprovalOutcome, createDefaultEngine } from "@zqagent/core";

const myOrderService = {
  /** @param {string} orderId */
  async query(orderId) {
    if (orderId === "13") throw new RangeError("There is no order 13.");
    return { orderId, status: "shipped", amount: 12.5 };
  },
};

const engine = createDefaultEngine({ workspace: process.cwd() });
const { registry } = engine;

/** @type {import("@zqagent/core").ToolSchema} */
const schema = {
  type: "function",
  function: {
    name: "query_order",
    description: "Looks an order up by its number and returns its status and amount",
    parameters: {
      type: "object",
      properties: {
        order_id: { type: "string", description: "Order number" },
      },
      required: ["order_id"],
    },
  },
};

const spec = registry.register(
  async (args, ctx) => {
    console.log("signal", ctx?.signal instanceof AbortSignal);
    const orderId = String(args.order_id);
    return await myOrderService.query(orderId);
  },
  {
    category: "business",
    riskLevel: "high",
    capabilities: ["query_order"],
    requiresApproval: true,
  },
  schema,
  "myapp",
);
console.log(spec.name, spec.source);

engine.setApprover(async ({ toolName, metadata }) => {
  console.log("approve", toolName, JSON.stringify(metadata));
  return ApprovalOutcome.ONCE;
});
for await (const { type, data } of engine.run("Where are orders 7 and 13?")) {
  if (type === "tool_finished") console.log(data.name, data.status);
}
for (const message of engine.messages) if (message.role === "tool") console.log(message.content);

const visible = () => registry.schemas().some((candidate) => candidate.function.name === "query_order");
registry.register(() => "replaced", spec.metadata, schema, "myapp");
console.log(registry.list().filter(({ name }) => name === "query_order").length);
registry.disable("query_order");
console.log(visible());
registry.enable("query_order");
console.log(visible(), (await registry.call("query_order", { order_id: "7" })).content);
registry.remove("query_order");
console.log(visible());
const bare = registry.register(function nameless_schema() {}, spec.metadata);
console.log(bare.name, JSON.stringify(bare.schema.function.parameters));

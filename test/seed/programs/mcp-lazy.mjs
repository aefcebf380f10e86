// Guide 15.4: many tools are searched instead of listed.
import { MCP_CALL_TOOL, MCP_SEARCH_TOOL, McpManager, ToolRegistry } from "@zqagent/core";

const registry = new ToolRegistry();
const configs = [{ name: "github", command: ["node", "server.mjs"] }];
const manager = new McpManager(registry, configs, {
  lazy: {
    enabled: true,
    thresholdTools: 16,
    thresholdChars: 24_000,
    maxLoaded: 40,
  },
});
await manager.connectAll();
console.log(MCP_SEARCH_TOOL, MCP_CALL_TOOL);
console.log(
  registry
    .list()
    .map(({ name, metadata }) => `${name} ${metadata.requiresApproval}`)
    .join("; "),
);
const found = await registry.call(MCP_SEARCH_TOOL, { query: "greet" });
console.log(found.content.includes("mcp__github__greet"), registry.get("mcp__github__greet") !== undefined);
await manager.closeAll();

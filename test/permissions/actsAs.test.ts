import { expect, test } from "vitest";
import { PermissionEngine } from "../../src/permissions/PermissionEngine";
import type { ToolMetadata } from "../../src/shared/contracts";

const relay: ToolMetadata = {
  category: "mcp",
  riskLevel: "high",
  capabilities: [],
  requiresApproval: true,
  writes: () => [],
  actsAs: (args) => {
    if (args.name === "broken") throw new Error("no");
    return typeof args.name === "string" ? args.name : undefined;
  },
};

test("'always' for a tool reached through another opens that one alone", () => {
  const permissions = new PermissionEngine({ workspaceRoot: import.meta.dirname });
  permissions.allowToolForSession("mcp__a__read");
  const ask = (name: unknown) => permissions.evaluate("mcp_call_tool", { name }, relay).needsUser;
  expect([ask("mcp__a__read"), ask("mcp__a__delete"), ask(7), ask("broken")]).toEqual([false, true, true, true]);
});

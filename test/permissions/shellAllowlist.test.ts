/** The corpus of commands that must, or must not, run without asking under an allow list (guide 8.5). */
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { PermissionEngine } from "../../src/permissions/PermissionEngine";
import type { ToolMetadata } from "../../src/shared/contracts";
import cases from "./cases/shell-allowlist.json";

const shell: ToolMetadata = { category: "shell", riskLevel: "high", capabilities: [], requiresApproval: true };

interface Case {
  id: string;
  kind: string;
  command: string;
  allowed: string[];
  session?: string[];
  autoAllow: boolean;
  why: string;
}

test.each(cases as Case[])("$id $kind: $why", ({ allowed, session = [], command, autoAllow }) => {
  const engine = new PermissionEngine({ workspaceRoot: tmpdir(), allowedCommands: allowed });
  for (const chosen of session) engine.allowCommandForSession(chosen);
  const decision = engine.evaluate("run_shell", { command }, shell);
  expect(decision.allowed && !decision.needsUser).toBe(autoAllow);
});

/** Files that make other programs run code: asked about even in AUTO and when the tool is allowed (guide 8.1, departure). */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Mode, PermissionEngine } from "../../src/permissions/PermissionEngine";
import type { ToolMetadata } from "../../src/shared/contracts";

const write: ToolMetadata = { category: "file", riskLevel: "high", capabilities: [], requiresApproval: true };

function autoEngine(): PermissionEngine {
  const workspaceRoot = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-protected-")));
  const permissions = new PermissionEngine({ workspaceRoot, mode: Mode.AUTO });
  permissions.allowToolForSession("write_file");
  return permissions;
}

test.each([
  ".git/hooks/pre-commit",
  ".git/config",
  ".git/config.worktree",
  ".git/modules/x/config",
  ".git",
  "vendor/lib/.git/hooks/post-checkout",
  ".GIT/hooks/post-checkout",
  ".git./config",
  ".git /config",
  ".g\u200cit/config",
  "GIT~1/config",
  ".git::$INDEX_ALLOCATION/config",
  ".agent/mcp.json",
  ".agent/config.json",
  ".Agent/MCP.json",
  ".agent/hooks/x",
  ".agents/skills/x/SKILL.md",
  ".vscode/tasks.json",
  ".idea/workspace.xml",
  "src/../.git/config",
])("%s asks", (path) => {
  const decision = autoEngine().evaluate("write_file", { path }, write);
  expect(decision).toMatchObject({ allowed: false, needsUser: true, protectedFile: true });
  expect(decision.reason).toContain(path);
});

test.each([
  "src/a.ts",
  ".gitignore",
  ".github/workflows/ci.yml",
  "git/config",
  ".agent/notes.md",
  "docs/.git-guide.md",
])("%s does not", (path) => {
  expect(autoEngine().evaluate("write_file", { path }, write)).toMatchObject({ allowed: true, needsUser: false });
});

test("a link to a protected folder is that folder", () => {
  const permissions = autoEngine();
  mkdirSync(join(permissions.roots.workspace, ".git/hooks"), { recursive: true });
  symlinkSync(".git/hooks", join(permissions.roots.workspace, "handy"));
  expect(permissions.evaluate("write_file", { path: "handy/pre-commit" }, write).needsUser).toBe(true);
});

test("one protected file among several makes the call ask", () => {
  const patch = { ...write, writes: () => ["src/a.ts", ".git/config"] };
  expect(autoEngine().evaluate("apply_patch", {}, patch).protectedFile).toBe(true);
});

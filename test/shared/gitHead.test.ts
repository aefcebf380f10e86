import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitHead } from "../../src/shared/gitHead";

describe("the branch", () => {
  const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });

  test("of a repository, of a folder in it, of a worktree, of a detached head; none without one", () => {
    const root = mkdtempSync(join(tmpdir(), "zqagent-branch-"));
    expect(gitHead(root)).toBeNull();
    const project = join(root, "project");
    mkdirSync(join(project, "deep/er"), { recursive: true });
    git(project, "init", "-q", "-b", "feature/one");
    git(project, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x");
    expect(gitHead(join(project, "deep/er"))?.branch).toBe("feature/one");
    git(project, "worktree", "add", "-q", "-b", "two", join(root, "tree"));
    expect(gitHead(join(root, "tree"))?.branch).toBe("two");
    git(project, "checkout", "-q", "--detach");
    expect(gitHead(project)?.branch).toMatch(/^[0-9a-f]{7}$/);
    writeFileSync(join(project, ".git/HEAD"), "nonsense");
    expect(gitHead(project)).toBeNull();
  });
});

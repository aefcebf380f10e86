/** The profile for macOS, as text: what is allowed, what is taken out again, and how names are quoted. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildMacProfile } from "../../src/sandbox/macProfile";
import { buildPlan } from "../../src/sandbox/plan";

function planOf(name: string, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "zqagent-mac-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, name, ".git/hooks"), { recursive: true });
  return buildPlan(options, join(folder, name));
}

test("writes are denied first, then allowed where they belong, then denied for what runs code", () => {
  const plan = planOf("ws", { extraWritable: ["/data/cache"] });
  const profile = buildMacProfile(plan);
  const at = (text: string) => profile.indexOf(text);
  expect(profile.startsWith("(version 1)\n(allow default)\n(deny file-write*)\n(allow file-write*\n")).toBe(true);
  for (const path of [plan.workspace, "/data/cache", ...plan.tempFolders]) {
    expect(at(`(subpath "${path}")`)).toBeGreaterThan(at("(deny file-write*)"));
  }
  const guards = profile.slice(profile.lastIndexOf("(deny file-write*\n"));
  for (const name of [".git/hooks", ".git/config", ".vscode", ".idea", ".agent"]) {
    expect(guards).toContain(`(subpath "${plan.workspace}/${name}")`);
  }
  expect(guards).toContain(`(deny file-write-unlink\n  (literal "${plan.workspace}/.git"))`);
  expect(profile).not.toContain("network");
});

test("without the network", () => {
  expect(buildMacProfile(planOf("ws", { network: false }))).toMatch(/\(deny network\*\)$/);
});

test("a name cannot leave its string", () => {
  const profile = buildMacProfile(planOf('a") (allow file-write* (subpath "'));
  expect(profile).toContain('a\\") (allow file-write* (subpath \\"');
  expect(profile.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/allow file-write\*/g)).toHaveLength(2);
});

/** Every edit case through the registry: arguments as given, each file read first, files compared byte for byte. */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readRegularFile } from "../../../src/shared/files";
import { ConflictGuard } from "../../../src/tools/ConflictGuard";
import { registerDiffTools } from "../../../src/tools/diff";
import { ToolRegistry } from "../../../src/tools/ToolRegistry";
import { registerWriteTools } from "../../../src/tools/writeFiles";

interface EditCase {
  id: string;
  tool: string;
  kind: string;
  files: Record<string, string>;
  args: Record<string, unknown>;
  expect: { files?: Record<string, string>; errorContains?: string[] };
}

const folder = join(import.meta.dirname, "cases", "edits");
const cases = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as EditCase);
const made: string[] = [];

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function workspaceOf(files: Record<string, string>): string {
  const outer = mkdtempSync(join(tmpdir(), "zqagent-edit-"));
  made.push(outer);
  const workspace = join(outer, "w", "s");
  mkdirSync(workspace, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), content);
  }
  return workspace;
}

function filesIn(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const pairs = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [relative(root, path), readFileSync(path, "utf8")] as const;
  });
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function run(one: EditCase, workspace: string) {
  const registry = new ToolRegistry();
  const guard = new ConflictGuard();
  registerWriteTools(registry, workspace, { guard });
  registerDiffTools(registry, workspace, { guard });
  for (const name of Object.keys(one.files)) {
    const path = join(workspace, name);
    guard.noteRead(path, await readRegularFile(path));
  }
  const parsed = registry.parseArguments(one.tool, JSON.stringify(one.args));
  if ("fault" in parsed) return { content: parsed.fault, status: "error" };
  return registry.call(one.tool, parsed.args);
}

describe.each(cases.map((one) => [one.id, one.kind, one] as const))("%s: %s", (_id, _kind, one) => {
  it("does exactly what was asked, or changes nothing and says why", async () => {
    const workspace = workspaceOf(one.files);
    const result = await run(one, workspace);
    if (one.expect.files) {
      expect(result.status, result.content).toBe("ok");
      expect(filesIn(workspace)).toEqual(one.expect.files);
    } else {
      expect(result.status, result.content).toBe("error");
      expect(filesIn(workspace)).toEqual(one.files);
      for (const part of one.expect.errorContains ?? []) {
        expect(result.content.toLowerCase()).toContain(part.toLowerCase());
      }
    }
    expect(existsSync(join(dirname(workspace), "evil.txt"))).toBe(false);
  });
});

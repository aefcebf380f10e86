/**
 * Every edit case through the whole engine: each file read first, mode AUTO, an approver that is never asked, arguments
 * as given; files compared byte for byte, and the result's status and words.
 */

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createDefaultEngine } from "../../../src/createDefaultEngine";
import { drain, only } from "../../support/drain";
import { ScriptedProvider } from "../../support/scriptedProvider";

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
  return Object.fromEntries(pairs);
}

/** Plays one turn: all reads in the first reply, the edit in the second. */
async function run(one: EditCase, workspace: string): Promise<{ status: unknown; content: string }> {
  const reads = Object.keys(one.files).map((path) => ({ name: "read_file", args: { path } }));
  const edit = { name: one.tool, args: one.args };
  const replies = [...(reads.length > 0 ? [{ calls: reads }] : []), { calls: [edit] }, { text: "done" }];
  const engine = createDefaultEngine({
    workspace,
    model: "scripted",
    mode: "auto",
    lang: "en",
    provider: new ScriptedProvider(replies, [{ text: "name" }]),
  });
  engine.setApprover(() => Promise.reject(new Error("nobody is asked")));
  const finished = only(await drain(engine.run("go")), "tool_finished").at(-1);
  const answer = engine.messages.filter((message) => message.role === "tool").at(-1);
  return { status: finished?.["status"], content: String(answer?.content) };
}

describe.each(cases.map((one) => [one.id, one.kind, one] as const))("%s: %s", (_id, _kind, one) => {
  it("does exactly what was asked, or changes nothing and says why", async () => {
    const workspace = workspaceOf(one.files);
    const { status, content } = await run(one, workspace);
    expect(filesIn(workspace), content).toEqual(one.expect.files ?? one.files);
    if (one.expect.files) expect(status, content).toBe("ok");
    else expect(status, content).toBe(one.expect.errorContains?.includes("outside") ? "denied" : "error");
    for (const part of one.expect.errorContains ?? []) expect(content.toLowerCase()).toContain(part.toLowerCase());
    expect(existsSync(join(dirname(workspace), "evil.txt"))).toBe(false);
  });
});

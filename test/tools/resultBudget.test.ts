import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolResult } from "../../src/shared/contracts";
import { WorkspaceRoots } from "../../src/shared/paths";
import { registerReadFile } from "../../src/tools/read/readFile";
import { applyResultBudget } from "../../src/tools/resultBudget";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { callers, temporaryFolder } from "./toolBench";

const numbered = Array.from({ length: 9000 }, (_, at) => `line ${at + 1} of the output`).join("\n");

function budget(
  content: string,
  env: Record<string, string> = {},
  reqId = "call_1",
): Promise<ToolResult & { dir: string }> {
  const dir = join(temporaryFolder(), "tool-results");
  return applyResultBudget({ content }, { reqId, dir, env }).then((result) => ({ ...result, dir }));
}

describe("a long result", () => {
  test("is saved whole, and its two ends are shown below a notice", async () => {
    const { content, dir } = await budget(numbered);
    const [notice, ...rest] = content.split("\n");
    expect(notice).toBe(
      `[${numbered.length.toLocaleString("en-US")} characters, middle left out; ` +
        "all of it is in tool-results/call_1.txt: read_file can page it]",
    );
    expect(readFileSync(join(dir, "call_1.txt"), "utf8")).toBe(numbered);
    expect(content.length).toBeLessThanOrEqual(30_000);
    expect(content.length).toBeGreaterThan(29_000);
    const gap = rest.indexOf("[…]");
    expect(rest[0]).toBe("line 1 of the output");
    expect(rest.at(-1)).toBe("line 9000 of the output");
    expect(rest[gap - 1]).toMatch(/^line \d+ of the output$/);
    expect(rest[gap + 1]).toMatch(/^line \d+ of the output$/);
    const head = rest.slice(0, gap).join("\n").length;
    expect(head / (content.length - head)).toBeCloseTo(0.4 / 0.6, 1);
  });

  test("can be paged by read_file under the name in the notice", async () => {
    const { dir } = await budget(numbered);
    const roots = new WorkspaceRoots(temporaryFolder());
    roots.allowReading(dir);
    const registry = new ToolRegistry();
    registerReadFile(registry, { roots });
    const page = await callers(registry).text("read_file", { path: "tool-results/call_1.txt", offset: 4500, limit: 1 });
    expect(page.split("\n")[0]).toBe("4500|line 4500 of the output");
    expect(await callers(registry).error("read_file", { path: "tool-results/../other.txt" })).toContain("not found");
  });

  test("is private", async () => {
    const { dir } = await budget(numbered);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, "call_1.txt")).mode & 0o777).toBe(0o600);
  });

  test("keeps what belongs to it", async () => {
    const dir = temporaryFolder();
    const result = await applyResultBudget(
      { content: numbered, status: "error", display: 1 },
      { reqId: "a", dir, env: {} },
    );
    expect(result).toMatchObject({ status: "error", display: 1 });
  });
});

describe("limits", () => {
  test("what fits is not touched", async () => {
    expect((await budget("x".repeat(30_000))).content).toBe("x".repeat(30_000));
  });

  test.each([
    [{ TOOL_RESULT_MAX_CHARS: "1000" }, 1000, true],
    [{ TOOL_RESULT_MAX_CHARS: "1000", TOOL_RESULT_SAVE_THRESHOLD: "500000" }, 1000, false],
    [{ TOOL_RESULT_SAVE_THRESHOLD: "2000" }, 2000, true],
    [{ TOOL_RESULT_MAX_CHARS: "nonsense" }, 30_000, true],
  ])("%j", async (env, longest, isSaved) => {
    const { content, dir } = await budget(numbered, env);
    expect(content.length).toBeLessThanOrEqual(longest);
    expect(content.startsWith("[")).toBe(true);
    expect(safeList(dir)).toEqual(isSaved ? ["call_1.txt"] : []);
  });

  test("a tool that limits itself is passed on", async () => {
    const dir = temporaryFolder();
    const result = await applyResultBudget({ content: numbered }, { reqId: "a", dir, env: {}, selfLimiting: true });
    expect(result.content).toBe(numbered);
    expect(readdirSync(dir)).toEqual([]);
  });

  test("any text comes out short enough and without half a character", async () => {
    const dir = temporaryFolder();
    const env = { TOOL_RESULT_MAX_CHARS: "300", TOOL_RESULT_SAVE_THRESHOLD: "100000" };
    const pieces = fc.array(fc.constantFrom("😀", "a", "\n", "日", "word "), { minLength: 300, maxLength: 2000 });
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const { content } = await applyResultBudget({ content: parts.join("") }, { reqId: "a", dir, env });
        expect(content.length).toBeLessThanOrEqual(300);
        expect(/[\uD800-\uDFFF]/u.test(content)).toBe(false);
      }),
    );
  });
});

describe("the file", () => {
  test.each([
    ["../../etc/passwd", "passwd.txt"],
    ["a/b c:d", "b_c_d.txt"],
    ["", "result.txt"],
    ["..", "__.txt"],
    ["x".repeat(300), `${"x".repeat(80)}.txt`],
  ])("an id of %j becomes %j", async (reqId, file) => {
    expect(safeList((await budget(numbered, {}, reqId)).dir)).toEqual([file]);
  });

  test("never replaces another or goes through a link", async () => {
    const dir = temporaryFolder();
    const outside = join(temporaryFolder(), "outside.txt");
    writeFileSync(outside, "kept");
    symlinkSync(outside, join(dir, "a.txt"));
    const { content } = await applyResultBudget({ content: numbered }, { reqId: "a", dir, env: {} });
    expect(content).toContain("tool-results/a-2.txt");
    expect(readFileSync(outside, "utf8")).toBe("kept");
  });

  test("that cannot be written does not cost the result", async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, "file"), "");
    const result = await applyResultBudget({ content: numbered }, { reqId: "a", dir: join(dir, "file", "x"), env: {} });
    expect(result.content).toMatch(/^\[.* characters, middle left out; it could not be saved \(/);
  });
});

function safeList(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

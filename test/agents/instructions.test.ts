import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildEnvBlock } from "../../src/agents/environment";
import { buildInstructions } from "../../src/agents/instructions";
import { promptSets } from "../../src/shared/prompts";

function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "zqagent-project-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("the system prompt", () => {
  test("is the same on another day", () => {
    const root = project({ "AGENTS.md": "Use tabs." });
    expect(buildInstructions("code", root, "2026-12-01", "en")).toBe(
      buildInstructions("code", root, "2027-01-01", "en"),
    );
  });

  test("names the language and leaves no placeholder", () => {
    for (const lang of Object.keys(promptSets) as (keyof typeof promptSets)[]) {
      for (const role of ["code", "cowork"] as const) {
        expect(buildInstructions(role, project({}), "2026-12-01", lang)).not.toMatch(/\{\{|\}\}/);
      }
    }
    expect(buildInstructions("code", project({}), "2026-12-01", "ja")).toContain("Japanese");
  });

  test("has the same numbered sections in each language", () => {
    const numbers = (text: string) => [...text.matchAll(/^# (\d)\./gm)].map((match) => match[1]);
    for (const set of Object.values(promptSets)) {
      expect(numbers(set.code)).toEqual(numbers(promptSets.en.code));
      expect(numbers(set.cowork)).toEqual(numbers(promptSets.en.cowork));
    }
  });
});

describe("instruction files", () => {
  test("come from the git root down, nearer ones last", () => {
    const root = project({ ".git/HEAD": "ref: refs/heads/main\n", "AGENTS.md": "outer", "app/AGENTS.md": "inner" });
    const prompt = buildInstructions("code", join(root, "app"), "2026-12-01", "en");
    expect(prompt.indexOf("outer")).toBeLessThan(prompt.indexOf("inner"));
    expect(prompt).toContain('path="../AGENTS.md"');
  });

  test("of other assistants count where there is no AGENTS.md", () => {
    expect(buildInstructions("code", project({ "CLAUDE.md": "from claude" }), "2026-12-01", "en")).toContain(
      "from claude",
    );
    const both = project({ "CLAUDE.md": "from claude", "AGENTS.md": "from agents" });
    expect(buildInstructions("code", both, "2026-12-01", "en")).not.toContain("from claude");
  });

  test("are cut at 32 KB, the nearest kept", () => {
    const root = project({
      ".git/HEAD": "ref: refs/heads/main\n",
      "AGENTS.md": "o".repeat(20_000),
      "app/AGENTS.md": `${"i".repeat(20_000)}END`,
    });
    const prompt = buildInstructions("code", join(root, "app"), "2026-12-01", "en");
    expect(prompt).toContain("END");
    expect(prompt).not.toContain("ooo");
  });

  test("outside a repository only the workspace itself is looked at", () => {
    const root = project({ "AGENTS.md": "outer", "app/x": "" });
    expect(buildInstructions("code", join(root, "app"), "2026-12-01", "en")).not.toContain("outer");
  });
});

describe("the environment block", () => {
  test("says where we are", () => {
    const root = project({ ".git/HEAD": "ref: refs/heads/feature/x\n", "src/a.ts": "", "README.md": "" });
    const block = buildEnvBlock(root, "2026-12-01", "en", { gitState: "clean" });
    expect(block).toMatch(/^<environment>\n[\s\S]*<\/environment>$/);
    expect(block).toContain(`workspace: ${root}`);
    expect(block).toContain("date: 2026-12-01");
    expect(block).toContain("git: feature/x, clean");
    expect(block).toContain("files: src/ README.md");
  });

  test("lists forty entries at most", () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`f${String(index).padStart(2, "0")}`, ""]),
    );
    expect(buildEnvBlock(project(files), "2026-12-01", "en")).toContain("… and 20 more");
  });
});

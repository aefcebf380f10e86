/** A temporary workspace with the tools that read, called the way the engine calls them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import type { ToolContext, ToolResult } from "../../src/shared/contracts";
import { WorkspaceRoots } from "../../src/shared/paths";
import { registerListFiles } from "../../src/tools/list";
import { type ReadFileOptions, registerReadFile } from "../../src/tools/read/readFile";
import { registerSearchTool, type SearchToolOptions } from "../../src/tools/search";
import { ToolRegistry } from "../../src/tools/ToolRegistry";

export type Files = Record<string, string | Buffer>;

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder, real path. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-tools-")));
  made.push(folder);
  return folder;
}

/** Writes files; each one is a second newer than the one before. */
export function writeFiles(folder: string, files: Files): void {
  Object.entries(files).forEach(([path, content], at) => {
    const absolute = join(folder, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    const time = 1_700_000_000 + at;
    utimesSync(absolute, time, time);
  });
}

export interface ToolBench {
  folder: string;
  roots: WorkspaceRoots;
  registry: ToolRegistry;
  /** Parses the arguments and calls; a fault comes back as an error. */
  call(name: string, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult>;
  /** The content of a call that must succeed. */
  text(name: string, args: Record<string, unknown>, ctx?: ToolContext): Promise<string>;
  /** The sentence of a call that must fail. */
  error(name: string, args: Record<string, unknown>, ctx?: ToolContext): Promise<string>;
}

export function toolBench(
  files: Files = {},
  options: Omit<ReadFileOptions, "roots"> & Pick<SearchToolOptions, "ripgrep"> = {},
): ToolBench {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const roots = new WorkspaceRoots(folder);
  const registry = new ToolRegistry();
  registerReadFile(registry, { ...options, roots });
  registerListFiles(registry, { roots });
  registerSearchTool(registry, folder, { ...options, roots });
  return { folder, roots, registry, ...callers(registry) };
}

export function callers(registry: ToolRegistry): Pick<ToolBench, "call" | "text" | "error"> {
  const call: ToolBench["call"] = async (name, args, ctx) => {
    const parsed = registry.parseArguments(name, JSON.stringify(args));
    return "fault" in parsed ? { content: parsed.fault, status: "error" } : registry.call(name, parsed.args, ctx);
  };
  return {
    call,
    text: async (name, args, ctx) => {
      const result = await call(name, args, ctx);
      if (result.status !== "ok") throw new Error(`${name} failed: ${result.content}`);
      return result.content;
    },
    error: async (name, args, ctx) => {
      const result = await call(name, args, ctx);
      if (result.status !== "error") throw new Error(`${name} did not fail: ${result.content}`);
      return sentenceOf(result.content);
    },
  };
}

function sentenceOf(content: string): string {
  try {
    const parsed: unknown = JSON.parse(content);
    return String((parsed as { error?: unknown }).error ?? content);
  } catch {
    return content;
  }
}

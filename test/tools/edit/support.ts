/** A workspace in a temp folder with the four write tools on it. */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { FileChange, ToolContext, ToolResult } from "../../../src/shared/contracts";
import { readRegularFile } from "../../../src/shared/files";
import { WorkspaceRoots } from "../../../src/shared/paths";
import { ConflictGuard } from "../../../src/tools/ConflictGuard";
import { registerDiffTools } from "../../../src/tools/diff";
import { ToolRegistry } from "../../../src/tools/ToolRegistry";
import { registerWriteTools } from "../../../src/tools/writeFiles";

export interface EditBench {
  /** The folder above the workspace: what lies in it beside the workspace must never change. */
  outer: string;
  workspace: string;
  guard: ConflictGuard;
  roots: WorkspaceRoots;
  path(name: string): string;
  write(name: string, content: string | Uint8Array, mode?: number): void;
  bytes(name: string): Buffer;
  text(name: string): string;
  /** What read_file does to the guard. */
  read(name: string): Promise<void>;
  call(tool: string, args: Record<string, unknown>, ctx?: ToolContext): Promise<ToolResult>;
  /** A call as a model sends it: JSON text through all steps of the registry. */
  send(tool: string, json: string): Promise<ToolResult>;
  /** Every file in the workspace, links to files too. */
  names(): string[];
  preview(tool: string, args: Record<string, unknown>): Promise<FileChange[]>;
  writes(tool: string, args: Record<string, unknown>): string[];
  remove(): void;
}

export function createBench(options: { guarded?: boolean; parent?: string; encoding?: string } = {}): EditBench {
  const outer = mkdtempSync(join(options.parent ?? tmpdir(), "zqagent-edit-"));
  const workspace = join(outer, "ws");
  mkdirSync(workspace);
  const registry = new ToolRegistry();
  const [guard, roots] = [new ConflictGuard(), new WorkspaceRoots(workspace)];
  const toolOptions = {
    roots,
    ...(options.guarded === false ? {} : { guard }),
    ...(options.encoding ? { encoding: options.encoding } : {}),
  };
  registerWriteTools(registry, workspace, toolOptions);
  registerDiffTools(registry, workspace, toolOptions);
  const path = (name: string) => join(workspace, name);
  return {
    outer,
    workspace,
    guard,
    roots,
    path,
    write: (name, content, mode) => {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      if (mode !== undefined) chmodSync(path(name), mode);
    },
    bytes: (name) => readFileSync(path(name)),
    text: (name) => readFileSync(path(name), "utf8"),
    read: async (name) => guard.noteRead(path(name), await readRegularFile(path(name))),
    call: (tool, args, ctx) => registry.call(tool, args, ctx),
    send: async (tool, json) => {
      const parsed = registry.parseArguments(tool, json);
      return "fault" in parsed ? { content: parsed.fault, status: "error" } : registry.call(tool, parsed.args);
    },
    names: () => Object.keys(listing(workspace)).filter((name) => statSync(path(name)).isFile()),
    preview: async (tool, args) => (await registry.get(tool)?.metadata.preview?.(args)) ?? [],
    writes: (tool, args) => registry.get(tool)?.metadata.writes?.(args) ?? [],
    remove: () => rmSync(outer, { recursive: true, force: true }),
  };
}

/** Every entry below a folder with its kind, mode, time of change and content: equal listings, nothing was touched. */
export function listing(root: string, withTimes = true): Record<string, string> {
  const found: Record<string, string> = {};
  // Level by level: what `recursive` makes of links to folders differs between lines of Node.
  for (const folders = [root]; ; ) {
    const folder = folders.pop();
    if (folder === undefined) return found;
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stats = lstatSync(path, { bigint: true });
      const kind = stats.isFile()
        ? readFileSync(path).toString("hex")
        : stats.isSymbolicLink()
          ? readlinkSync(path)
          : "";
      const time = withTimes && !stats.isDirectory() ? `${stats.mtimeNs} ${stats.ino}` : "";
      found[relative(root, path)] = `${stats.mode} ${time} ${kind}`;
      if (stats.isDirectory()) folders.push(path);
    }
  }
}

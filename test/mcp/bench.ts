/** Servers for the tests of this room: what starts the fixture, and managers that are closed when a test is over. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { McpServerEntry } from "../../src/mcp/config";
import { McpManager, type McpManagerOptions } from "../../src/mcp/McpManager";
import { ToolRegistry } from "../../src/tools/ToolRegistry";

export const FIXTURE = join(import.meta.dirname, "fixtures", "server.mjs");

/** An entry that starts the fixture server. */
export function fixture(name: string, ...args: string[]): McpServerEntry {
  return { name, command: [process.execPath, FIXTURE, ...args] };
}

/** A fresh folder, real path, gone after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-mcp-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Bench {
  registry: ToolRegistry;
  manager: McpManager;
  names(): string[];
}

/** A registry and a manager over these servers; nothing is connected yet. */
export function bench(configs: McpServerEntry[], options: McpManagerOptions = {}): Bench {
  const registry = new ToolRegistry();
  const manager = new McpManager(registry, configs, options);
  onTestFinished(() => manager.closeAll());
  return { registry, manager, names: () => registry.schemas().map((schema) => schema.function.name) };
}

/** The same, connected. */
export async function connectedBench(configs: McpServerEntry[], options: McpManagerOptions = {}): Promise<Bench> {
  const made = bench(configs, options);
  await made.manager.connectAll();
  return made;
}

/** True while a process runs; one that ended and waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

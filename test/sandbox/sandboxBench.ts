/** A workspace with the shell tool in a real sandbox, and a folder outside that must never change. */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { EngineSandbox } from "../../src/sandbox/EngineSandbox";
import { buildPlan, type SandboxOptions, type SandboxPlan } from "../../src/sandbox/plan";
import { probeNow } from "../../src/sandbox/probe";
import { isInside, realPathOf, WorkspaceRoots } from "../../src/shared/paths";
import { registerShellTool } from "../../src/tools/shell";
import { ToolRegistry } from "../../src/tools/ToolRegistry";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache/zqagent/sandbox");
/** Not below the temporary folder, which commands see as another one: a checkout may lie there itself. */
const HOME_OF_TESTS = isInside(realPathOf(tmpdir()), realPathOf(CACHE)) ? "/var/tmp/zqagent-sandbox-tests" : CACHE;

/** Why nothing can be confined here; undefined where it can. A test that needs it is skipped with this. */
export function obstacle(): string | undefined {
  const found = probeNow(buildPlan({}, process.cwd()));
  if (!("reason" in found)) return undefined;
  console.warn(`tests of the sandbox are skipped: ${found.reason}`);
  return `skipped: ${found.reason}`;
}

export interface SandboxBench {
  workspace: string;
  outside: string;
  roots: WorkspaceRoots;
  plan: SandboxPlan;
  sandbox: EngineSandbox;
  /** Runs a command through run_shell. */
  shell(
    command: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<{ content: string; status: string }>;
  call(tool: string, args: Record<string, unknown>): Promise<{ content: string; status: string }>;
}

export function openBench(options: SandboxOptions = {}, parent = HOME_OF_TESTS): SandboxBench {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "s-"));
  const [workspace, outside] = [join(folder, "ws"), join(folder, "out")];
  mkdirSync(workspace);
  mkdirSync(outside);
  const roots = new WorkspaceRoots(workspace);
  const plan = buildPlan(options, workspace);
  const sandbox = new EngineSandbox(plan, roots);
  const registry = new ToolRegistry();
  const { tasks } = registerShellTool(registry, workspace, { roots, wrap: (argv, cwd) => sandbox.wrap(argv, cwd) });
  onTestFinished(async () => {
    await tasks.killAll();
    sandbox.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  const call: SandboxBench["call"] = async (tool, args) => {
    const { content, status = "ok" } = await registry.call(tool, args);
    return { content: String(content), status };
  };
  const shell: SandboxBench["shell"] = async (command, args = {}, signal) => {
    const result = await registry.call("run_shell", { command, ...args }, signal ? { signal } : {});
    return { content: String(result.content), status: result.status ?? "ok" };
  };
  return { workspace, outside, roots, plan, sandbox, shell, call };
}

/** A new folder in a temporary one, for the running test. */
export function tempParent(where = tmpdir()): string {
  const folder = mkdtempSync(join(where, "zqagent-sandbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Command lines of running processes that hold the text; those that wait to be reaped have none. */
export function processesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(commandLine)
    .filter((line) => line.includes(text));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Runs to the end; both streams in one text. */
export function runNow([program = "", ...args]: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  return { status, text: stdout + stderr };
}

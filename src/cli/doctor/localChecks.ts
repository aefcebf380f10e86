/** What the machine must have: node, git, rg, a shell, a sandbox, a terminal. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describeSandbox, resolveSandbox, wrapWithSandbox } from "../../index";
import { fill } from "../../shared/locales";
import { findProgram } from "../../shared/programs";
import type { Settings } from "../settings";
import type { Check } from "./check";

export async function* localChecks(settings: Settings): AsyncGenerator<Check> {
  const { cli } = settings.texts;
  yield nodeCheck(settings);
  yield await programCheck(settings, { name: "git", missing: { state: "bad", text: cli.doctorGitMissing } });
  yield await searchCheck(settings);
  yield shellCheck(settings);
  yield sandboxCheck(settings);
  yield terminalCheck(settings);
}

function nodeCheck({ texts }: Settings): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isFine = major > 20 || (major === 20 && minor >= 19);
  const text = `${process.version} (${process.platform} ${process.arch})`;
  return { name: "node", state: isFine ? "good" : "bad", text: isFine ? text : `${text}. ${texts.cli.doctorNodeOld}` };
}

interface Program {
  name: string;
  missing: Pick<Check, "state" | "text">;
}

async function programCheck({ workspace }: Settings, { name, missing }: Program): Promise<Check> {
  const path = findProgram(name, { outside: workspace });
  const version = path && (await versionOf(path));
  return version ? { name, state: "good", text: `${version} (${path})` } : { name, ...missing };
}

/** The one that came with the package, else the system's. */
async function searchCheck(settings: Settings): Promise<Check> {
  const bundled = await bundledSearch();
  const version = bundled && (await versionOf(bundled));
  if (version) return { name: "rg", state: "good", text: `${version} (${bundled})` };
  return programCheck(settings, { name: "rg", missing: { state: "note", text: settings.texts.cli.doctorRgMissing } });
}

async function bundledSearch(): Promise<string | undefined> {
  try {
    return ((await import("@vscode/ripgrep")) as { rgPath?: string }).rgPath;
  } catch {
    return undefined;
  }
}

function shellCheck({ workspace, texts }: Settings): Check {
  const names = process.platform === "win32" ? ["pwsh", "powershell", "cmd"] : ["bash", "sh"];
  const found = names.map((name) => findProgram(name, { outside: workspace })).find((path) => path !== null);
  return found
    ? { name: "shell", state: "good", text: found }
    : { name: "shell", state: "bad", text: texts.cli.doctorShellMissing };
}

/** Tried, not guessed. What is required and does not work must be mended; otherwise commands run as they are. */
function sandboxCheck({ sandbox, workspace, texts }: Settings): Check {
  const { cli } = texts;
  const name = "sandbox";
  if (sandbox.mode === "off") return { name, state: "note", text: cli.doctorSandboxOff };
  const plan = resolveSandbox({ ...sandbox, mode: "auto" }, workspace);
  if (wrapWithSandbox(plan, ["true"]).length > 1) {
    const text = fill(plan.network ? cli.doctorSandboxOn : cli.doctorSandboxClosed, { method: plan.method });
    return { name, state: "good", text };
  }
  const text = fill(cli.doctorSandboxNone, { detail: describeSandbox(plan) });
  return { name, state: sandbox.mode === "required" ? "bad" : "note", text };
}

function terminalCheck({ texts }: Settings): Check {
  const { stdin, stdout, env } = process;
  const name = "terminal";
  if (stdin.isTTY !== true || stdout.isTTY !== true) return { name, state: "note", text: texts.cli.doctorTerminalNone };
  const term = env.TERM ?? "";
  if (term === "dumb" || term === "")
    return { name, state: "note", text: fill(texts.cli.doctorTerminalPlain, { term: term || "TERM" }) };
  return { name, state: "good", text: `${term}, ${stdout.columns} × ${stdout.rows}` };
}

const VERSION_MS = 5_000;

/** The first line of `--version`; undefined where the program does not run. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: VERSION_MS });
    return stdout.split("\n")[0]?.trim();
  } catch {
    return undefined;
  }
}

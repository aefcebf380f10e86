/** Which shell runs a command line, and how it is called. */

import { accessSync, constants } from "node:fs";
import { basename } from "node:path";
import type { Environment } from "../../shared/env";
import { findProgram } from "../../shared/programs";

/** The shell's argument list for one command line: bash, else sh; on Windows pwsh, powershell, cmd. */
export function shellArgv(command: string, env: Environment, workspace: string): string[] {
  const program = shellProgram(env, workspace);
  if (process.platform !== "win32") return [program, "-c", command];
  if (/^cmd/i.test(basename(program))) return [program, "/d", "/s", "/c", `"${command}"`];
  return [program, "-NoProfile", "-NonInteractive", "-Command", command];
}

/** Path of the shell; never one that lies in the workspace. */
export function shellProgram(env: Environment, workspace: string): string {
  const names = process.platform === "win32" ? ["pwsh", "powershell", "cmd"] : ["bash", "sh"];
  for (const name of names) {
    const found = findProgram(name, { env, outside: workspace }) ?? standardPlace(name);
    if (found) return found;
  }
  return process.platform === "win32" ? "cmd.exe" : "/bin/sh";
}

/** An empty or odd PATH still finds the shell of the system. */
function standardPlace(name: string): string | null {
  if (process.platform === "win32") return null;
  for (const folder of ["/bin", "/usr/bin", "/usr/local/bin"]) {
    try {
      accessSync(`${folder}/${name}`, constants.X_OK);
      return `${folder}/${name}`;
    } catch {
      // The next place.
    }
  }
  return null;
}

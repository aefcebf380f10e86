/** The profile of macOS's sandbox-exec: everything may be read, little may be written. */

import { join } from "node:path";
import { findGuardedPlaces, linkedRepository } from "./guardedPlaces";
import type { SandboxPlan } from "./plan";

/** What programs write to although nothing is kept there. */
const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/stdout", "/dev/stderr", "/dev/dtracehelper"];
const neverWritten = [".vscode", ".idea", ".agent", ".git/hooks", ".git/config", ".git/config.worktree"];

/** The profile as text (guide 8.4). Of two rules that fit, the later one holds. */
export function buildMacProfile(plan: SandboxPlan): string {
  const linked = linkedRepository(plan.workspace);
  const roots = [plan.workspace, ...plan.extraWritable, ...(linked === null ? [] : [linked])];
  const writable = [...roots, ...plan.tempFolders, ...(plan.sessionTemp === null ? [] : [plan.sessionTemp])];
  const places = findGuardedPlaces(plan);
  const guarded = [...neverWritten.map((name) => join(plan.workspace, name)), ...places.readOnly, ...places.missing];
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    rule("allow file-write*", "subpath", writable),
    rule("allow file-write*", "literal", devices),
    rule("deny file-write*", "subpath", guarded),
    // A folder that is moved away would take what is guarded in it along.
    rule("deny file-write-unlink", "literal", [join(plan.workspace, ".git"), ...places.pinned]),
    ...(plan.network ? [] : ["(deny network*)"]),
  ].join("\n");
}

function rule(action: string, kind: "subpath" | "literal", paths: readonly string[]): string {
  const targets = [...new Set(paths)].map((path) => `  (${kind} ${quoted(path)})`);
  return `(${action}\n${targets.join("\n")})`;
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, "\\$&")}"`;
}

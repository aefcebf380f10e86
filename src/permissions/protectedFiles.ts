/** Files that make other programs run code: written only when a person says so, also in AUTO (guide 8.1, departure). */

import { realPathOf, type WorkspaceRoots } from "../shared/paths";

/** Folder names under which everything is protected, wherever they lie. */
const protectedFolders = new Set([".git", ".vscode", ".idea"]);
/** What is protected under `.agent` and `.agents`: all that a trusted folder would start or follow. */
const protectedAgentParts = new Set(["mcp.json", "config.json", "commands", "agents", "skills", "hooks", "vcs"]);

/** True when a path, as given or with its links resolved, names a protected file. Existing or not makes no difference. */
export function isProtected(roots: WorkspaceRoots, path: string): boolean {
  return [roots.resolve(path), realPathOf(roots.resolve(path))].some((form) => hasProtectedName(roots.show(form)));
}

/** The same for the text of a path; disks differ in case, so case is ignored everywhere. */
export function hasProtectedName(path: string): boolean {
  const parts = path.split(/[/\\]+/).map(plainName);
  return parts.some((part, at) => {
    if (protectedFolders.has(part)) return true;
    return (part === ".agent" || part === ".agents") && protectedAgentParts.has(parts[at + 1] ?? "");
  });
}

/** What file systems treat as the same name: case, ignorable characters, trailing dots and blanks, short names. */
function plainName(part: string): string {
  const name = part
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/(?:::\$.*|:.*)$/, "")
    .replace(/(?<=.)[. ]+$/, "")
    .toLowerCase();
  return /^git~\d+$/.test(name) ? ".git" : name;
}

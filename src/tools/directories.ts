/** request_directory: asks the person for access to a folder outside the workspace (guide 7.1). */

import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import description from "../../prompts/tools/request_directory.md";
import type { ToolContext, ToolResult } from "../shared/contracts";
import { EventType } from "../shared/events";
import { type DirectoryRequest, directoryHandler } from "../shared/handlers";
import { type GrantedDirectory, isInside, realPathOf, WorkspaceRoots } from "../shared/paths";
import { askPerson, silenceResult } from "./asking";
import type { ToolRegistry } from "./ToolRegistry";
import { failed } from "./toolReturns";
import { buildToolSchema } from "./toolSchema";

export interface DirectoryToolOptions {
  /** Where a granted folder is entered; shared with the file tools and the permission engine. */
  roots?: WorkspaceRoots | undefined;
  /** Told of each granted folder, for what else must know (the sandbox's writable folders). */
  onGranted?: ((directory: GrantedDirectory) => void) | undefined;
}

/** Registers request_directory. Set who answers with `setDirectoryHandler`; without one nothing is granted. */
export function registerDirectoryTool(
  registry: ToolRegistry,
  workspace: string,
  options: DirectoryToolOptions = {},
): void {
  const roots = options.roots ?? new WorkspaceRoots(workspace);
  registry.register(
    (args, ctx) => requestDirectory(args, ctx ?? {}, { ...options, roots }),
    { category: "interactive", riskLevel: "low", capabilities: ["request_directory"], requiresApproval: false },
    SCHEMA,
  );
}

type Desk = DirectoryToolOptions & { roots: WorkspaceRoots };

async function requestDirectory(args: Record<string, unknown>, ctx: ToolContext, desk: Desk): Promise<ToolResult> {
  const asked = String(args.path ?? "").trim();
  const path = realPathOf(desk.roots.resolve(asked.replace(/^~(?=$|[/\\])/, () => homedir())));
  const writable = args.writable === true;
  const obstacle = await obstacleTo(path, asked);
  if (obstacle) return failed(obstacle);
  if (writable ? desk.roots.mayWrite(path) : desk.roots.mayRead(path)) return { content: `Open already: ${path}` };
  return decide({ path, reason: String(args.reason ?? ""), writable }, ctx, desk);
}

async function decide(request: DirectoryRequest, ctx: ToolContext, desk: Desk): Promise<ToolResult> {
  const { path, reason, writable } = request;
  ctx.emit?.(EventType.DIRECTORY_REQUESTED, { reason, path, writable, reqId: ctx.reqId ?? "" });
  const handler = directoryHandler();
  const asked = await askPerson(handler && (() => handler(request)), ctx.signal);
  if ("silence" in asked) return silenceResult(asked.silence, "Nothing was granted: go on without that folder.");
  const { granted, writable: mayWrite = true } =
    typeof asked.answer === "object" && asked.answer !== null ? asked.answer : { granted: asked.answer === true };
  if (granted !== true) return { content: "Denied." };
  // A person may give less than was asked for, never more.
  const directory = { path, writable: writable && mayWrite };
  desk.roots.grant(directory.path, directory.writable);
  desk.onGranted?.(directory);
  return { content: `Granted (${directory.writable ? "writable" : "read-only"}): ${path}` };
}

async function obstacleTo(path: string, asked: string): Promise<string | undefined> {
  if (!asked) return "Give the absolute path of a folder.";
  const kind = await stat(path).catch(() => null);
  if (!kind) return `Folder not found: ${asked}`;
  if (!kind.isDirectory()) return `${asked} is not a folder. Ask for the folder that holds it.`;
  if (isTooWide(path)) return `${path} is too wide to be granted. Ask for the folder that you need inside it.`;
  return isSystemFolder(path) ? `${path} is a system folder: it is never granted.` : undefined;
}

/** The root, the home folder and everything above it. */
function isTooWide(path: string): boolean {
  return isInside(path, realPathOf(homedir())) || isInside(path, realPathOf(join(homedir(), "..")));
}

const SYSTEM_FOLDERS = [
  ...["/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr"],
  ...["/private/etc", "/System", "/Library", "C:\\Windows", "C:\\Program Files", "C:\\Program Files (x86)"],
];
/** Sources and headers below the system folders, which are worth reading. */
const OPEN_FOLDERS = ["/usr/include", "/usr/local", "/usr/share", "/usr/src"];

function isSystemFolder(path: string): boolean {
  if (path === "/var" || path === "/opt") return true;
  if (OPEN_FOLDERS.some((folder) => isInside(folder, path))) return false;
  return SYSTEM_FOLDERS.some((folder) => isInside(folder, path));
}

const SCHEMA = buildToolSchema("request_directory", description, {
  required: ["path", "reason"],
  properties: {
    path: { type: "string", description: "Absolute path." },
    reason: { type: "string", description: "Why it is needed, in one sentence." },
    writable: { type: "boolean", description: "Ask to change files there too." },
  },
});

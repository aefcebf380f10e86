/** The file tools as sets: all four of the file category, or only those that read (guide 7.1, 7.3). */

import { WorkspaceRoots } from "../shared/paths";
import type { ConflictGuard } from "./ConflictGuard";
import { registerListFiles } from "./list";
import { registerReadFile } from "./read/readFile";
import type { ToolRegistry } from "./ToolRegistry";
import { registerWriteTools } from "./writeFiles";

export interface FileToolOptions {
  /** Where may be read and written; by default the workspace alone. */
  roots?: WorkspaceRoots | undefined;
  /** Addition: refuses to overwrite what changed on disk since it was read. Without it nothing is compared. */
  guard?: ConflictGuard | undefined;
  /** Addition: whether the session's model takes pictures; asked at each read. By default it does not. */
  vision?: (() => boolean) | undefined;
  /** Addition: the encoding of files that are not UTF-8, where the person named one. */
  encoding?: string | undefined;
}

/** Registers read_file, list_files, write_file and replace_in_file (guide 7.1). */
export function registerFileTools(registry: ToolRegistry, workspace: string, options: FileToolOptions = {}): void {
  const shared = { ...options, roots: options.roots ?? new WorkspaceRoots(workspace) };
  registerReadOnlyFileTools(registry, workspace, shared);
  registerWriteTools(registry, workspace, shared);
}

/** Registers read_file and list_files only (guide 7.3). */
export function registerReadOnlyFileTools(
  registry: ToolRegistry,
  workspace: string,
  options: FileToolOptions = {},
): void {
  const roots = options.roots ?? new WorkspaceRoots(workspace);
  registerReadFile(registry, { ...options, roots });
  registerListFiles(registry, { roots });
}

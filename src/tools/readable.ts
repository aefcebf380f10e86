/** Paths that the model gave, for the tools that read: where they lie, whether they may be read, what was meant. */

import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, ZqError } from "../shared/errors";
import { fileError } from "../shared/fileStamps";
import { type OpenFile, openRegularFile } from "../shared/files";
import { isInside, realPathOf, type WorkspaceRoots } from "../shared/paths";
import { SAVED_RESULTS } from "./resultBudget";
import { missingFileText, resolveTarget, type Target } from "./targets";
import { onOneLine } from "./text";

/** A place that exists and may be read. `shown` is safe to print on one line. */
export interface ReadablePath extends Target {
  stats: Stats;
}

/** Resolves a path for reading. Throws `ZqError`: outside the open folders, not found, or not to be looked at. */
export async function resolveReadable(roots: WorkspaceRoots, path: unknown): Promise<ReadablePath> {
  const target = resolveTarget(roots, savedResult(roots, path) ?? path, { forWriting: false });
  const shown = onOneLine(target.shown);
  // Our own environment holds the key of the endpoint.
  if (/^\/proc\/(.*\/)?environ$/.test(target.realPath)) {
    throw new ZqError("PathOutside", `${shown} is never read: it holds secrets.`);
  }
  try {
    return { ...target, shown, stats: await stat(target.realPath) };
  } catch (error) {
    throw await readingError(roots, shown, error);
  }
}

/** A place in a sentence that ends with it: a lone `.` would be lost before the full stop. */
export function placeName({ shown }: ReadablePath): string {
  return shown === "." ? "the workspace" : shown;
}

/** Opens a regular file; anything else is refused before it could hang. The caller closes the handle. */
export async function openReadable(roots: WorkspaceRoots, place: ReadablePath): Promise<OpenFile> {
  try {
    return await openRegularFile(place.realPath);
  } catch (error) {
    throw await readingError(roots, place.shown, error);
  }
}

/** How far up rule files count: to the workspace; of a granted folder outside of it, not above the folder. */
export function boundaryOf(folder: string, roots: WorkspaceRoots): string {
  const workspace = realPathOf(roots.workspace);
  return isInside(workspace, folder) ? workspace : folder;
}

async function readingError(roots: WorkspaceRoots, shown: string, error: unknown): Promise<ZqError> {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new ZqError("FileNotFound", onOneLine(await missingFileText(roots, shown)));
  }
  if (code === "IsDirectory") return new ZqError(code, `${shown} is a directory. Use list_files.`);
  if (code === "NotRegularFile") {
    return new ZqError(code, `${shown} is not a regular file (a pipe, device or socket): it is not read.`);
  }
  return fileError("read", shown, error);
}

/** `tool-results/x.txt` is the name under which a saved result was announced, wherever its folder lies. */
function savedResult(roots: WorkspaceRoots, path: unknown): string | undefined {
  if (typeof path !== "string" || !path.startsWith(`${SAVED_RESULTS}/`)) return undefined;
  const file = path.slice(SAVED_RESULTS.length + 1);
  if (!file || /[\\/\0]/.test(file) || exists(roots.resolve(path))) return undefined;
  return roots.readableDirectories.map((folder) => join(folder, file)).find(exists);
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

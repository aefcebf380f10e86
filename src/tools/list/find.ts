/** Files by glob, the newest first. */

import { join } from "node:path";
import { newestFirst } from "../fileTimes";
import { buildGlobFilter, type GlobFilter } from "../glob";
import { placeName } from "../readable";
import { counted, grouped, onOneLine } from "../text";
import { walkFolders } from "../walk";
import type { ListRequest } from "./request";

/** How long ignored files are looked through for a hint, in milliseconds. */
const HINT_MAX_MS = 2000;

/** One path a line, relative to the workspace. */
export async function findFiles(request: ListRequest & { pattern: string }): Promise<string> {
  const filter = await buildGlobFilter(request.pattern);
  const found = await collect(request, filter);
  if (found.length === 0) return nothingFound(request, filter);
  const sorted = await newestFirst(found, request.roots.workspace);
  const lines = sorted.slice(0, request.limit).map(onOneLine);
  if (sorted.length > request.limit) {
    lines.push(`[${grouped(request.limit)} of ${grouped(sorted.length)} entries. Narrow path or pattern.]`);
  }
  return lines.join("\n");
}

async function collect(request: ListRequest, filter: GlobFilter, deadline = Infinity): Promise<string[]> {
  const { folder, roots } = request;
  const found: string[] = [];
  const base = roots.show(folder.absolute);
  for await (const { path, files } of walkFolders(folder.realPath, request)) {
    for (const { name } of files) {
      const inFolder = path ? `${path}/${name}` : name;
      const shown = base === "." ? inFolder : join(base, inFolder);
      if (filter(inFolder, shown)) found.push(shown);
    }
    if (Date.now() > deadline) break;
  }
  return found;
}

async function nothingFound(request: ListRequest & { pattern: string }, filter: GlobFilter): Promise<string> {
  const answer = `No files match ${onOneLine(request.pattern)} under ${placeName(request.folder)}.`;
  if (request.includeIgnored) return answer;
  const ignored = await collect({ ...request, includeIgnored: true }, filter, Date.now() + HINT_MAX_MS);
  if (ignored.length === 0) return answer;
  const verb = ignored.length === 1 ? "matches" : "match";
  return `${answer} (${counted(ignored.length, "ignored file")} ${verb}; use include_ignored)`;
}

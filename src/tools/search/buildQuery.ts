/** The arguments of grep as a query. */

import { basename, dirname } from "node:path";
import { workTreeAround } from "../../shared/git";
import type { WorkspaceRoots } from "../../shared/paths";
import { buildGlobFilter } from "../glob";
import { boundaryOf, type ReadablePath } from "../readable";
import { nameGlobOf } from "./nameGlob";
import { preparePattern } from "./prepare";
import type { SearchQuery } from "./query";

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 1000;
/** Matches are counted up to here (more where more are asked for); names of files cost less. */
const COUNTED_MATCHES = 2000;
const COUNTED_FILES = 200_000;

export async function buildQuery(
  args: Record<string, unknown>,
  { place, roots, signal }: { place: ReadablePath; roots: WorkspaceRoots; signal: AbortSignal | undefined },
): Promise<SearchQuery> {
  const isFile = !place.stats.isDirectory();
  const folder = isFile ? dirname(place.realPath) : place.realPath;
  const mode = args.mode === "files" || args.mode === "count" ? args.mode : "content";
  const isLiteral = args.literal === true;
  const asked = (wholeArgument(args.offset) ?? 0) + (wholeArgument(args.limit) ?? DEFAULT_LIMIT);
  return {
    folder,
    inRepository: workTreeAround(folder) !== null,
    boundary: boundaryOf(folder, roots),
    ...(isFile && { file: basename(place.realPath) }),
    ...preparePattern(String(args.pattern ?? ""), isLiteral, args.multiline === true),
    isLiteral,
    ignoreCase: args.ignore_case === true,
    dotAll: args.multiline === true,
    includeIgnored: args.include_ignored === true,
    ...(await filterOf(isFile ? undefined : textArgument(args.glob), roots.show(place.absolute))),
    mode,
    ceiling: mode === "content" ? Math.max(COUNTED_MATCHES, asked) : COUNTED_FILES,
    ...(signal && { signal }),
  };
}

/** A file that was named is searched whatever the glob says. */
async function filterOf(glob: string | undefined, base: string): Promise<Pick<SearchQuery, "accepts" | "nameGlob">> {
  if (glob === undefined) return { accepts: () => true };
  const matches = await buildGlobFilter(glob);
  const nameGlob = nameGlobOf(glob);
  return {
    accepts: (path) => matches(path, base === "." ? path : `${base}/${path}`),
    ...(nameGlob !== undefined && { nameGlob }),
  };
}

export function textArgument(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A whole number of at least 0. */
export function wholeArgument(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, Math.trunc(value)) : undefined;
}

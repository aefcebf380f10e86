/** Files that git keeps although an ignore rule names them: part of the project, so listings show them. */

import { plumbGit, workTreeAround } from "../../shared/git";

/**
 * Their paths and those of their folders, relative to `folder`, with `/`. Empty outside of a repository, without git,
 * and where git cannot tell.
 */
export async function trackedThoughIgnored(folder: string, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  if (workTreeAround(folder) === null) return paths;
  const args = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
  const listed = await plumbGit(args, { cwd: folder, mayFail: true, ...(signal && { signal }) }).catch(() => undefined);
  if (listed?.code !== 0) return paths;
  for (const path of listed.stdout.toString("utf8").split("\0")) {
    for (let at = path; at !== "" && !paths.has(at); at = at.slice(0, Math.max(at.lastIndexOf("/"), 0))) paths.add(at);
  }
  return paths;
}

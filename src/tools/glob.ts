/** File globs as models write them, over paths relative to a folder or to the workspace. */

/** Tells whether a file is meant. Both paths use `/`; `inFolder` is relative to the folder that is looked into. */
export type GlobFilter = (inFolder: string, inWorkspace: string) => boolean;

/**
 * Builds the filter of one glob: braces, `**`, `!` in front for all but these. Without a slash a glob means names at
 * any depth, and with `!` folder names too; with a slash it may start at the folder or at the workspace.
 */
export async function buildGlobFilter(glob: string): Promise<GlobFilter> {
  const isNegated = glob.startsWith("!");
  const wanted = (isNegated ? glob.slice(1) : glob).trim().replace(/^(\.?\/)+/, "");
  const pattern = wanted.endsWith("/") ? `${wanted}**` : wanted;
  const matches = await compile(pattern || "**");
  if (pattern.includes("/")) {
    return (inFolder, inWorkspace) => (matches(inFolder) || matches(inWorkspace)) !== isNegated;
  }
  if (!isNegated) return (inFolder) => matches(nameOf(inFolder));
  return (inFolder) => !inFolder.split("/").some((part) => matches(part));
}

async function compile(pattern: string): Promise<(path: string) => boolean> {
  const module = await import("picomatch");
  const picomatch = module.default ?? module;
  return picomatch(pattern, { dot: true, nonegate: true, posixSlashes: false });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

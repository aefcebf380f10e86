/** A glob of names that ripgrep can use to leave files out early; the exact filter is ours. */

/** The last part of a glob where it is simple enough to mean the same to everyone; undefined otherwise. */
export function nameGlobOf(glob: string | undefined): string | undefined {
  if (!glob || glob.startsWith("!")) return undefined;
  const hasBracedSlash = /\{[^}]*\//.test(glob);
  const last = glob.slice(glob.lastIndexOf("/") + 1);
  const isSimple = /^[\w.*-]*(\{[\w.*-]+(,[\w.*-]+)*\}[\w.*-]*)*$/.test(last);
  return last !== "" && isSimple && !hasBracedSlash && !last.includes("**") ? last : undefined;
}

/** Recognises commands that may destroy files, so that a snapshot is taken first. It errs on the side of a snapshot. */

/** Programs that remove or overwrite what is there. */
const programs =
  /(^|[\s;&|(){}`"'/\\])(rm|rmdir|unlink|shred|truncate|dd|mv|cp|ln|install|rsync|tee|patch|unzip|tar|xargs)(?=$|[\s;&|)`"'])/;

/** Git commands that change the work tree. */
const gitCommands =
  /\bgit\b[^;&|\n]*\s(reset|checkout|clean|stash|restore|rm|mv|switch|merge|rebase|pull|revert|am|apply|cherry-pick|read-tree|checkout-index|submodule|sparse-checkout|worktree|bisect)\b/;

/** Editing in place, and finding in order to delete. */
const inPlace =
  /\b(sed|perl|ruby|gawk|awk)\b[^;&|\n]*\s(-[a-zA-Z0-9.]*i|--in-place)|\bfind\b[^;&|\n]*\s-(delete|exec|execdir|ok|okdir)\b/;

/** `> file` replaces it; `>>` and `2>&1` do not. */
const redirect = /(^|[^>&])(?:\d*)>\|?(?![>&])\s*(?!\/dev\/)[^\s]/;

/** True when running the command may lose something that only the work tree holds. */
export function isDestructive(command: string): boolean {
  return [programs, gitCommands, inPlace, redirect].some((pattern) => pattern.test(command));
}

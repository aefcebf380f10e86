/** Cuts a diff to what a model can read, at a line end, and says what is left out. */

export const MOST_DIFF_CHARS = 30_000;

/** The summary first, then the diff; `incomplete`: git was stopped before its end. */
export function diffText(summary: string, patch: string, incomplete: boolean): string {
  const stat = summary.trimEnd();
  const room = Math.max(MOST_DIFF_CHARS - stat.length - 200, 2000);
  if (patch.length <= room && !incomplete) return [stat, patch.trimEnd()].filter(Boolean).join("\n\n");
  const cut = patch.slice(0, room);
  const shown = cut.slice(0, cut.lastIndexOf("\n") + 1) || cut;
  const files = Number(/(\d+) files? changed/.exec(stat)?.[1] ?? 0);
  const left = files - (shown.match(/^diff --/gm)?.length ?? 0);
  const what = left > 0 ? `${left} more ${left === 1 ? "file" : "files"}` : "the rest of the last file is left out";
  return [stat, shown.trimEnd(), `[diff cut: ${what}. Ask per path.]`].filter(Boolean).join("\n\n");
}

/** The parts of a patch in either format: hunks of kept, removed and added lines, and what they do to which file. */

export interface HunkLine {
  kind: " " | "-" | "+";
  text: string;
  /** An empty line without its leading space: perhaps only a separator. */
  isBare?: boolean;
  /** The line end that the diff states, where it tells them apart (a diff in which only some lines end in CR). */
  ending?: string;
}

/** A line number of the old file, from 1. `isAfter`: the hunk has no old lines and goes behind that line. */
export interface LineHint {
  line: number;
  isAfter: boolean;
}

export interface Hunk {
  lines: HunkLine[];
  /** Lines that enclose the place, outermost first (apply_patch). */
  anchors: string[];
  hint?: LineHint;
  /** The hunk's last old line is the file's last. */
  isAtEnd: boolean;
  /** `\ No newline at end of file` stands behind the last old or new line. */
  oldLacksNewline?: boolean;
  newLacksNewline?: boolean;
}

/** What a patch does to one file. Paths are as written in it. */
export type FileOperation =
  | { kind: "add"; path: string; text: string; isExecutable?: boolean }
  | { kind: "delete"; path: string /** The content that it must have. */; expected?: string }
  | { kind: "update"; path: string; moveTo?: string; hunks: Hunk[]; isExecutable?: boolean };

export function oldLines(hunk: Pick<Hunk, "lines">): string[] {
  return hunk.lines.filter((line) => line.kind !== "+").map((line) => line.text);
}

export function newLines(hunk: Pick<Hunk, "lines">): string[] {
  return hunk.lines.filter((line) => line.kind !== "-").map((line) => line.text);
}

export function hasChange(hunk: Hunk): boolean {
  return hunk.lines.some((line) => line.kind !== " ");
}

/** Every path that an operation would write. */
export function pathsOf(operation: FileOperation): string[] {
  const moved = operation.kind === "update" ? operation.moveTo : undefined;
  return moved === undefined ? [operation.path] : [operation.path, moved];
}

/** What a search is asked and what it finds, the same for ripgrep and for our own walker. */

/** A search in one folder or file. */
export interface SearchQuery {
  /** Absolute real path of the folder; of a single file, its folder. */
  folder: string;
  /** Whether `folder` lies in a git repository; if not, how far up .gitignore files count. */
  inRepository: boolean;
  boundary: string;
  /** The name of a single file in `folder`. */
  file?: string;
  /** Rust-flavoured regular expression, or plain text with `isLiteral`. */
  pattern: string;
  isLiteral: boolean;
  ignoreCase: boolean;
  /** Matches may span lines. */
  multiline: boolean;
  /** `.` matches line ends too. */
  dotAll: boolean;
  includeIgnored: boolean;
  /** Which files count, by path relative to `folder`. */
  accepts(path: string): boolean;
  /** A coarse glob of names that `accepts` implies, if there is one. */
  nameGlob?: string;
  mode: "content" | "files" | "count";
  /** Stop when more matches than this are found (more files, where no lines are asked for). */
  ceiling: number;
  /** Give up after this time, in milliseconds; each way of searching has a limit of its own. */
  maxMs?: number;
  signal?: AbortSignal;
}

/** One match. */
export interface Hit {
  /** Line number from 1 of its first line. */
  line: number;
  /** The whole lines that it touches, without line ends; long ones are cut around the match. */
  lines: string[];
}

/** The matches of one file. */
export interface FileHits {
  /** Relative to the query's folder, with `/`. */
  path: string;
  /** Matching lines, or matches where they may span lines; 0 where only the file was asked for. */
  count: number;
  hits: Hit[];
}

export interface SearchResult {
  /** Sorted as a sorted walk finds them, folder by folder. */
  files: FileHits[];
  /** True when the ceiling was reached: there are more. */
  isPartial: boolean;
  /** Sentences for the model about what went wrong on the way. */
  notes: string[];
}

/** The pattern is no regular expression; `reason` is a few words. */
export interface InvalidPattern {
  invalid: string;
}

/** In the order of a walk through sorted folders: part by part, so `a/z` comes before `a.txt`. */
export function sortedAsWalked(files: FileHits[]): FileHits[] {
  const keyed = files.map((file) => ({ file, key: file.path.replaceAll("/", "\0") }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ file }) => file);
}

const MAX_LINE_CHARS = 300;

/** A line of at most 300 characters with the match, which starts at `at`, in it. */
export function aroundMatch(line: string, at: number): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const start = Math.max(0, Math.min(at - MAX_LINE_CHARS / 3, line.length - MAX_LINE_CHARS));
  const part = line.slice(start, start + MAX_LINE_CHARS).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${start > 0 ? "…" : ""}${part}${start + MAX_LINE_CHARS < line.length ? "…" : ""}`;
}

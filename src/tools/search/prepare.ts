/** Patterns before they are searched for: whether they span lines, and what their line ends mean. */

export interface PreparedPattern {
  pattern: string;
  multiline: boolean;
}

/**
 * A pattern that names a line end can only match across lines, whether it was said so or not. `\n` also takes CRLF,
 * which the writer of a pattern cannot see.
 */
export function preparePattern(pattern: string, isLiteral: boolean, multiline: boolean): PreparedPattern {
  if (isLiteral) return { pattern, multiline: multiline || pattern.includes("\n") };
  const { rewritten, hasLineEnd } = rewriteLineEnds(pattern);
  return { pattern: rewritten, multiline: multiline || hasLineEnd };
}

function rewriteLineEnds(pattern: string): { rewritten: string; hasLineEnd: boolean } {
  let out = "";
  let inClass = false;
  let hasLineEnd = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    const pair = char === "\\" ? pattern.slice(at, at + 2) : char;
    const isLineEnd = (pair === "\\n" || char === "\n") && !inClass;
    hasLineEnd ||= isLineEnd;
    out += isLineEnd && !/(\\r|\\r\?|\r)$/.test(out) ? "(?:\\r?\\n)" : pair;
    if (char === "[" && !inClass) {
      inClass = true;
      // A bracket that closes nothing yet is part of the class.
      const first = /^\^?\]/.exec(pattern.slice(at + 1))?.[0] ?? "";
      out += first;
      at += first.length;
    } else if (char === "]") inClass = false;
    at += pair.length - 1;
  }
  return { rewritten: out, hasLineEnd };
}

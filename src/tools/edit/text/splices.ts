/** Replacements of ranges of a raw text: kept minimal, joined into one list, applied by slicing, never by pattern. */

/** `text` (with its final line ends) takes the place of `[start, end)` of a raw text. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** Sorted by place; splices must not overlap. */
export function sortSplices(splices: readonly Splice[]): Splice[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Slices and joins, so that `$&` and its like have no meaning. `splices` sorted and apart. */
export function applySplices(raw: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of splices) {
    parts.push(raw.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  parts.push(raw.slice(at));
  return parts.join("");
}

/** The same change with what stays equal at both ends left out. Never cuts a surrogate pair. */
export function shrinkSplice(raw: string, splice: Splice): Splice {
  const { start, end, text } = splice;
  const longest = Math.min(end - start, text.length);
  let head = 0;
  while (head < longest && raw.charCodeAt(start + head) === text.charCodeAt(head)) head++;
  if (isHighSurrogate(text.charCodeAt(head - 1))) head--;
  let tail = 0;
  while (tail < longest - head && raw.charCodeAt(end - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) tail++;
  if (tail > 0 && isLowSurrogate(text.charCodeAt(text.length - tail))) tail--;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

/**
 * A splice out of LF text: line ends in the equal head and tail stay those of the file, new ones get `ending`. So an
 * edit in a file of mixed endings touches no line that it does not change.
 */
export function spliceOfLf(raw: string, match: Splice, ending: string): Splice {
  const old = raw.slice(match.start, match.end);
  const head = commonHead(old, match.text);
  const tail = commonTail(old, match.text, head);
  const text = match.text.slice(head.lf, match.text.length - tail.lf);
  return {
    start: match.start + head.raw,
    end: match.end - tail.raw,
    text: ending === "\n" ? text : text.split("\n").join(ending),
  };
}

interface Common {
  raw: number;
  lf: number;
}

function commonHead(old: string, text: string): Common {
  const at: Common = { raw: 0, lf: 0 };
  while (at.raw < old.length && at.lf < text.length) {
    const step = old.startsWith("\r\n", at.raw) ? 2 : 1;
    if (old.charCodeAt(at.raw + step - 1) !== text.charCodeAt(at.lf)) break;
    at.raw += step;
    at.lf++;
  }
  if (isHighSurrogate(text.charCodeAt(at.lf - 1))) return { raw: at.raw - 1, lf: at.lf - 1 };
  return at;
}

function commonTail(old: string, text: string, head: Common): Common {
  const at: Common = { raw: 0, lf: 0 };
  while (at.raw < old.length - head.raw && at.lf < text.length - head.lf) {
    const last = old.length - at.raw;
    if (old.charCodeAt(last - 1) !== text.charCodeAt(text.length - at.lf - 1)) break;
    const step = old.startsWith("\r\n", last - 2) ? 2 : 1;
    if (last - step < head.raw) break;
    at.raw += step;
    at.lf++;
  }
  if (at.lf > 0 && isLowSurrogate(text.charCodeAt(text.length - at.lf))) return { raw: at.raw - 1, lf: at.lf - 1 };
  return at;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Where a paragraph that is longer than the screen may be cut: behind a sentence, outside of any span that is still open. */

/** The end of a sentence: a mark with a blank behind it, or a CJK mark, which needs none. */
const sentenceEnd = /[.!?…]["'”’)\]]*[ \n]+|[。！？][”』」）]*/g;
/** What would begin a block of another kind at the head of the rest. */
const blockStart = /^\s*(?:[-*+>#|~`=<]|\d{1,9}[.)])/;

/** The length of the part to cut off, at most `limit` characters and at least half of it; null where no place fits. */
export function cutPlace(paragraph: string, limit: number): number | null {
  const window = paragraph.slice(0, limit);
  let best: number | null = null;
  sentenceEnd.lastIndex = 0;
  for (let match = sentenceEnd.exec(window); match; match = sentenceEnd.exec(window)) {
    const end = match.index + match[0].length;
    if (end < limit / 2 || !fits(paragraph, end)) continue;
    best = end;
  }
  return best ?? blankPlace(paragraph, limit);
}

/** No sentence ends: the last blank before the limit. */
function blankPlace(paragraph: string, limit: number): number | null {
  for (let at = limit; at > limit / 2; at--) {
    if (/[ \n]/.test(paragraph[at - 1] ?? "") && fits(paragraph, at)) return at;
  }
  return null;
}

function fits(paragraph: string, end: number): boolean {
  const rest = paragraph.slice(end, end + 12);
  return rest.trim() !== "" && !blockStart.test(rest) && isBalanced(paragraph.slice(0, end));
}

/** Spans that open must have closed; underscores and single stars are too common in prose to count. */
function isBalanced(text: string): boolean {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  return (
    count(/`/g) % 2 === 0 &&
    count(/\*\*/g) % 2 === 0 &&
    count(/~~/g) % 2 === 0 &&
    count(/\[/g) === count(/\]/g) &&
    count(/\(/g) <= count(/\)/g)
  );
}

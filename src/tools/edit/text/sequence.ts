/** Finds one sequence in another in linear time, whatever the input: for lines, and for long texts. */

/** Start of every occurrence of `wanted` in `items`, overlapping ones too. Knuth, Morris and Pratt. */
export function findSequence(items: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0 || wanted.length > items.length) return [];
  const borders = bordersOf(wanted.length, (a, b) => wanted[a] === wanted[b]);
  const found: number[] = [];
  let matched = 0;
  for (let at = 0; at < items.length; at++) {
    while (matched > 0 && items[at] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (items[at] === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    found.push(at - matched + 1);
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** From this length on the engine's own search may need time in the square on repetitive texts (measured: 18 s). */
const LONG_NEEDLE = 400;

/** Finds `needle` at or behind an offset, or -1. */
export type Finder = (text: string, from: number) => number;

/** `text.indexOf(needle, from)`, but in linear time for long needles too. */
export function createFinder(needle: string): Finder {
  if (!isSlowNeedle(needle)) return (text, from) => text.indexOf(needle, from);
  const borders = bordersOf(needle.length, (a, b) => needle.charCodeAt(a) === needle.charCodeAt(b));
  return (text, from) => {
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      while (matched > 0 && code !== needle.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
      if (code === needle.charCodeAt(matched)) matched++;
      if (matched === needle.length) return at - matched + 1;
    }
    return -1;
  };
}

/**
 * The engine compares from the needle's end. Long comparisons at places close together mean that the end comes again
 * inside the needle at that distance; where it does not, the quick search stays quick.
 */
export function isSlowNeedle(needle: string): boolean {
  if (needle.length < LONG_NEEDLE) return false;
  const end = needle.slice(-24);
  return needle.indexOf(end) !== needle.length - end.length;
}

/** For each prefix the length of its longest proper border. */
function bordersOf(length: number, isEqual: (a: number, b: number) => boolean): Int32Array {
  const borders = new Int32Array(length);
  for (let at = 1, border = 0; at < length; at++) {
    while (border > 0 && !isEqual(at, border)) border = borders[border - 1] ?? 0;
    if (isEqual(at, border)) border++;
    borders[at] = border;
  }
  return borders;
}

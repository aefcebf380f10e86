/** Reads a window's size out of the words with which an endpoint refuses a request as too long. */

/** Smaller numbers are counts of something else. */
const LEAST_WINDOW = 1_024;

const number = String.raw`(\d[\d,._]*\d)\s*(k\b)?`;

/** Words of limit before or after a number, the surer ones first. Vendors word the same thing in many ways. */
const patterns = [
  new RegExp(String.raw`(?:maximum|max\.?|allowed|supported?)[^\d\n]{0,60}?${number}`, "i"),
  new RegExp(String.raw`context (?:length|window|size)[^\d\n]{0,40}?${number}`, "i"),
  new RegExp(String.raw`(?:limit|n_ctx|window|exceeds?)[^\d\n]{0,40}?${number}`, "i"),
  new RegExp(String.raw`(?:range|between|from)[^\d\n]{0,40}\d+\s*(?:,|and|to|-)\s*${number}`, "i"),
  new RegExp(String.raw`>\s*${number}`, "i"),
  new RegExp(String.raw`${number}\s*(?:tokens?\s*)?(?:maximum|max|limit|context)`, "i"),
];

/** Tokens of the window, or null when the words do not tell. */
export function windowNamedIn(message: string): number | null {
  for (const pattern of patterns) {
    const hit = pattern.exec(message);
    const window = hit?.[1] ? Number(hit[1].replace(/[,._]/g, "")) * (hit[2] ? 1_000 : 1) : 0;
    if (window >= LEAST_WINDOW) return window;
  }
  return null;
}

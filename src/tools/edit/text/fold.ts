/** Look-alike characters as one: typographic quotes, dashes, odd spaces, full-width and other compatibility forms. */

/** Anything but ASCII, kana, Han and Hangul, all of which stand for themselves. */
const FOLDABLE = /[^\u0000-\u007f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/;

const LOOK_ALIKES: [string, RegExp][] = [
  ["", /\u200d|[\u00ad\u200b\u200c\u2060\ufeff]/g],
  ["'", /[\u2018\u2019\u201a\u201b\u2032\u2035\u00b4]/g],
  ['"', /[\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u300c-\u300f\u301d\u301e]/g],
  ["-", /[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63]/g],
  [" ", /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g],
  [",", /\u3001/g],
  [".", /\u3002/g],
];

/** Only for comparing: what is written is never folded. */
export function foldUnicode(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  return LOOK_ALIKES.reduce((folded, [plain, forms]) => folded.replace(forms, plain), text).normalize("NFKC");
}

/** Look-alike characters as one: typographic quotes, dashes, odd spaces, full-width and other compatibility forms. */

const NON_ASCII = /[^\u0000-\u007f]/;
const INVISIBLE = /\u200d|[\u00ad\u200b\u200c\u2060\ufeff]/g;
const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u2032\u2035\u00b4]/g;
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u300c\u300d\u300e\u300f\u301d\u301e]/g;
const DASHES = /[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63]/g;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const CJK_STOPS: Record<string, string> = { "\u3001": ",", "\u3002": "." };

/** Only for comparing: what is written is never folded. */
export function foldUnicode(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  return text
    .replace(INVISIBLE, "")
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(DASHES, "-")
    .replace(SPACES, " ")
    .normalize("NFKC")
    .replace(/[\u3001\u3002]/g, (stop) => CJK_STOPS[stop] ?? stop);
}

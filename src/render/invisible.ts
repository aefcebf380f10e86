/** Characters that cannot be seen or that turn the reading direction: which they are, and how they are made visible. */

/** Format, control and separator characters, fillers and everything a renderer may ignore; blank and ideographic space apart. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800\u00a0\u1680\u2000-\u200a\u202f\u205f]/gu;

/** A variation selector right behind a character that it may style is part of that character. */
const styledEmoji = /(\p{Extended_Pictographic}|[0-9#*])([\ufe0e\ufe0f])/gu;

/** How one character is written where it must not act or hide: `<U+202E>`. */
function escapeChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/** Every hidden character made visible. `keep` names characters that stay as they are. */
export function escapeHidden(text: string, keep = ""): string {
  const plain = text.replace(styledEmoji, "$1");
  return plain.replace(hidden, (char) => (keep.includes(char) ? char : escapeChar(char)));
}

/** Bidi overrides, embeddings and isolates, and the tag characters: they change or carry what nobody sees. */
const deceptive = /[\u061c\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;
/** A flag of a region (England, Scotland, Wales …) is a black flag and its name in tag characters. */
const tagFlag = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,12}\u{e007f}/gu;
/** Invisible and without use in running text. */
const useless = /[\u00ad\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb]/g;
/** One quick look, for most text holds none of them. */
const anySuspect = /[\u00ad\u061c\u200b\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{1f3f4}\u{e0000}-\u{e007f}]/u;

/** For running text (answers, output): what deceives is shown, what is only invisible goes; joiners of scripts and emoji stay. */
export function calmHidden(text: string): string {
  if (!anySuspect.test(text)) return text;
  const flags: string[] = [];
  const parked = text.replace(tagFlag, (flag) => `\u{f0000}${String.fromCodePoint(0xf0000 + flags.push(flag))}`);
  const calm = parked.replace(useless, "").replace(deceptive, escapeChar);
  return calm.replace(
    /\u{f0000}([\u{f0001}-\u{ffffd}])/gu,
    (_, mark: string) => flags[(mark.codePointAt(0) ?? 0) - 0xf0001] ?? "",
  );
}

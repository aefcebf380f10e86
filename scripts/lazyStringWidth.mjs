/**
 * A build plugin. string-width makes an Intl.Segmenter and a regular expression over all emoji sequences when it is
 * loaded: 100 ms of CPU on Node 20, each time zqagent starts. Here both are made when a text first needs them; what the
 * package answers stays the same (test/package/lazyStringWidth.test.ts). A version that looks different fails the build.
 */
import { readFileSync } from "node:fs";

const SEGMENTER = "const segmenter = new Intl.Segmenter();";
const LAZY_SEGMENTER = String.raw`let realSegmenter;
// Each of these characters is a grapheme of its own beside any other of them.
const alone = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u25ff\u2776-\u27bf\u3000-\u303e\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff60]*$/;
const segmenter = {
  segment(text) {
    if (alone.test(text)) return Array.from(text, (segment) => ({ segment }));
    realSegmenter ??= new Intl.Segmenter();
    return realSegmenter.segment(text);
  },
};`;

const EMOJI = String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`;
const LAZY_EMOJI = String.raw`let realEmoji;
// Every emoji sequence holds one of these.
const emojiPart = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;
const rgiEmojiRegex = {
  test(segment) {
    if (!emojiPart.test(segment)) return false;
    realEmoji ??= new RegExp("^\\p{RGI_Emoji}$", "v");
    return realEmoji.test(segment);
  },
};`;

/** The package's source with both made late. Throws where the source is not as expected. */
export function makeLazy(source, path) {
  if (!source.includes(SEGMENTER))
    throw new Error(`${path} is not as expected: scripts/lazyStringWidth.mjs must be looked at again.`);
  return source.replace(SEGMENTER, () => LAZY_SEGMENTER).replace(EMOJI, () => LAZY_EMOJI);
}

export const lazyStringWidth = {
  name: "lazy-string-width",
  setup(build) {
    build.onLoad({ filter: /node_modules[\\/]string-width[\\/]index\.js$/ }, ({ path }) => ({
      contents: makeLazy(readFileSync(path, "utf8"), path),
      loader: "js",
    }));
  },
};

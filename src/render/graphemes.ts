/**
 * Text cut into what a person takes for one character, and the columns that each takes. Counts as string-width does (the
 * tests compare the two), but loads nothing: that library's patterns alone cost half an empty process at every start.
 */

import { isWide } from "./eastAsian";

/** Made when first needed: it loads the language data of the engine. */
let segmenter: Intl.Segmenter | null = null;

/** Characters that stand alone as a grapheme when all their neighbours are of this set too. */
const simple =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u259f\u3000-\u3029\u3030-\u303e\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;

/** Graphemes of a text without escape sequences. */
export function graphemes(text: string): string[] {
  if (simple.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Columns of one grapheme. */
export function graphemeWidth(grapheme: string): number {
  if (grapheme.length === 1 && simple.test(grapheme)) return isWide(grapheme.charCodeAt(0)) ? 2 : 1;
  const visible = [...grapheme].filter((char) => !invisible.test(char));
  if (visible.length === 0) return 0;
  if (isDoubleEmoji(grapheme)) return 2;
  return jamoWidth(visible) ?? baseWidth(visible);
}

/** Controls, marks that sit on another character, and what a renderer may ignore. */
const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u;

/** Emoji that are made of several code points: flags, keycaps, colour style, joined and tinted ones. */
function isDoubleEmoji(cluster: string): boolean {
  if (cluster.length < 2) return false;
  return (
    flag.test(cluster) || keycap.test(cluster) || styled.test(cluster) || tinted.test(cluster) || isJoined(cluster)
  );
}

// Two letters of a region; a keycap with or without its style; colour style and skin tones on what can take them.
const flag = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u;
const keycap = /^[0-9#*]\ufe0f?\u20e3$/;
const styled = /^(?![0-9#*])\p{Emoji}\ufe0f$/u;
const tinted = /^\p{Emoji_Modifier_Base}\p{Emoji_Modifier}$/u;

function isJoined(cluster: string): boolean {
  if (cluster.length > 50 || !cluster.includes("\u200d")) return false;
  return (cluster.match(/\p{Extended_Pictographic}/gu)?.length ?? 0) >= 2;
}

function columns(char: string): number {
  return isWide(char.codePointAt(0) ?? 0) ? 2 : 1;
}

/** The first character counts, and with it those that stand beside it: spacing marks, half and full width forms. */
function baseWidth([base = "", ...others]: readonly string[]): number {
  const beside = others.filter((char) => /[\p{Spacing_Mark}\uff00-\uffef]/u.test(char));
  return beside.reduce((sum, char) => sum + columns(char), columns(base));
}

const leading = /[\u1100-\u115f\ua960-\ua97c]/;
const vowel = /[\u1160-\u11a7\ud7b0-\ud7c6]/;
const trailing = /[\u11a8-\u11ff\ud7cb-\ud7fb]/;

/** Korean letters that combine into a syllable: two columns for each, one or two for a letter that finds no partner; null for other text. */
function jamoWidth(chars: readonly string[]): number | null {
  if (!isJamo(chars[0])) return null;
  let width = 0;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? "";
    if (!isJamo(char)) return width + chars.slice(i).reduce((sum, other) => sum + columns(other), 0);
    if (leading.test(char) && vowel.test(chars[i + 1] ?? "")) {
      width += 2;
      i += trailing.test(chars[i + 2] ?? "") ? 2 : 1;
    } else width += columns(char);
  }
  return width;
}

function isJamo(char: string | undefined): boolean {
  return char !== undefined && (leading.test(char) || vowel.test(char) || trailing.test(char));
}

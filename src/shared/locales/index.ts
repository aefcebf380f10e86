/** The texts that a person reads: one table a language, one set of keys. */

import type { Lang } from "../lang";
import { en } from "./en";
import { es } from "./es";
import { ja } from "./ja";
import { ko } from "./ko";
import { zh } from "./zh";
import { zhTw } from "./zh-TW";

export type Texts = typeof en;

/** All six are loaded at once: together they are read in about a millisecond, and the first frame needs its language. */
const tables: Record<Lang, Texts> = { zh, en, "zh-TW": zhTw, ja, ko, es };

/** The table of a language. */
export function textsFor(lang: Lang): Texts {
  return tables[lang];
}

/** Puts values into a text: `{name}` is replaced literally, unknown names stay. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

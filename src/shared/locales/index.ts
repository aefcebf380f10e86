/** The texts that a person reads: one table a language, one set of keys. What a language lacks falls back to English. */

import type { Lang } from "../lang";
import { en } from "./en";
import { zh } from "./zh";

export type Texts = typeof en;

const tables: Partial<Record<Lang, Texts>> = { en, zh };

/** The table of a language; languages without one get English. */
export function textsFor(lang: Lang): Texts {
  return tables[lang] ?? en;
}

/** Puts values into a text: `{name}` is replaced literally, unknown names stay. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

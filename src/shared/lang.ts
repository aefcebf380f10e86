/** The languages that prompts and screens are written in. */

export const PROMPT_LANGS = ["zh", "en", "zh-TW", "ja", "ko", "es"] as const;
export type Lang = (typeof PROMPT_LANGS)[number];

/** The library's default (guide 6.1). */
export const DEFAULT_LANG: Lang = "zh";

export function isLang(text: string): text is Lang {
  return (PROMPT_LANGS as readonly string[]).includes(text);
}

/** The language that a locale name such as `zh_TW.UTF-8` asks for; undefined for C, POSIX, empty or unknown ones. */
export function langOfLocale(locale: string | undefined): Lang | undefined {
  const [language, territory = ""] = (locale ?? "").replace(/[.@].*$/, "").split(/[_-]/);
  if (!language) return undefined;
  if (language.toLowerCase() === "zh") return /^(tw|hk|mo|hant)$/i.test(territory) ? "zh-TW" : "zh";
  const lower = language.toLowerCase();
  return isLang(lower) ? lower : undefined;
}

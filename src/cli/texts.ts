/** The language of the command before its options are parsed: errors in parsing are told in it, too. */

import { isLang, type Lang, langOfLocale } from "../shared/lang";
import { type Texts, textsFor } from "../shared/locales";

/** The language of a locale setting; C, POSIX, empty and unknown ones mean English. */
export function langOfEnvironment(env: NodeJS.ProcessEnv): Lang {
  return langOfLocale(env.LC_ALL || env.LC_MESSAGES || env.LANG) ?? "en";
}

export function commandTexts(args: string[], env: NodeJS.ProcessEnv): Texts {
  const at = args.findIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  const given = at < 0 ? undefined : args[at]?.includes("=") ? args[at]?.split("=")[1] : args[at + 1];
  return textsFor(given !== undefined && isLang(given) ? given : langOfEnvironment(env));
}

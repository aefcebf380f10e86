/** The second way: the tesseract program, with those of the wanted languages for which it has data. */

import { findProgram, type ProgramSearch } from "../../shared/programs";
import type { Picture } from "./picture";
import { outputOf, type ProgramOptions, withFile } from "./program";

/** Where it is, or null. A program that lies in the workspace is not taken. */
export function findTesseract({
  env,
  outside,
}: {
  env: ProgramSearch["env"];
  outside: string | undefined;
}): string | null {
  return findProgram("tesseract", { ...(env && { env }), ...(outside !== undefined && { outside }) });
}

/** Its own names for languages as people write them. */
const codes: Record<string, string> = {
  en: "eng",
  zh: "chi_sim",
  "zh-cn": "chi_sim",
  "zh-hans": "chi_sim",
  "zh-tw": "chi_tra",
  "zh-hant": "chi_tra",
  ja: "jpn",
  ko: "kor",
  es: "spa",
  fr: "fra",
  de: "deu",
  it: "ita",
  pt: "por",
  ru: "rus",
};
/** Data for more languages makes it slower and worse. */
const DEFAULT = ["eng", "chi_sim"];

export async function readByTesseract(
  program: string,
  { bytes }: Picture,
  options: ProgramOptions & { languages: readonly string[] },
): Promise<string> {
  const languages = await usableLanguages(program, options);
  const choice = languages.length > 0 ? ["-l", languages.join("+")] : [];
  return withFile("picture", bytes, (path) => outputOf([program, path, "stdout", ...choice], options));
}

async function usableLanguages(
  program: string,
  options: ProgramOptions & { languages: readonly string[] },
): Promise<string[]> {
  const wanted = options.languages.map((language) => codes[language.toLowerCase()] ?? language);
  const listed = await outputOf([program, "--list-langs"], options).catch(() => "");
  const installed = new Set(listed.split("\n").map((line) => line.trim()));
  return (wanted.length > 0 ? wanted : DEFAULT).filter((language) => installed.has(language));
}

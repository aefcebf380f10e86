/** The first way, on macOS: the system's own text recognition, reached by its script runner; nothing has to be installed. */

import { findProgram, type ProgramSearch } from "../../shared/programs";
import type { Picture } from "./picture";
import { outputOf, type ProgramOptions, withFile } from "./program";

/** The script runner, or null where there is none. */
export function findVision(
  platform: NodeJS.Platform,
  { env, outside }: { env: ProgramSearch["env"]; outside: string | undefined },
): string | null {
  if (platform !== "darwin") return null;
  return findProgram("osascript", { ...(env && { env }), ...(outside !== undefined && { outside }) });
}

/** JavaScript for Automation. Vision gives lines from top to bottom; a result that is no text is an error for us. */
const SCRIPT = `
ObjC.import("Foundation");
ObjC.import("Vision");
function run(argv) {
  const url = $.NSURL.fileURLWithPath(argv[0]);
  const request = $.VNRecognizeTextRequest.alloc.init;
  request.recognitionLevel = 0;
  request.usesLanguageCorrection = true;
  if (argv.length > 1) request.recognitionLanguages = $(argv.slice(1));
  else if (request.respondsToSelector("setAutomaticallyDetectsLanguage:")) request.automaticallyDetectsLanguage = true;
  const handler = $.VNImageRequestHandler.alloc.initWithURLOptions(url, $.NSDictionary.dictionary);
  const error = Ref();
  if (!handler.performRequestsError($.NSArray.arrayWithObject(request), error)) {
    throw new Error(ObjC.unwrap(error[0].localizedDescription));
  }
  const found = request.results;
  const lines = [];
  for (let at = 0; at < found.count; at += 1) {
    const best = found.objectAtIndex(at).topCandidates(1);
    if (best.count > 0) lines.push(ObjC.unwrap(best.objectAtIndex(0).string));
  }
  return lines.join("\\n");
}
`;

/** Its own names for languages as people write them. */
const tags: Record<string, string> = {
  en: "en-US",
  zh: "zh-Hans",
  "zh-cn": "zh-Hans",
  "zh-tw": "zh-Hant",
  ja: "ja-JP",
  ko: "ko-KR",
  es: "es-ES",
  fr: "fr-FR",
  de: "de-DE",
  it: "it-IT",
  pt: "pt-BR",
  ru: "ru-RU",
};

export async function readByVision(
  program: string,
  { bytes }: Picture,
  options: ProgramOptions & { languages: readonly string[] },
): Promise<string> {
  const languages = options.languages.map((language) => tags[language.toLowerCase()] ?? language);
  return withFile("picture", bytes, (path) =>
    outputOf([program, "-l", "JavaScript", "-e", SCRIPT, path, ...languages], options),
  );
}

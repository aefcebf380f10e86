/** The texts that tell a model who it is and how to work, one set a language (guide 20.1). */

import enCode from "../../prompts/en/code.md";
import enCompact from "../../prompts/en/compact.md";
import enCowork from "../../prompts/en/cowork.md";
import enExplore from "../../prompts/en/explore.md";
import enSessionName from "../../prompts/en/session-name.md";
import zhCode from "../../prompts/zh/code.md";
import zhCompact from "../../prompts/zh/compact.md";
import zhCowork from "../../prompts/zh/cowork.md";
import zhExplore from "../../prompts/zh/explore.md";
import zhSessionName from "../../prompts/zh/session-name.md";
import type { Lang } from "./lang";

/** The prompts of one language; `code` and `cowork` hold the placeholder `{{lang}}`. */
export interface PromptSet {
  code: string;
  cowork: string;
  explore: string;
  compact: string;
  sessionName: string;
}

const en: PromptSet = { code: enCode, cowork: enCowork, explore: enExplore, compact: enCompact, sessionName: enSessionName };
const zh: PromptSet = { code: zhCode, cowork: zhCowork, explore: zhExplore, compact: zhCompact, sessionName: zhSessionName };

/** All sets by language. Languages that have no text of their own yet use the English one. */
export const promptSets: Record<Lang, PromptSet> = { zh, en, "zh-TW": en, ja: en, ko: en, es: en };

/** The prompts of one language (guide 20.1). */
export function getPrompts(lang: Lang): PromptSet {
  return promptSets[lang];
}

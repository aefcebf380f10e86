/** The texts that tell a model who it is and how to work, one set a language (guide 20.1). */

import enCode from "../../prompts/en/code.md";
import enCompact from "../../prompts/en/compact.md";
import enCowork from "../../prompts/en/cowork.md";
import enExplore from "../../prompts/en/explore.md";
import enSessionName from "../../prompts/en/session-name.md";
import esCode from "../../prompts/es/code.md";
import esCompact from "../../prompts/es/compact.md";
import esCowork from "../../prompts/es/cowork.md";
import esExplore from "../../prompts/es/explore.md";
import esSessionName from "../../prompts/es/session-name.md";
import jaCode from "../../prompts/ja/code.md";
import jaCompact from "../../prompts/ja/compact.md";
import jaCowork from "../../prompts/ja/cowork.md";
import jaExplore from "../../prompts/ja/explore.md";
import jaSessionName from "../../prompts/ja/session-name.md";
import koCode from "../../prompts/ko/code.md";
import koCompact from "../../prompts/ko/compact.md";
import koCowork from "../../prompts/ko/cowork.md";
import koExplore from "../../prompts/ko/explore.md";
import koSessionName from "../../prompts/ko/session-name.md";
import zhCode from "../../prompts/zh/code.md";
import zhCompact from "../../prompts/zh/compact.md";
import zhCowork from "../../prompts/zh/cowork.md";
import zhExplore from "../../prompts/zh/explore.md";
import zhSessionName from "../../prompts/zh/session-name.md";
import zhTwCode from "../../prompts/zh-TW/code.md";
import zhTwCompact from "../../prompts/zh-TW/compact.md";
import zhTwCowork from "../../prompts/zh-TW/cowork.md";
import zhTwExplore from "../../prompts/zh-TW/explore.md";
import zhTwSessionName from "../../prompts/zh-TW/session-name.md";
import type { Lang } from "./lang";

/** The prompts of one language; `code` and `cowork` hold the placeholder `{{lang}}`. */
export interface PromptSet {
  code: string;
  cowork: string;
  explore: string;
  compact: string;
  sessionName: string;
}

/** All sets by language: the same sections under the same numbers, each written in its own words. */
export const promptSets: Record<Lang, PromptSet> = {
  zh: { code: zhCode, cowork: zhCowork, explore: zhExplore, compact: zhCompact, sessionName: zhSessionName },
  en: { code: enCode, cowork: enCowork, explore: enExplore, compact: enCompact, sessionName: enSessionName },
  "zh-TW": {
    code: zhTwCode,
    cowork: zhTwCowork,
    explore: zhTwExplore,
    compact: zhTwCompact,
    sessionName: zhTwSessionName,
  },
  ja: { code: jaCode, cowork: jaCowork, explore: jaExplore, compact: jaCompact, sessionName: jaSessionName },
  ko: { code: koCode, cowork: koCowork, explore: koExplore, compact: koCompact, sessionName: koSessionName },
  es: { code: esCode, cowork: esCowork, explore: esExplore, compact: esCompact, sessionName: esSessionName },
};

/** The prompts of one language (guide 20.1). */
export function getPrompts(lang: Lang): PromptSet {
  return promptSets[lang];
}

/** The system prompt of a session: role, language, and the project's own instructions. */

import type { Lang } from "../shared/lang";
import { getPrompts } from "../shared/prompts";
import { projectInstructions } from "./projectInstructions";

export type AgentType = "code" | "cowork";

/** Each language by its own name, with the English one behind it: small models may know only one of the two. */
const LANGUAGE_NAMES: Record<Lang, string> = {
  zh: "简体中文 (Simplified Chinese)",
  en: "English",
  "zh-TW": "繁體中文 (Traditional Chinese)",
  ja: "日本語 (Japanese)",
  ko: "한국어 (Korean)",
  es: "español (Spanish)",
};

/**
 * Builds the system prompt (guide 6.1, step 5). It is the same from turn to turn, so that prefix caches hit; for that
 * reason the date is in the environment block and `_today` is taken only for the signature.
 *
 * @param options.appendix text of the host, put last; `userFile` the user-level AGENTS.md
 */
export function buildInstructions(
  agentType: AgentType,
  workspace: string,
  _today: string,
  lang: Lang,
  options: { appendix?: string | undefined; userFile?: string | undefined } = {},
): string {
  const parts = [rolePrompt(agentType, lang), projectInstructions(workspace, options.userFile), options.appendix ?? ""];
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

/** The role's text alone, with the language put in. */
export function rolePrompt(agentType: AgentType, lang: Lang): string {
  return getPrompts(lang)
    [agentType].replaceAll("{{lang}}", () => LANGUAGE_NAMES[lang])
    .trim();
}

/** Names of the sentences that the screen speaks; what they say stands in the language tables. */

import type { Texts } from "../../shared/locales";

export type UiTexts = Texts["ui"];
export type TextKey = keyof UiTexts;

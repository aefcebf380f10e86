/** Names of the sentences that the screen speaks; what they say stands in the language tables. */

import type { Texts } from "../../shared/locales";

/** The screen's own sentences, with those about failures that it shares with the command line. */
export type UiTexts = Texts["ui"] & { errors: Texts["errors"] };
export type TextKey = keyof Texts["ui"];

export function uiTextsOf({ ui, errors }: Texts): UiTexts {
  return { ...ui, errors };
}

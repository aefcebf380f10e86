/** The completion list of slash commands: open while the draft is a slash and the beginning of a word. */

import { commands } from "../commands";
import { type CompletionList, completeCommand } from "../input/completion";
import { type Draft, draftText } from "./draft";
import type { UiTexts } from "./texts";

/** The list for a draft; the same choice stays chosen while the same word is typed. */
export function completionOf(draft: Draft): CompletionList | null {
  const { units } = draft.buffer;
  if (units[0] !== "/" || units.length > LONGEST_WORD) return null;
  return completeCommand(draft.buffer, names);
}

/** Longer words are no command, and a long draft must not be searched at every key. */
const LONGEST_WORD = 24;

/** Descriptions are looked up when the list is drawn, for they depend on the language. */
const names = commands.map((command) => ({ name: `/${command.name}`, description: "" }));

/** True when Enter may take the chosen command for what was typed: only if the word is the beginning of it. */
export function isBeginning(draft: Draft, list: CompletionList): boolean {
  return list.choices[list.selected]?.value.startsWith(draftText(draft)) ?? false;
}

/** What a command of the list does, in the person's language. */
export function describeChoice(value: string, texts: UiTexts): { usage: string; does: string } {
  const command = commands.find((candidate) => `/${candidate.name}` === value);
  if (!command) return { usage: value, does: "" };
  return { usage: command.argument === "" ? value : `${value} ${command.argument}`, does: texts[command.text] };
}

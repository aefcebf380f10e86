/** Completion in the input box: which choices a draft offers, which one is chosen, and what choosing does to the draft. */

import { change, type EditBuffer, replaceUnits, textOf, unitsOf } from "./draft";

export interface Choice {
  /** What is put into the draft. */
  value: string;
  detail: string;
}

/** The offer that is open, and where it stands in the draft. */
export interface CompletionList {
  readonly choices: readonly Choice[];
  readonly selected: number;
  /** The units that a choice replaces. */
  readonly start: number;
  readonly end: number;
}

export interface CommandName {
  /** With its slash, `/model`. */
  name: string;
  description: string;
}

/** The commands that fit a draft that is a slash and the beginning of a word; null while there is nothing to offer. */
export function completeCommand(buffer: EditBuffer, commands: readonly CommandName[]): CompletionList | null {
  const text = textOf(buffer);
  if (!/^\/\S*$/.test(text) || buffer.caret !== buffer.units.length) return null;
  const ranked = commands.flatMap((command) => {
    const rank = rankOf(command.name.toLowerCase(), text.toLowerCase());
    return rank === null ? [] : [{ command, rank }];
  });
  if (ranked.length === 0) return null;
  ranked.sort((a, b) => a.rank - b.rank);
  const choices = ranked.map(({ command }) => ({ value: command.name, detail: command.description }));
  return { choices, selected: 0, start: 0, end: buffer.units.length };
}

/** 0: the beginning of the name; 1: inside it; 2: its letters in order; null: does not fit. */
function rankOf(name: string, typed: string): number | null {
  if (name.startsWith(typed)) return 0;
  const letters = typed.slice(1);
  if (name.includes(letters)) return 1;
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return null;
  }
  return 2;
}

/** The next or the previous choice, round and round. */
export function moveSelection(list: CompletionList, step: number): CompletionList {
  const count = list.choices.length;
  return { ...list, selected: (((list.selected + step) % count) + count) % count };
}

/** Puts the chosen value into the draft, with a blank behind it to go on. */
export function acceptChoice(buffer: EditBuffer, list: CompletionList): EditBuffer {
  const choice = list.choices[list.selected];
  if (!choice) return buffer;
  return change(buffer, replaceUnits(buffer, { start: list.start, end: list.end, units: unitsOf(`${choice.value} `) }));
}

/** What opens below the input box: the completion list, or the sheet of keys. */

import { cutLine, padEnd } from "../../render/width";
import { describeChoice } from "../state/popup";
import type { ScreenState } from "../state/ScreenState";
import type { UiTexts } from "../state/texts";
import type { Room } from "./room";

const LIST_ROWS = 12;

/** At most `max` rows; none while a dialog is open. */
export function popupRows(state: ScreenState, room: Room, max: number): string[] {
  if (max <= 0 || state.dialogs[0]?.parked === false) return [];
  if (state.sheet) return sheetRows(room).slice(0, max);
  return commandRows(state, room, Math.min(max, LIST_ROWS));
}

function commandRows(state: ScreenState, { paint, texts, width }: Room, max: number): string[] {
  if (!state.completion) return [];
  const { choices, selected } = state.completion;
  const from = Math.min(Math.max(0, selected - max + 1), Math.max(0, choices.length - max));
  return choices.slice(from, from + max).map((choice, index) => {
    const isChosen = index + from === selected;
    const { usage, does } = describeChoice(choice.value, texts);
    const name = padEnd(usage, 24);
    return cutLine(
      `${isChosen ? paint("accent", "›") : " "} ${isChosen ? paint("strong", name) : name} ${paint("dim", does)}`,
      width,
    );
  });
}

/** Keys and what they do; also part of the help. */
export function sheetLines(texts: UiTexts): [key: string, does: string][] {
  return [
    ["Enter", texts.sheetSend],
    ["Tab", texts.sheetLater],
    ["Ctrl-J, Alt-Enter, \\ Enter", texts.sheetNewline],
    ["Esc", texts.sheetStop],
    ["Ctrl-C", texts.sheetClear],
    ["Ctrl-D", texts.sheetLeave],
    ["Shift-Tab", texts.sheetMode],
    ["↑ ↓", texts.sheetHistory],
    ["Ctrl-R", texts.sheetSearch],
    ["Ctrl-O", texts.sheetExpand],
    ["Ctrl-T", texts.sheetWaiting],
    ["Ctrl-_", texts.sheetUndo],
    ["Ctrl-K, Ctrl-U, Ctrl-W, Ctrl-Y", texts.sheetKill],
    ["Ctrl-G, Ctrl-X Ctrl-E", texts.sheetEditor],
    ["Ctrl-L", texts.sheetRedraw],
    ["Ctrl-Z", texts.sheetSuspend],
  ];
}

function sheetRows({ paint, texts, width }: Room): string[] {
  const narrow = width < 59;
  const rows = sheetLines(texts).map(([key, does]) => {
    const label = narrow ? key : padEnd(key, 31);
    return cutLine(`  ${paint("accent", label)} ${does}`, width);
  });
  return [...rows, `  ${paint("dim", texts.sheetClose)}`];
}

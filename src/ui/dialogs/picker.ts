/** A list to choose from, opened by the person's own command: modes, turns, sessions. */

import type { TextKey } from "../state/texts";
import type { Outcome, Press } from "./press";

export interface PickerRow {
  value: string;
  label: string;
  /** Said after the label, dimmed. May be foreign text. */
  note: string;
}

export interface Picker {
  kind: "picker";
  title: TextKey;
  rows: readonly PickerRow[];
  cursor: number;
}

/** The answer is the value of a row, or null. */
export function pickerKey(ask: Picker, press: Press): Outcome<Picker> {
  if (press.kind !== "event" || press.event.type !== "key") return null;
  const { event } = press;
  if (event.name === "escape") return { answer: null };
  if (event.name === "enter" && event.alone) return { answer: ask.rows[ask.cursor]?.value ?? null };
  const steps: Record<string, number> = {
    up: -1,
    down: 1,
    pageup: -8,
    pagedown: 8,
    home: -ask.rows.length,
    end: ask.rows.length,
  };
  const step = steps[event.name];
  if (step === undefined) return null;
  return { ask: { ...ask, cursor: Math.min(Math.max(0, ask.cursor + step), ask.rows.length - 1) } };
}

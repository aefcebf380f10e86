/** The dialog of ask_user: one option, several, or an answer in the person's own words. */

import type { QuestionOption } from "../../shared/events";
import { createBuffer, type EditBuffer } from "../input/editBuffer";
import { editField } from "./field";
import { answerKey, type Outcome, type Press } from "./press";

export interface Question {
  kind: "question";
  question: string;
  options: readonly QuestionOption[];
  allowText: boolean;
  multi: boolean;
  /** The highlighted option; -1: none yet, so that a stray Enter answers nothing. */
  cursor: number;
  marked: readonly number[];
  /** Open while the person writes. */
  field: EditBuffer | null;
}

export function buildQuestion(
  question: string,
  options: readonly (string | QuestionOption)[],
  kinds: { allowText: boolean; multi: boolean },
): Question {
  const shown = options.map((option) => (typeof option === "string" ? { label: option } : option));
  const field = shown.length === 0 ? createBuffer() : null;
  return { kind: "question", question, options: shown, ...kinds, cursor: -1, marked: [], field };
}

/** Answers are a label, several labels, own words, or null for none. */
export function questionKey(ask: Question, press: Press): Outcome<Question> {
  if (ask.field) return fieldKey(ask, ask.field, press);
  const moved = moveKey(ask, press);
  if (moved) return { ask: moved };
  const key = answerKey(press);
  if (key === "escape") return { answer: null };
  if (key === "e" && ask.allowText) return { ask: { ...ask, field: createBuffer() } };
  if (key === "enter") return ask.multi ? { answer: labels(ask) } : pick(ask, ask.cursor);
  if (key === " ") return ask.multi ? pick(ask, ask.cursor) : null;
  return key !== null && /^[1-9]$/.test(key) ? pick(ask, Number(key) - 1) : null;
}

function moveKey(ask: Question, press: Press): Question | null {
  if (press.kind !== "event" || press.event.type !== "key") return null;
  const { name } = press.event;
  if (name !== "up" && name !== "down") return null;
  const count = ask.options.length;
  const from = ask.cursor < 0 ? (name === "down" ? -1 : count) : ask.cursor;
  return { ...ask, cursor: (from + (name === "down" ? 1 : count - 1)) % count };
}

/** With single choice a pick is the answer; with several it is a mark, on or off. */
function pick(ask: Question, index: number): Outcome<Question> {
  const option = ask.options[index];
  if (!option) return null;
  if (!ask.multi) return { answer: option.label };
  const marked = ask.marked.includes(index) ? ask.marked.filter((other) => other !== index) : [...ask.marked, index];
  return { ask: { ...ask, cursor: index, marked } };
}

function labels(ask: Question): string[] {
  return ask.options.filter((_, index) => ask.marked.includes(index)).map((option) => option.label);
}

function fieldKey(ask: Question, field: EditBuffer, press: Press): Outcome<Question> {
  if (press.kind !== "event") return null;
  const edit = editField(field, press.event);
  if (edit.done === "cancel") return ask.options.length === 0 ? { answer: null } : { ask: { ...ask, field: null } };
  if (edit.done === "send" && edit.text.trim() !== "") return { answer: edit.text.trim() };
  return { ask: { ...ask, field: edit.buffer } };
}

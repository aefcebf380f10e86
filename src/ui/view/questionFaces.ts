/** The dialogs that ask without permitting: questions of the model, a plan, lists to choose from, a yes or no. */

import { modelText, visibleLine, visibleText } from "../../render/sanitize";
import { cutLine, wrapText } from "../../render/width";
import { fill } from "../../shared/locales";
import type { Confirm } from "../dialogs/confirm";
import type { Picker } from "../dialogs/picker";
import type { Plan } from "../dialogs/plan";
import type { Question } from "../dialogs/question";
import type { Face } from "./face";
import { fieldRows } from "./fieldRows";
import { type KeyHelp, keyRows } from "./keyRow";
import { titleRows } from "./permissionFaces";
import type { Room } from "./room";

export function questionFace(ask: Question, room: Room): Face {
  const { texts } = room;
  const question = wrapText(modelText(ask.question.trim()), room.width - 2).map((row) => `  ${row}`);
  const options = ask.options.map((_, index) => optionRows(ask, index, room));
  const body = [...question, ...options.flat()];
  const before = options.slice(0, Math.max(0, ask.cursor)).flat().length;
  const focus = ask.cursor < 0 ? undefined : question.length + before;
  const head = titleRows(texts.questionTitle, room);
  if (ask.field) {
    const field = fieldRows(texts.questionAnswer, ask.field, room);
    const leave = ask.options.length === 0 ? texts.questionSkip : texts.keyBack;
    return {
      head,
      body,
      foot: [
        ...field.rows,
        ...keyRows(
          [
            ["Enter", texts.keySend],
            ["Esc", leave],
          ],
          room,
        ),
      ],
      focus,
      caret: field.caret,
    };
  }
  return { head, body, foot: keyRows(questionKeys(ask, room), room), focus };
}

function questionKeys(ask: Question, { texts }: Room): KeyHelp[] {
  const last = Math.min(9, ask.options.length);
  const digits = last > 1 ? `1-${last}` : "1";
  const pick: KeyHelp[] = ask.multi
    ? [
        [`${digits}, Space`, texts.questionMark],
        ["Enter", texts.questionDone],
      ]
    : [[digits, texts.questionPick]];
  const text: KeyHelp[] = ask.allowText ? [["e", texts.questionText]] : [];
  return [...pick, ...text, ["Esc", texts.questionSkip]];
}

function optionRows(ask: Question, index: number, { paint, width }: Room): string[] {
  const option = ask.options[index];
  if (!option) return [];
  const pointer = index === ask.cursor ? paint("accent", "› ") : "  ";
  const mark = ask.multi ? `[${ask.marked.includes(index) ? "x" : " "}] ` : "";
  const number = index < 9 ? `${index + 1}. ` : "   ";
  const indent = " ".repeat(2 + number.length + mark.length);
  const label = wrapText(visibleLine(option.label), width - indent.length);
  const description = option.description ? wrapText(visibleLine(option.description), width - indent.length) : [];
  const texts = [...label, ...description.map((row) => paint("dim", row))];
  return texts.map((row, at) => (at === 0 ? `${pointer}${number}${mark}${row}` : `${indent}${row}`));
}

export function planFace(ask: Plan, room: Room): Face {
  const { texts } = room;
  const head = titleRows(texts.planTitle, room);
  if (ask.comment) {
    const field = fieldRows(texts.planCommentPrompt, ask.comment, room);
    return {
      head,
      body: [],
      foot: [
        ...field.rows,
        ...keyRows(
          [
            ["Enter", texts.keySend],
            ["Esc", texts.keyBack],
          ],
          room,
        ),
      ],
      caret: field.caret,
    };
  }
  const keys: KeyHelp[] = [
    ["y", texts.planAccept],
    ["a", texts.planAuto],
    ["n", texts.planRefuse],
    ["e", texts.planComment],
    ["Esc", texts.planStop],
  ];
  return { head, body: [], foot: keyRows(keys, room) };
}

export function pickerFace(ask: Picker, room: Room): Face {
  const body = ask.rows.map((row, index) => {
    const pointer = index === ask.cursor ? room.paint("accent", "› ") : "  ";
    const label = visibleLine(row.label);
    const note = row.note === "" ? "" : room.paint("dim", `  ${visibleLine(row.note)}`);
    return cutLine(`${pointer}${index === ask.cursor ? room.paint("strong", label) : label}${note}`, room.width);
  });
  return {
    head: titleRows(room.texts[ask.title], room),
    body,
    foot: [room.paint("dim", room.texts.pickKeys)],
    focus: ask.cursor,
  };
}

export function confirmFace(ask: Confirm, room: Room): Face {
  const body = ask.groups.flatMap((group) => {
    const title = room.paint(group.tone === "warn" ? "warn" : "dim", `  ${room.texts[group.title]}:`);
    return [
      title,
      ...group.paths.flatMap((path) => wrapText(visibleText(path), room.width - 4).map((row) => `    ${row}`)),
    ];
  });
  const keys: KeyHelp[] = [
    ["y", room.texts.confirmYes],
    ["n", room.texts.confirmNo],
  ];
  const warning = ask.refused ? [room.paint("bad", room.texts.scrollFirst)] : [];
  return {
    head: titleRows(fill(room.texts[ask.title], ask.values), room),
    body,
    foot: [...warning, ...keyRows(keys, room)],
  };
}

/** The two dialogs that permit something: a tool call and a folder. Everything foreign is shown whole, visible and inert. */

import { collapseBlanks, visibleLine, visibleText } from "../../render/sanitize";
import { wrapText } from "../../render/width";
import { fill } from "../../shared/locales";
import { type Approval, type ApprovalPart, canEdit } from "../dialogs/approval";
import type { Directory } from "../dialogs/directory";
import { wholeDiffRows } from "./diffRows";
import type { Face } from "./face";
import { fieldRows } from "./fieldRows";
import { type KeyHelp, keyRows } from "./keyRow";
import type { Room } from "./room";

const whole = { maxChars: Number.POSITIVE_INFINITY };

export function approvalFace(ask: Approval, room: Room): Face {
  const head = [...titleRows(approvalTitle(ask, room), room), ...whyRows(ask.reason, room)];
  const body = ask.parts.flatMap((part) => partRows(part, room));
  if (ask.comment) {
    const field = fieldRows(room.texts.commentPrompt, ask.comment, room);
    return {
      head,
      body,
      foot: [
        ...field.rows,
        ...keyRows(
          [
            ["Enter", room.texts.keySend],
            ["Esc", room.texts.keyBack],
          ],
          room,
        ),
      ],
      caret: field.caret,
    };
  }
  return { head, body, foot: [...warning(ask.refused, room), ...keyRows(approvalKeys(ask, room), room)] };
}

export function directoryFace(ask: Directory, room: Room): Face {
  const access = ask.writable ? room.texts.directoryWrite : room.texts.directoryRead;
  const head = [...titleRows(room.texts.directoryTitle, room), ...whyRows(ask.reason, room)];
  const body = wrapText(`${inert(ask.path)} (${access})`, room.width - 2, whole).map((row) => barred(row, room));
  const keys: KeyHelp[] = [
    ["y", room.texts.directoryAllow],
    ["n", room.texts.keyDeny],
    ["Esc", room.texts.keyDenyStop],
  ];
  if (ask.writable) keys.splice(1, 0, ["r", room.texts.directoryReadOnly]);
  return { head, body, foot: [...warning(ask.refused, room), ...keyRows(keys, room)] };
}

export function titleRows(title: string, room: Room): string[] {
  return wrapText(title, room.width - 2).map(
    (row, index) => `${index === 0 ? room.paint("warn", "▲ ") : "  "}${room.paint("strong", row)}`,
  );
}

function approvalTitle(ask: Approval, { texts }: Room): string {
  if (ask.isCommand) return texts.approveCommand;
  const title =
    ask.changes.length > 0 ? texts.approveChanges : fill(texts.approveTool, { tool: visibleLine(ask.toolName) });
  return title;
}

function whyRows(reason: string, { texts, paint, width }: Room): string[] {
  if (reason.trim() === "") return [];
  return wrapText(fill(texts.approveWhy, { reason: visibleText(reason.trim()) }), width - 2).map(
    (row) => `  ${paint("dim", row)}`,
  );
}

function partRows(part: ApprovalPart, room: Room): string[] {
  const inner = { ...room, width: room.width - 2 };
  return contentRows(part, inner).map((row) => barred(row, room));
}

function contentRows(part: ApprovalPart, room: Room): string[] {
  switch (part.style) {
    case "note":
      return wrapText(room.texts[part.text], room.width).map((row) => room.paint("dim", row));
    case "path": {
      const note = part.label === "" ? "" : ` (${room.texts[part.label]})`;
      return wrapText(`${inert(part.text)}${note}`, room.width, whole).map((row) => room.paint("strong", row));
    }
    case "diff":
      return wholeDiffRows(part.text, room);
    default: {
      const label = part.label === "" ? [] : [room.paint("dim", inert(part.label))];
      return [...label, ...wrapText(inert(part.text), room.width, whole)];
    }
  }
}

/** Nothing acts, nothing hides, and nothing is pushed out of sight by blanks. */
function inert(text: string): string {
  return collapseBlanks(visibleText(text));
}

function barred(row: string, { paint }: Room): string {
  return `${paint("warn", "┃")} ${row}`;
}

function warning(refused: boolean, { paint, texts, width }: Room): string[] {
  return refused ? wrapText(texts.scrollFirst, width).map((row) => paint("bad", row)) : [];
}

function approvalKeys(ask: Approval, { texts }: Room): KeyHelp[] {
  return [
    ["y", texts.keyAllowOnce],
    ["t", fill(texts.keyAllowTool, { tool: visibleLine(ask.toolName) })],
    ...(ask.isCommand ? [["c", texts.keyAllowCommand] as const] : []),
    ["n", texts.keyDeny],
    ["e", texts.keyDenyComment],
    ...(canEdit(ask) ? [["v", texts.keyEdit] as const] : []),
    ["Esc", texts.keyDenyStop],
  ];
}

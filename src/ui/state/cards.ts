/** Tool cards: what the screen knows of one tool call, from its proposal to its end. */

import type { EventData, ToolStatus } from "../../shared/events";

/** `past`: of an earlier session, of which the result is known but not whether it was an error. */
export type CardState = "proposed" | "running" | "past" | ToolStatus;

/** One tool call. Texts are foreign and not yet cleaned. Times are milliseconds of the screen's clock. */
export interface Card {
  id: string;
  name: string;
  args: Record<string, unknown>;
  state: CardState;
  startedAt?: number;
  durationMs?: number;
  /** The newest live output, at most `LIVE_OUTPUT_CHARS`. */
  output: string;
  /** How the result begins. */
  preview: string;
  /** A unified diff, where the tool gave one. */
  diff?: string;
  /** Why it was denied or failed. */
  reason?: string;
}

/** Enough for the last rows of any terminal; the rest of the output is in the result. */
export const LIVE_OUTPUT_CHARS = 8_192;

export function proposeCard(cards: readonly Card[], data: EventData["tool_proposed"]): Card[] {
  const card: Card = {
    id: data.reqId,
    name: data.name,
    args: data.arguments ?? {},
    state: "proposed",
    output: "",
    preview: "",
  };
  return [...cards.filter((known) => known.id !== card.id), card];
}

export function startCard(cards: readonly Card[], data: EventData["tool_started"], now: number): Card[] {
  return change(cards, data, (card) => ({ ...card, state: "running", startedAt: now }));
}

export function growCard(cards: readonly Card[], data: EventData["tool_output"]): Card[] {
  return change(cards, data, (card) => ({ ...card, output: (card.output + data.chunk).slice(-LIVE_OUTPUT_CHARS) }));
}

export function finishCard(cards: readonly Card[], data: EventData["tool_finished"], now: number): Card[] {
  return change(cards, data, (card) => ({
    ...card,
    state: data.status,
    durationMs: data.duration ?? (card.startedAt === undefined ? undefined : now - card.startedAt),
    preview: data.result_preview ?? "",
    diff: diffOf(data.display),
    reason: data.reason,
  }));
}

/** Cards that never ended, as they stand when their turn is over. */
export function abandonCards(cards: readonly Card[]): Card[] {
  return cards.map((card) => (isFinished(card) ? card : { ...card, state: "interrupted" }));
}

export function isFinished(card: Card): boolean {
  return card.state !== "proposed" && card.state !== "running";
}

/** Cards that may go up now: finished, and with no unfinished one before them, so that the order of calls is kept. */
export function splitFinished(cards: readonly Card[]): { finished: Card[]; rest: Card[] } {
  const open = cards.findIndex((card) => !isFinished(card));
  const end = open < 0 ? cards.length : open;
  return { finished: cards.slice(0, end), rest: cards.slice(end) };
}

/** An event may name a call that was never proposed (another program's engine); then it gets a card of its own. */
function change(cards: readonly Card[], data: { reqId: string; name: string }, edit: (card: Card) => Card): Card[] {
  const known = cards.some((card) => card.id === data.reqId);
  const all = known ? cards : proposeCard(cards, { ...data, arguments: {}, taskId: "" });
  return all.map((card) => (card.id === data.reqId ? edit(card) : card));
}

/**
 * `display` is for interfaces only and of any shape. A unified diff is read as text, or from files that each have a path
 * and hunks (docs/tools.md).
 */
function diffOf(display: unknown): string | undefined {
  if (typeof display === "string") return isDiff(display) ? display : undefined;
  if (!isRecord(display) || !Array.isArray(display["files"])) return undefined;
  const parts = display["files"].flatMap((file: unknown) => (isRecord(file) ? fileDiff(file) : []));
  return parts.length > 0 ? parts.join("\n") : undefined;
}

function fileDiff({ path, movedTo, diff }: Record<string, unknown>): string[] {
  if (typeof path !== "string" || typeof diff !== "string" || !isDiff(diff)) return [];
  return [`--- a/${path}\n+++ b/${typeof movedTo === "string" ? movedTo : path}\n${diff}`];
}

function isDiff(text: string): boolean {
  return /^@@ /m.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

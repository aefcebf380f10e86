/** A running turn, as its events build it: the answer's tail, the open cards, and what is going on. */

import type { Block } from "../../render/markdown/blocks";
import { type EventData, EventType, isEvent, type TurnStatus, type WsEvent } from "../../shared/events";
import { abandonCards, type Card, finishCard, growCard, proposeCard, splitFinished, startCard } from "./cards";
import type { Item } from "./items";

export type Activity = "waiting" | "thinking" | "answering" | "working" | "compacting";

export interface Retry {
  attempt: number;
  max: number;
  reason: string;
  error_type?: string;
  /** Milliseconds of the screen's clock. */
  until: number;
}

export interface Turn {
  startedAt: number;
  activity: Activity;
  /** The part of the answer that is not printed yet. */
  tail: string;
  /** A block of this message is printed already. */
  hasSpoken: boolean;
  /** What the model has thought since it last said or did something. */
  thought: { text: string; since: number } | null;
  cards: readonly Card[];
  retry: Retry | null;
  /** The person asked it to stop. */
  stopping: boolean;
  /** An error was said already, so the end needs no word. */
  failed: boolean;
}

/** The turn after an event, and what goes up for good. */
export interface TurnStep {
  turn: Turn;
  print: Item[];
}

export function startTurn(now: number, activity: Activity = "waiting"): Turn {
  return {
    startedAt: now,
    activity,
    tail: "",
    hasSpoken: false,
    thought: null,
    cards: [],
    retry: null,
    stopping: false,
    failed: false,
  };
}

/** What has come of the answer: blocks that are finished, and the part that is not. */
export interface Growth {
  blocks: readonly Block[];
  tail: string;
}

/** Finished blocks of the answer, and its new tail. What was thought before goes up first, folded. */
export function growAnswer(turn: Turn, { blocks, tail }: Growth, now: number): TurnStep {
  const shown = blocks.filter((block) => block.raw.trim() !== "");
  const print = shown.map((block, index): Item => ({ kind: "block", block, isFirst: index === 0 && !turn.hasSpoken }));
  return {
    turn: {
      ...turn,
      activity: "answering",
      retry: null,
      tail,
      hasSpoken: turn.hasSpoken || shown.length > 0,
      thought: null,
    },
    print: [...thoughtOf(turn, now), ...print],
  };
}

/** What an event that is not text does to the turn. Unknown events do nothing. */
export function reduceTurn(turn: Turn, event: WsEvent, now: number): TurnStep {
  if (isEvent(event, EventType.LLM_RETRY))
    return { turn: waitForRetry(turn, event.data, now), print: retryNotice(turn) };
  if (isEvent(event, EventType.LLM_REQUEST))
    return still({ ...turn, retry: null, activity: event.data.compact ? "compacting" : "waiting" });
  if (isEvent(event, EventType.REASONING_DELTA)) return think(turn, event.data, now);
  if (isEvent(event, EventType.COMPACTING)) return still({ ...turn, activity: "compacting" });
  if (isEvent(event, EventType.COMPACTED))
    return { turn: { ...turn, activity: "waiting" }, print: [compactedNotice(event.data)] };
  if (isEvent(event, EventType.QUEUE_STEERING)) return { turn, print: [{ kind: "user", text: event.data.text }] };
  if (isEvent(event, EventType.ASSISTANT_MESSAGE))
    return { turn: { ...turn, hasSpoken: false, tail: "", thought: null }, print: thoughtOf(turn, now) };
  if (isEvent(event, EventType.ERROR))
    return { turn: { ...turn, retry: null, failed: true }, print: [{ kind: "failure", data: event.data }] };
  return reduceCards(turn, event, now);
}

/** The last words of a turn. */
export function endTurn(turn: Turn, status: TurnStatus, iterations: number): Item[] {
  const cards = abandonCards(turn.cards).map((card): Item => ({ kind: "card", card }));
  if (status === "interrupted") return [...cards, { kind: "notice", tone: "warn", text: "turnInterrupted" }];
  if (status === "max_iterations_exceeded") {
    return [...cards, { kind: "notice", tone: "warn", text: "turnMaxIterations", values: { count: iterations } }];
  }
  if (status === "error" && !turn.failed) return [...cards, { kind: "notice", tone: "bad", text: "turnFailed" }];
  return cards;
}

function reduceCards(turn: Turn, event: WsEvent, now: number): TurnStep {
  if (isEvent(event, EventType.TOOL_PROPOSED)) return withCards(turn, proposeCard(turn.cards, event.data));
  if (isEvent(event, EventType.TOOL_STARTED)) return withCards(turn, startCard(turn.cards, event.data, now));
  if (isEvent(event, EventType.TOOL_OUTPUT)) return withCards(turn, growCard(turn.cards, event.data));
  if (isEvent(event, EventType.TOOL_FINISHED)) return withCards(turn, finishCard(turn.cards, event.data, now));
  return still(turn);
}

function withCards(turn: Turn, cards: Card[]): TurnStep {
  const { finished, rest } = splitFinished(cards);
  const activity = rest.length > 0 ? "working" : "waiting";
  return { turn: { ...turn, cards: rest, activity }, print: finished.map((card) => ({ kind: "card", card })) };
}

/** Thinking is shown as going on, and kept; text that turns out to be thinking is taken out of the answer. */
function think(turn: Turn, data: EventData["reasoning_delta"], now: number): TurnStep {
  const before = turn.thought ?? { text: "", since: now };
  const thought = { text: (before.text + data.text).slice(0, MAX_THOUGHT), since: before.since };
  const next: Turn = { ...turn, retry: null, thought, activity: "thinking" };
  if (!data.reclassified) return still(next);
  const print: Item[] = turn.hasSpoken ? [{ kind: "notice", tone: "warn", text: "answerWasThinking" }] : [];
  return { turn: { ...next, tail: "", hasSpoken: false }, print };
}

/** Only its beginning is shown. */
const MAX_THOUGHT = 2_000;

function thoughtOf({ thought }: Turn, now: number): Item[] {
  if (!thought || thought.text.trim() === "") return [];
  return [{ kind: "thought", text: thought.text, seconds: Math.max(1, Math.round((now - thought.since) / 1_000)) }];
}

function still(turn: Turn): TurnStep {
  return { turn, print: [] };
}

function waitForRetry(turn: Turn, data: EventData["llm_retry"], now: number): Turn {
  const { attempt, max, reason, error_type } = data;
  const retry = { attempt, max, reason, until: now + data.waitMs, ...(error_type !== undefined && { error_type }) };
  return { ...turn, retry, tail: "", hasSpoken: false, thought: null, activity: "waiting" };
}

/** An answer that broke off starts anew: what went up of it stays, so it is said that it does not count. */
function retryNotice(turn: Turn): Item[] {
  return turn.hasSpoken || turn.tail !== "" ? [{ kind: "notice", tone: "warn", text: "answerRestarts" }] : [];
}

function compactedNotice(data: EventData["compacted"]): Item {
  const values = { before: data.messagesBefore, after: data.messagesAfter };
  return { kind: "notice", tone: "good", text: data.method === "trimmed" ? "compactedTrimmed" : "compacted", values };
}

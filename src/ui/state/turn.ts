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
    cards: [],
    retry: null,
    stopping: false,
    failed: false,
  };
}

/** Finished blocks of the answer, and its new tail. */
export function growAnswer(turn: Turn, blocks: readonly Block[], tail: string): TurnStep {
  const shown = blocks.filter((block) => block.raw.trim() !== "");
  const print = shown.map((block, index): Item => ({ kind: "block", block, isFirst: index === 0 && !turn.hasSpoken }));
  return {
    turn: { ...turn, activity: "answering", retry: null, tail, hasSpoken: turn.hasSpoken || shown.length > 0 },
    print,
  };
}

/** What an event that is not text does to the turn. Unknown events do nothing. */
export function reduceTurn(turn: Turn, event: WsEvent, now: number): TurnStep {
  if (isEvent(event, EventType.LLM_RETRY))
    return { turn: waitForRetry(turn, event.data, now), print: retryNotice(turn) };
  if (isEvent(event, EventType.LLM_REQUEST))
    return still({ ...turn, retry: null, activity: event.data.compact ? "compacting" : "waiting" });
  if (isEvent(event, EventType.REASONING_DELTA)) return still({ ...turn, retry: null, activity: "thinking" });
  if (isEvent(event, EventType.COMPACTING)) return still({ ...turn, activity: "compacting" });
  if (isEvent(event, EventType.COMPACTED))
    return { turn: { ...turn, activity: "waiting" }, print: [compactedNotice(event.data)] };
  if (isEvent(event, EventType.QUEUE_STEERING)) return { turn, print: [{ kind: "user", text: event.data.text }] };
  if (isEvent(event, EventType.ASSISTANT_MESSAGE)) return still({ ...turn, hasSpoken: false, tail: "" });
  if (isEvent(event, EventType.ERROR))
    return { turn: { ...turn, retry: null, failed: true }, print: [errorNotice(event.data)] };
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

function still(turn: Turn): TurnStep {
  return { turn, print: [] };
}

function waitForRetry(turn: Turn, data: EventData["llm_retry"], now: number): Turn {
  const retry = { attempt: data.attempt, max: data.max, reason: data.reason, until: now + data.waitMs };
  return { ...turn, retry, tail: "", hasSpoken: false, activity: "waiting" };
}

/** An answer that broke off starts anew: what went up of it stays, so it is said that it does not count. */
function retryNotice(turn: Turn): Item[] {
  return turn.hasSpoken || turn.tail !== "" ? [{ kind: "notice", tone: "warn", text: "answerRestarts" }] : [];
}

function compactedNotice(data: EventData["compacted"]): Item {
  const values = { before: data.messagesBefore, after: data.messagesAfter };
  return { kind: "notice", tone: "good", text: data.method === "trimmed" ? "compactedTrimmed" : "compacted", values };
}

function errorNotice(data: EventData["error"]): Item {
  return { kind: "notice", tone: "bad", text: errorTexts[data.error_type] ?? "errorOther", detail: data.error };
}

/** Which sentence says what a failed call means and what to do next. */
const errorTexts = {
  rate_limit: "errorRateLimit",
  quota: "errorQuota",
  auth: "errorAuth",
  forbidden: "errorForbidden",
  model_not_found: "errorModel",
  endpoint_unsupported: "errorEndpoint",
  context_overflow: "errorContext",
  payload_too_large: "errorContext",
  content_filter: "errorFilter",
  overloaded: "errorOverloaded",
  server: "errorServer",
  network: "errorNetwork",
  stream_incomplete: "errorNetwork",
  stream_idle: "errorNetwork",
  loop_detected: "errorLoop",
  compaction_failed: "errorCompaction",
} as const satisfies Record<string, string> as Partial<Record<string, ErrorText>>;

type ErrorText = Extract<Item, { kind: "notice" }>["text"];

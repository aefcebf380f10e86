/** Follows one turn's events onto the screen: text as a stream, everything else at once, and how it ended. */

import type { BlockSplitter } from "../render/markdown/blocks";
import { messageOf } from "../shared/errors";
import { EventType, isEvent, type TurnStatus, type WsEvent } from "../shared/events";
import { AnswerStream } from "./AnswerStream";
import type { ScreenStore } from "./ScreenStore";

/** How a turn ended, as far as its stream told. */
export interface TurnEnd {
  status: TurnStatus;
  iterations: number;
  /** Files that it changed. */
  files: readonly string[];
}

export interface Following {
  store: ScreenStore;
  createSplitter(): BlockSplitter;
  /** The session's mode, model or usage may have changed. */
  onProgress(): void;
}

/** Reads the stream to its end. Never rejects: what the stream throws is said on the screen. */
export async function followTurn(events: AsyncIterable<WsEvent>, following: Following): Promise<TurnEnd> {
  const answer = new AnswerStream(following.store, following.createSplitter);
  let end: TurnEnd = { status: "completed", iterations: 0, files: [] };
  try {
    const breath = createBreath();
    for await (const event of events) {
      if (isEvent(event, EventType.TURN_END)) end = endOf(event.data);
      take(event, answer, following);
      await breath();
    }
  } catch (error) {
    end = { ...end, status: "error" };
    const data = { error: messageOf(error), error_type: "" };
    answer.end("");
    following.store.dispatch({ type: "event", event: { type: EventType.ERROR, data } });
  }
  answer.end("");
  return end;
}

/** Longer than this without a pause, and a key would be felt to wait. */
const BREATH_MS = 25;

/** Events that are there already come without a pause between them; timers, frames and keys need one now and then. */
function createBreath(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < BREATH_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        last = performance.now();
        resolve();
      }),
    );
  };
}

/** These come often and change nothing but the screen. */
const passing: ReadonlySet<string> = new Set([EventType.TOOL_OUTPUT, EventType.REASONING_DELTA]);

function take(event: WsEvent, answer: AnswerStream, { store, onProgress }: Following): void {
  if (isEvent(event, EventType.ASSISTANT_DELTA)) {
    answer.push(event.data.text);
    return;
  }
  if (isEvent(event, EventType.REASONING_DELTA) && event.data.reclassified) answer.reset();
  answer.flush();
  if (isEvent(event, EventType.ASSISTANT_MESSAGE)) answer.end(event.data.text);
  else if (event.type === EventType.TURN_END) answer.end("");
  store.dispatch({ type: "event", event }, "soon");
  if (event.type === EventType.LLM_RETRY) answer.reset();
  if (!passing.has(event.type)) onProgress();
}

function endOf(data: { status: TurnStatus; iterations: number; produced_files?: readonly string[] }): TurnEnd {
  return { status: data.status, iterations: data.iterations, files: data.produced_files ?? [] };
}

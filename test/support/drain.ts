/** Reads a turn to its end: as an array of events, or as a trace of one line an event. */
import type { WsEvent } from "../../src/shared/events";

export async function drain(stream: AsyncIterable<WsEvent>): Promise<WsEvent[]> {
  const events: WsEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Events one line each, with what tells them apart; deltas joined into one line. */
export function traceOf(events: readonly WsEvent[]): string[] {
  const lines: string[] = [];
  for (const { type, data } of events) {
    if (type === "assistant_delta" || type === "reasoning_delta") {
      if (lines.at(-1) !== type) lines.push(type);
    } else lines.push([type, data["name"], data["status"]].filter((part) => part !== undefined).join(" "));
  }
  return lines;
}

/** The events of one type, in order. */
export function only(events: readonly WsEvent[], type: WsEvent["type"]): WsEvent["data"][] {
  return events.filter((event) => event.type === type).map((event) => event.data);
}

/** Reads until an event of this type has come; the stream stays open. */
export async function until(stream: AsyncIterator<WsEvent>, type: WsEvent["type"]): Promise<WsEvent> {
  for (;;) {
    const step = await stream.next();
    if (step.done) throw new Error(`The stream ended before ${type}.`);
    if (step.value.type === type) return step.value;
  }
}

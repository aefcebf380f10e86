/** The JSON of server-sent events; keep-alive payloads that are no JSON at all are passed over. */

import { refusedAs } from "./reply";
import type { SseEvent } from "./sse";

/**
 * Undefined for empty payloads and for comments that a server put behind `data:`. Throws `Refused` for broken JSON. An
 * event that is named an error may say so in plain words.
 */
export function parseEventData({ name, data }: SseEvent): unknown {
  const payload = data.trim();
  if (payload === "" || payload.startsWith(":")) return undefined;
  const parsed = parsedJson(payload);
  if (parsed !== undefined || name === "error") return parsed ?? payload;
  throw refusedAs("malformed_response", true, `The endpoint sent an event that is no JSON: ${payload.slice(0, 80)}`);
}

const LONGEST_MARK = 40;

/** The mark behind the last event, in quotes or not. */
export function isEndMark({ data }: SseEvent): boolean {
  return data.length <= LONGEST_MARK && /^\s*"?\[DONE\]"?\s*$/i.test(data);
}

/** Events between which the blank line is missing come as one of several lines: each line is an event of its own. */
export function separateEvents(events: SseEvent[]): SseEvent[] {
  if (!events.some((event) => event.data.includes("\n"))) return events;
  return events.flatMap((event) => {
    if (!event.data.includes("\n") || parsedJson(event.data) !== undefined) return [event];
    const lines = event.data.split("\n").map((data) => ({ name: event.name, data }));
    const areEvents = lines.every((line) => line.data.trim() === "" || isEndMark(line) || isWhole(line));
    return areEvents ? lines : [event];
  });
}

/** What is left when a stream ends; half an event was cut off, and says nothing. */
export function lastEvents(events: SseEvent[]): SseEvent[] {
  return separateEvents(events).filter((event) => isEndMark(event) || !/^\s*[{[]/.test(event.data) || isWhole(event));
}

function isWhole({ data }: SseEvent): boolean {
  return parsedJson(data) !== undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

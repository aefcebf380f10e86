/** The JSON of one server-sent event; keep-alive payloads that are no JSON at all are passed over. */

import { refusedAs } from "./reply";
import type { SseEvent } from "./sse";

/**
 * Undefined for empty payloads and for comments that a server put behind `data:`. Throws `Refused` for broken JSON. An
 * event that is named an error may say so in plain words.
 */
export function parseEventData({ name, data }: SseEvent): unknown {
  const payload = data.trim();
  if (payload === "" || payload.startsWith(":")) return undefined;
  try {
    return JSON.parse(payload);
  } catch {
    if (name === "error") return payload;
    throw refusedAs("malformed_response", true, `The endpoint sent an event that is no JSON: ${payload.slice(0, 80)}`);
  }
}

/** The JSON of one server-sent event; keep-alive payloads that are no JSON at all are passed over. */

import { refusedAs } from "./reply";

/** Undefined for empty payloads and for comments that a server put behind `data:`. Throws `Refused` for broken JSON. */
export function parseEventData(text: string): unknown {
  const payload = text.trim();
  if (payload === "" || payload.startsWith(":")) return undefined;
  try {
    return JSON.parse(payload);
  } catch {
    throw refusedAs("malformed_response", true, `The endpoint sent an event that is no JSON: ${payload.slice(0, 80)}`);
  }
}

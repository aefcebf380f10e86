/** The `fetch` under an HTTP server's transport: answers have a size limit, and a broken one ends its call at once. */

import { LineReader } from "./LineReader";

export interface FetchWatch {
  /** An answer was larger than the limit. */
  onFlood(): void;
  /** The answer to this request broke off or ended without holding it; nothing more will come. */
  onLost(id: number | string): void;
}

const LIMIT = LineReader.LIMIT_MB * 1024 * 1024;

/** Wraps the global fetch. `watch` hears what the transport itself would wait out in silence. */
export function createGuardedFetch(watch: FetchWatch): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body || !response.ok) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
    const watched = response.body.pipeThrough(meter({ isStream, watch, id: requestId(init) }));
    return new Response(watched, response);
  };
}

interface Metering {
  isStream: boolean;
  watch: FetchWatch;
  id: number | string | undefined;
}

/** Passes bytes on. In a stream of events only the event under way is weighed. */
function meter({ isStream, watch, id }: Metering): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let canResume = false;
  return new TransformStream({
    transform(chunk, controller) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      if (isStream) {
        const end = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\n\r\n"));
        // An event with an id can be asked for again: then the transport takes up the stream where it broke.
        canResume ||= size < 1024 && /(^|\n)id:/.test(text.subarray(0, 1024).toString("latin1"));
        size = end === -1 ? size + text.length : text.length - end;
      } else size += text.length;
      if (size <= LIMIT) controller.enqueue(chunk);
      else {
        watch.onFlood();
        controller.error(new Error(`The server sent more than ${LineReader.LIMIT_MB} MB in one message.`));
      }
    },
    flush() {
      // A moment later, so that an answer in the last bytes is delivered first.
      if (isStream && id !== undefined && !canResume) setTimeout(() => watch.onLost(id), 50).unref();
    },
  });
}

/** The id of the request in a POST; notifications and answers have none to wait for. */
function requestId(init: RequestInit | undefined): number | string | undefined {
  if (init?.method !== "POST" || typeof init.body !== "string") return undefined;
  const { id, method } = JSON.parse(init.body) as { id?: number | string; method?: string };
  return method === undefined ? undefined : id;
}

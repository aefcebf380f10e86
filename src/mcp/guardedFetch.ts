/** The `fetch` under an HTTP server's transport: answers have a size limit, and a broken one ends its call at once. */

import { ReadableStream } from "node:stream/web";
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
    const body = metered(response.body as unknown as ReadableStream<Uint8Array>, {
      isStream,
      watch,
      id: requestId(init),
    });
    return new Response(ReadableStream.from(body) as unknown as BodyInit, response);
  };
}

interface Metering {
  isStream: boolean;
  watch: FetchWatch;
  id: number | string | undefined;
}

/** Passes bytes on. In a stream of events only the event under way is weighed. */
async function* metered(
  body: AsyncIterable<Uint8Array>,
  { isStream, watch, id }: Metering,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  let canResume = false;
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      // An event with an id can be asked for again: then the transport takes up the stream where it broke.
      canResume ||= isStream && /(^|\n)id:/.test(bytes.subarray(0, 1024).toString("latin1"));
      size = isStream ? weigh(size, bytes) : size + bytes.length;
      if (size > LIMIT) {
        watch.onFlood();
        throw new Error(`The server sent more than ${LineReader.LIMIT_MB} MB in one message.`);
      }
      yield chunk;
    }
  } finally {
    // A moment later, so that an answer in the last bytes is delivered first.
    if (isStream && id !== undefined && !canResume) setTimeout(() => watch.onLost(id), 50).unref();
  }
}

function weigh(size: number, bytes: Buffer): number {
  const end = Math.max(bytes.lastIndexOf("\n\n"), bytes.lastIndexOf("\n\r\n"));
  return end === -1 ? size + bytes.length : bytes.length - end;
}

/** The id of the request in a POST; notifications and answers have none to wait for. */
function requestId(init: RequestInit | undefined): number | string | undefined {
  if (init?.method !== "POST" || typeof init.body !== "string") return undefined;
  const { id, method } = JSON.parse(init.body) as { id?: number | string; method?: string };
  return method === undefined ? undefined : id;
}

/** Looks over the shoulder of the HTTP side: what was sent and what came back, byte for byte, for who wants to judge it. */

import type { HttpSend } from "./http";

/** One exchange as it was on the wire. */
export interface ObservedAnswer {
  path: string;
  /** The request's body; empty for GET. */
  request: string;
  /** 0 where no headers came. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** At most 1 MB of the body. */
  text: string;
  /** A character was cut in two by the border of two pieces. */
  hasSplitCharacters: boolean;
  /** Why it ended before its end; absent where it did not. */
  broke?: string;
}

const MOST = 1024 * 1024;

/** The same sender; each exchange is told when its body has ended, or when it failed. */
export function observed(send: HttpSend, tell: (answer: ObservedAnswer) => void): HttpSend {
  return async (url, request) => {
    const about = { path: new URL(url).pathname, request: request.body ?? "" };
    try {
      const answer = await send(url, request);
      const { status, headers } = answer;
      const body = watched(answer.body, (seen) => tell({ ...about, status, headers, ...seen }));
      return { ...answer, body };
    } catch (error) {
      tell({ ...about, status: 0, headers: {}, text: "", hasSplitCharacters: false, broke: wordsOf(error) });
      throw error;
    }
  };
}

type Seen = Pick<ObservedAnswer, "text" | "hasSplitCharacters" | "broke">;

async function* watched(body: AsyncIterable<Buffer>, tell: (seen: Seen) => void): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  let hasSplitCharacters = false;
  let broke: string | undefined;
  try {
    for await (const bytes of body) {
      if (size < MOST) parts.push(bytes);
      size += bytes.length;
      hasSplitCharacters ||= endsInsideCharacter(bytes);
      yield bytes;
    }
  } catch (error) {
    broke = wordsOf(error);
    throw error;
  } finally {
    const text = Buffer.concat(parts).toString("utf8");
    tell({ text, hasSplitCharacters, ...(broke === undefined ? {} : { broke }) });
  }
}

/** The last lead byte asks for more bytes than follow it. */
function endsInsideCharacter(bytes: Buffer): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return false;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
